import CSQLite
import CSimdJSON
import CrawlCore
import CrawlJSON

/// Notes what a page changes in a source's table, for those who watch it.
///
/// Not Sendable: belongs to the thread of its database.
final class ChangeRecorder {
    private let source: Source
    private let lookup: Statement
    private var before: [RecordValue] = []
    private(set) var changes: [RecordChange] = []

    init(_ source: Source, in database: Database) throws {
        self.source = source
        let names = source.columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let key = source.key.enumerated().map { "\(SQLName.quoted($0.element)) = ?\($0.offset + 1)" }
        lookup = try Statement(
            "SELECT \(names) FROM \(SQLName.quoted(source.name)) WHERE \(key.joined(separator: " AND "))",
            on: database.connection)
    }

    /// Remembers the stored values of the record that a row is about to change.
    func remember(_ row: UnsafePointer<csj_cell>) throws {
        try lookup.bind(
            key(row).map { value in
                switch value {
                case .null: .null
                case .integer(let number): .integer(number)
                case .real(let number): .text(String(number))
                case .text(let text): .text(text)
                }
            })
        defer { lookup.reset() }
        guard try lookup.step() else {
            before = []
            return
        }
        before = source.columns.indices.map { lookup.value(Int32($0)) }
    }

    /// Notes the row that changed the record that was remembered.
    func noteUpdate(_ row: UnsafePointer<csj_cell>) {
        let columns = source.columns.indices.compactMap { index -> RecordChange.Column? in
            guard row[index].kind != UInt32(CSJ_ABSENT), index < before.count else { return nil }
            let after = RecordValue(row[index])
            guard after != before[index] else { return nil }
            return RecordChange.Column(name: source.columns[index].name, before: before[index], after: after)
        }
        changes.append(RecordChange(key: key(row), isNew: false, columns: columns))
    }

    /// Notes a row that was not stored before.
    func noteNew(_ row: UnsafePointer<csj_cell>) {
        let columns = source.columns.indices.compactMap { index -> RecordChange.Column? in
            let after = RecordValue(row[index])
            guard after != .null else { return nil }
            return RecordChange.Column(name: source.columns[index].name, before: .null, after: after)
        }
        changes.append(RecordChange(key: key(row), isNew: true, columns: columns))
    }

    private func key(_ row: UnsafePointer<csj_cell>) -> [RecordValue] {
        source.key.compactMap { name in
            source.columns.firstIndex { $0.name == name }.map { RecordValue(row[$0]) }
        }
    }
}

extension RecordValue {
    /// The value of a cell; one that is absent counts as null.
    init(_ cell: csj_cell) {
        switch CellValue(cell) {
        case .absent, .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(text)
        }
    }
}

extension Statement {
    /// The value in a column of the row.
    func value(_ column: Int32) -> RecordValue {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
        case SQLITE_TEXT: .text(text(column) ?? "")
        default: .null
        }
    }
}
