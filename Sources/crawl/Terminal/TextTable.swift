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

    /// The blanks between two columns.
    static let gap = 2
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
        let layout = layout(width: width, isUnicode: isUnicode)
        return [style(.bold, layout.line(columns.map(\.title)))] + rows.map(layout.line)
    }

    /// How lines are written: measured once, so that rows that come later stand under the earlier ones.
    struct Layout: Sendable {
        fileprivate let columns: [Column]
        /// The width of each column, nil for tab-separated lines.
        fileprivate let widths: [Int]?
        fileprivate let width: Int
        fileprivate let sign: String

        /// A line for a row or for the headings.
        func line(_ row: [String]) -> String {
            let cells = columns.indices.map { SafeText.visible($0 < row.count ? row[$0] : "") }
            guard let widths else { return cells.joined(separator: "\t") }
            var line = columns.indices.map { column in
                let cell =
                    columns[column].isNumeric
                    ? cells[column] : DisplayWidth.cut(cells[column], to: widths[column], sign: sign)
                return DisplayWidth.pad(cell, to: widths[column], isRight: columns[column].isNumeric)
            }
            .joined(separator: String(repeating: " ", count: TextTable.gap))
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return DisplayWidth.cut(line, to: width, sign: sign)
        }
    }

    /// The layout that suits the rows.
    ///
    /// - Parameter width: The terminal's columns; nil for tab-separated lines without a cut.
    func layout(width: Int?, isUnicode: Bool = true) -> Layout {
        let sign = isUnicode ? "…" : "~"
        guard let width else { return Layout(columns: columns, widths: nil, width: .max, sign: sign) }
        return Layout(columns: columns, widths: fit(naturalWidths, in: width), width: width, sign: sign)
    }

    /// The widths that show every row uncut.
    var naturalWidths: [Int] {
        columns.indices.map { column in
            rows.reduce(DisplayWidth.of(SafeText.visible(columns[column].title))) { widest, row in
                max(widest, column < row.count ? DisplayWidth.of(SafeText.visible(row[column])) : 0)
            }
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
