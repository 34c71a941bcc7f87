/// The lines at the bottom of a terminal that are drawn anew in place.
struct LiveArea: Sendable {
    private var drawn: [String] = []

    /// Whether lines stand there now.
    var isEmpty: Bool {
        drawn.isEmpty
    }

    /// What to write so that these lines stand there; empty where they do already.
    mutating func draw(_ lines: [String], on descriptor: Int32) -> String {
        let cursor = CursorGuard.hide(on: descriptor)
        guard lines != drawn || !cursor.isEmpty else { return "" }
        var text = cursor + toFirstLine
        text += lines.map { $0 + "\u{1B}[K" }.joined(separator: "\n")
        if lines.count < drawn.count {
            text += "\u{1B}[J"
        }
        drawn = lines
        return text
    }

    /// What to write so that nothing stands there and the cursor is where the first line was.
    mutating func clear() -> String {
        guard !drawn.isEmpty else { return "" }
        defer { drawn = [] }
        return toFirstLine + "\u{1B}[J"
    }

    private var toFirstLine: String {
        guard !drawn.isEmpty else { return "" }
        return "\r" + (drawn.count > 1 ? "\u{1B}[\(drawn.count - 1)A" : "")
    }
}
