import CrawlCore
import CrawlStore

/// The lines of `crawl list`: which columns are shown, and how rows are written.
struct ListView: Sendable {
    /// The widest column that counts as short.
    private static let short = 32
    /// The least room that is worth a cut column.
    private static let leastRoom = 12
    /// The most room that is kept for a column of the key.
    private static let widestKey = 40
    /// Parts of names whose columns nobody wants on a screen unasked.
    private static let privateNames = ["password", "secret", "token", "social_insurance", "credit_card", "cc_number"]

    private let columns: [StoredColumn]
    private let shown: [Int]
    private let layout: TextTable.Layout
    private let isTerminal: Bool

    /// Decides about columns and widths.
    ///
    /// - Parameters:
    ///   - columns: The columns of each row.
    ///   - sample: The first rows.
    ///   - choosesColumns: Whether columns may be left out, on a terminal.
    ///   - headline: Names of columns that are shown before others.
    ///   - width: The terminal's columns, nil off a terminal.
    init(
        columns: [StoredColumn], sample: [[RecordValue]], choosesColumns: Bool, headline: [String] = [], width: Int?,
        isUnicode: Bool = true
    ) {
        self.columns = columns
        isTerminal = width != nil
        var table = TextTable(columns: columns.map(Self.heading))
        guard let width else {
            shown = Array(columns.indices)
            layout = table.layout(width: nil)
            return
        }
        table.rows = sample.map { Self.cells($0, columns) }
        let shown =
            choosesColumns
            ? Self.choose(columns, sample, headline: headline, widths: table.naturalWidths, room: width)
            : Array(columns.indices)
        self.shown = shown
        var narrow = TextTable(columns: shown.map { table.columns[$0] })
        narrow.rows = table.rows.map { row in shown.map { row[$0] } }
        layout = narrow.layout(width: width, isUnicode: isUnicode)
    }

    /// The line of the headings.
    var heading: String { layout.line(shown.map { columns[$0].name }) }

    /// The line of a row.
    func line(_ row: [RecordValue]) -> String {
        layout.line(shown.map { Self.cell(row[$0], columns[$0].type) })
    }

    /// What is not shown and how to see it: `20 of 100 posts, 3 of 4 columns; --limit 0 shows all, --columns others`.
    ///
    /// - Returns: nil where nothing is left out and nobody sits in front of it.
    func remark(source: String, shown rows: Int, total: Int) -> String? {
        let hidesRows = rows < total
        let hidesColumns = shown.count < columns.count
        guard hidesRows || hidesColumns || isTerminal else { return nil }
        var remark = (hidesRows ? "\(rows) of " : "") + Quantity.records(total, of: SafeText.visible(source))
        if hidesColumns { remark += ", \(shown.count) of \(columns.count) columns" }
        switch (hidesRows, hidesColumns) {
        case (true, true): remark += "; --limit 0 shows all, --columns others"
        case (true, false): remark += "; --limit 0 shows all"
        case (false, true): remark += "; --columns shows others"
        case (false, false): break
        }
        return remark
    }

    // MARK: -

    private static func heading(_ column: StoredColumn) -> TextTable.Column {
        TextTable.Column(title: column.name, isNumeric: column.type == .integer || column.type == .real)
    }

    private static func cells(_ row: [RecordValue], _ columns: [StoredColumn]) -> [String] {
        zip(row, columns).map { cell($0, $1.type) }
    }

    private static func cell(_ value: RecordValue, _ type: ColumnType) -> String {
        if type == .boolean, case .integer(let number) = value { return number == 0 ? "false" : "true" }
        return value.description
    }

    /// The columns to show: the key, then short ones that are filled, then long ones cut to what room is left.
    private static func choose(
        _ columns: [StoredColumn], _ sample: [[RecordValue]], headline: [String], widths: [Int], room: Int
    ) -> [Int] {
        let key = columns.indices.filter { columns[$0].isKey }
        var chosen = key
        var room = room - key.reduce(0) { $0 + min(widths[$1], widestKey) + TextTable.gap } + TextTable.gap
        let candidates = columns.indices.filter { column in
            let empty = sample.count { $0[column].description.isEmpty }
            let isPrivate = privateNames.contains { columns[column].name.lowercased().contains($0) }
            return !columns[column].isKey && !isPrivate && 2 * empty <= sample.count
        }
        func take(_ column: Int, width: Int) {
            chosen.append(column)
            room -= TextTable.gap + width
        }
        let first = candidates.filter { headline.contains(columns[$0].name) }
        for column in first + candidates.filter({ !first.contains($0) })
        where widths[column] <= short && TextTable.gap + widths[column] <= room {
            take(column, width: widths[column])
        }
        for column in candidates where widths[column] > short && TextTable.gap + leastRoom <= room {
            take(column, width: min(widths[column], room - TextTable.gap))
        }
        return key + chosen.dropFirst(key.count).sorted()
    }
}
