/// A plain table: aligned and cut to the terminal for people, tab-separated and whole for programs.
struct TextTable: Sendable {
    /// A column.
    struct Column: Sendable {
        /// Its heading.
        var title: String
        /// Whether it holds numbers, which stand to the right and are never cut.
        var isNumeric = false
        /// Whether its texts are never cut.
        var isFixed = false
    }

    let columns: [Column]
    /// The rows, each with a text a column; text from outside may be given as it is.
    var rows: [[String]] = []

    private static let gap = 2
    private static let least = 5

    init(columns: [Column]) {
        self.columns = columns
    }

    /// The table's lines.
    ///
    /// - Parameters:
    ///   - width: The terminal's columns; nil for tab-separated lines without a cut.
    ///   - style: For the headings.
    func lines(width: Int?, style: Style = .plain, isUnicode: Bool = true) -> [String] {
        let cells = ([columns.map(\.title)] + rows).map { row in
            columns.indices.map { SafeText.visible($0 < row.count ? row[$0] : "") }
        }
        guard let width else { return cells.map { $0.joined(separator: "\t") } }
        let widths = fit(
            columns.indices.map { column in cells.map { DisplayWidth.of($0[column]) }.max() ?? 0 }, in: width)
        let sign = isUnicode ? "…" : "~"
        return cells.enumerated().map { index, row in
            let line = columns.indices.map { column in
                let cell = DisplayWidth.cut(row[column], to: widths[column], sign: sign)
                return DisplayWidth.pad(cell, to: widths[column], isRight: columns[column].isNumeric)
            }
            .joined(separator: String(repeating: " ", count: Self.gap))
            let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
            let whole = DisplayWidth.cut(trimmed, to: width, sign: sign)
            return index == 0 ? style(.bold, whole) : whole
        }
    }

    /// Takes columns from the widest texts, one by one, until the line fits or nothing more can be taken.
    private func fit(_ natural: [Int], in width: Int) -> [Int] {
        var widths = natural
        var excess = widths.reduce(0, +) + Self.gap * max(0, widths.count - 1) - width
        while excess > 0 {
            let candidates = columns.indices.filter {
                !columns[$0].isNumeric && !columns[$0].isFixed && widths[$0] > Self.least
            }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }
}
