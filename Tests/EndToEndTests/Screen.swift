/// What a person sees of what a program drew: a terminal of endless width that knows the few sequences in use.
struct Screen {
    /// The lines, without the blanks at their ends.
    private(set) var lines = [""]
    /// Whether the cursor is to be seen.
    private(set) var isCursorShown = true
    /// How often the cursor was hidden.
    private(set) var hides = 0
    /// The length of the longest line that ever stood there.
    private(set) var widest = 0
    /// Sequences that are none of those in use.
    private(set) var unknown: [String] = []
    /// Where the next character would go.
    private(set) var column = 0
    private var row = 0

    init(_ drawn: String) {
        var rest = Array(drawn.unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n":
                row += 1
                if row == lines.count { lines.append("") }
            case "\u{1B}": take(sequence: &rest)
            default: put(Character(scalar))
            }
        }
        while lines.count > 1, lines.last == "" { lines.removeLast() }
    }

    private mutating func put(_ character: Character) {
        var cells = Array(lines[row])
        while cells.count < column { cells.append(" ") }
        if column < cells.count { cells[column] = character } else { cells.append(character) }
        column += 1
        lines[row] = String(cells)
        widest = max(widest, column)
    }

    private mutating func take(sequence rest: inout ArraySlice<Unicode.Scalar>) {
        var text = ""
        guard rest.popFirst() == "[" else { return unknown.append("ESC") }
        while let scalar = rest.popFirst() {
            text.unicodeScalars.append(scalar)
            if ("@"..."~").contains(scalar) { break }
        }
        switch text {
        case "?25l":
            isCursorShown = false
            hides += 1
        case "?25h": isCursorShown = true
        case "K": lines[row] = String(lines[row].prefix(column))
        case "J":
            lines[row] = String(lines[row].prefix(column))
            lines.removeSubrange((row + 1)...)
        case _ where text.hasSuffix("A"): row = max(0, row - (Int(text.dropLast()) ?? 1))
        case _ where text.hasSuffix("m"): break
        default: unknown.append(text)
        }
    }
}
