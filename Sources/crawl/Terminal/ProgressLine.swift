/// Draws a `ProgressState` on one line:
/// `users ████████████░░░░░░░░ 31/50 · 12/s · 2 s left · 3 duplicates · 1 retry`.
///
/// As the width shrinks, the bar shrinks first, then the parts go from the right, then the bar, then the name.
struct ProgressLine: Sendable {
    /// Whether signs beyond ASCII may be used.
    var isUnicode = true
    /// The colour of the bar.
    var style = Style.plain

    private static let bar = (least: 6, most: 30)

    /// The line in at most `columns - 1` columns, as the last column makes some terminals break the line.
    func text(_ state: ProgressState, columns: Int) -> String {
        let room = columns - 1
        guard room > 0 else { return "" }
        let separator = isUnicode ? " · " : " - "
        var parts = Self.parts(of: state)
        let count = parts.removeFirst()
        while true {
            let tail = ([count] + parts).joined(separator: separator)
            let line = "\(state.source) \(tail)"
            let left = room - DisplayWidth.of(line) - 1
            if let target = state.target, left >= Self.bar.least {
                let bar = bar(state.stored, of: target, columns: min(left, Self.bar.most))
                return "\(state.source) \(bar) \(tail)"
            }
            if parts.isEmpty || (state.target == nil && left >= -1) {
                guard left < -1 else { return line }
                return DisplayWidth.cut(count, to: room, sign: isUnicode ? "…" : "~")
            }
            parts.removeLast()
        }
    }

    /// The parts for a plain line in a log: `31 of 50 stored`, `12/s`, ….
    static func logParts(of state: ProgressState) -> [String] {
        let count = state.target.map { "\(state.stored) of \($0) stored" } ?? "\(state.stored) stored"
        return [count] + parts(of: state).dropFirst()
    }

    /// The count and what is worth telling beside it, the most important first.
    private static func parts(of state: ProgressState) -> [String] {
        guard !state.isStarting else { return ["starting"] }
        var parts = [state.target.map { "\(state.stored)/\($0)" } ?? "\(state.stored)"]
        if let waiting = state.secondsWaiting, waiting >= 1 {
            parts.append("next try in \(Quantity.wholeSeconds(waiting))")
        } else {
            if let rate = state.rate {
                parts.append(Quantity.rate(rate))
            }
            if let left = state.secondsLeft {
                parts.append("\(Quantity.wholeSeconds(left)) left")
            }
        }
        if state.duplicates > 0 {
            parts.append(Quantity.count(state.duplicates, "duplicate", "duplicates"))
        }
        if state.retries > 0 {
            parts.append(Quantity.count(state.retries, "retry", "retries"))
        }
        if state.rejected > 0 {
            parts.append("\(state.rejected) rejected")
        }
        return parts
    }

    private func bar(_ stored: Int, of target: Int, columns: Int) -> String {
        let share = target > 0 ? min(1, max(0, Double(stored) / Double(target))) : 1
        // Full only when the target stands.
        let filled = stored >= target ? columns : min(columns - 1, Int(share * Double(columns)))
        let signs = isUnicode ? ("█", "░") : ("#", ".")
        return style(.cyan, String(repeating: signs.0, count: filled))
            + style(.dim, String(repeating: signs.1, count: columns - filled))
    }
}
