import CSQLite
import CSimdJSON
import CrawlCore
import CrawlJSON

/// A source's table and the statements that fill it.
///
/// Not Sendable: belongs to the thread of its database.
final class RecordTable {
    let source: Source
    private let database: Database
    private let insert: Statement
    private var updates: [[Bool]: UpdateStatement] = [:]

    /// Makes the table, or adds the columns that it lacks.
    ///
    /// - Throws: `CrawlError` where the source contradicts the table; `StoreError`.
    init(_ source: Source, in database: Database) throws {
        try RecordSchema(source).apply(to: database)
        self.source = source
        self.database = database
        let names = source.columns.map { SQLName.quoted($0.name) } + ["extra", "page"]
        let key = source.key.map(SQLName.quoted).joined(separator: ", ")
        insert = try Statement(
            """
            INSERT INTO \(SQLName.quoted(source.name)) (\(names.joined(separator: ", ")))
            VALUES (\(names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")))
            ON CONFLICT (\(key)) DO NOTHING
            """, on: database.connection)
    }

    /// The records in the table.
    func count() throws -> Int {
        Int(try database.integer("SELECT count(*) FROM \(SQLName.quoted(source.name))") ?? 0)
    }

    /// The records in the source's table, 0 without a table.
    static func count(of source: String, in database: Database) throws -> Int {
        let exists = try database.integer(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)", SQLValue(source))
        guard exists == 1 else { return 0 }
        return Int(try database.integer("SELECT count(*) FROM \(SQLName.quoted(source))") ?? 0)
    }

    func deleteAll() throws {
        try database.run("DELETE FROM \(SQLName.quoted(source.name))")
    }

    /// Stores the rows of a page in their order until `room` new ones are in; what follows is surplus.
    ///
    /// - Parameters:
    ///   - recorder: notes what changes, where somebody watches.
    ///   - keepReject: takes the records that do not fit the source.
    /// - Returns: the counts.
    func store(
        _ batch: RecordBatch, page: Int64, room: Int, recorder: ChangeRecorder?,
        keepReject: (RejectedRecord) throws -> Void
    ) throws -> PageCounts {
        precondition(batch.columnCount == source.columns.count + 1, "A row has the source's columns and extra")
        var counts = PageCounts()
        counts.received = batch.receivedCount
        counts.rejected = batch.rejectCount
        // The cells lie in the batch's memory, which SQLite must not look at any later.
        defer { insert.clearBindings() }
        // What a server sends beyond the source's limit counts like what is beyond the target.
        let limit = source.limit ?? .max
        var taken = 0
        func isFull() -> Bool { counts.new == room || taken == limit }
        try batch.forEachPart(where: { rows, rejects in (rows > 0 && !isFull()) || rejects > 0 }) { part in
            var row = part.cells
            for _ in 0..<part.rowCount where !isFull() {
                taken += 1
                if try insertRow(row, count: batch.columnCount, page: page) {
                    counts.new += 1
                    recorder?.noteNew(row)
                } else if source.onDuplicate == .update, try updateRow(row, recorder) {
                    counts.updated += 1
                } else {
                    counts.duplicate += 1
                }
                row += batch.columnCount
            }
            for reject in part.rejects { try keepReject(reject) }
        }
        counts.surplus = batch.rowCount - taken
        return counts
    }

    /// Whether the row was not there before.
    private func insertRow(_ row: UnsafePointer<csj_cell>, count: Int, page: Int64) throws -> Bool {
        let statement = insert.handle
        for column in 0..<count {
            let code = bind(row + column, to: statement, at: Int32(truncatingIfNeeded: column + 1))
            guard code == SQLITE_OK else { throw insert.failure(code) }
        }
        sqlite3_bind_int64(statement, Int32(truncatingIfNeeded: count + 1), page)
        let code = sqlite3_step(statement)
        guard code == SQLITE_DONE else {
            let failure = insert.failure(code)
            insert.reset()
            throw failure
        }
        insert.reset()
        return sqlite3_changes(database.connection.handle) == 1
    }

    /// Whether a value that was sent differs from the stored one.
    private func updateRow(_ row: UnsafePointer<csj_cell>, _ recorder: ChangeRecorder?) throws -> Bool {
        let sent = (0...source.columns.count).map { row[$0].kind != UInt32(CSJ_ABSENT) }
        // A source sends few patterns of missing fields; one that sends many must not fill the memory.
        if updates.count > 64, updates[sent] == nil { updates = [:] }
        let update = try updates[sent] ?? UpdateStatement(source, sent: sent, on: database.connection)
        updates[sent] = update
        guard let statement = update.statement else { return false }
        try recorder?.remember(row)
        defer {
            statement.reset()
            statement.clearBindings()
        }
        for (position, column) in update.parameters.enumerated() {
            let code = bind(row + column, to: statement.handle, at: Int32(position + 1))
            guard code == SQLITE_OK else { throw statement.failure(code) }
        }
        _ = try statement.step()
        guard database.changes == 1 else { return false }
        recorder?.noteUpdate(row)
        return true
    }
}

/// Changes a stored record where a value that was sent differs; one statement for each pattern of sent columns.
private struct UpdateStatement {
    /// Nil where nothing but the key was sent.
    let statement: Statement?
    /// The places in a row of the parameters' values.
    let parameters: [Int]

    init(_ source: Source, sent: [Bool], on connection: Connection) throws {
        let names = source.columns.map(\.name) + ["extra"]
        let keys = names.indices.filter { source.key.contains(names[$0]) }
        let values = names.indices.filter { sent[$0] && !source.key.contains(names[$0]) }
        parameters = values + keys
        guard !values.isEmpty else {
            statement = nil
            return
        }
        func list(_ places: [Int], from first: Int, _ comparison: String, separator: String) -> String {
            places.enumerated()
                .map { "\(SQLName.quoted(names[$0.element])) \(comparison) ?\(first + $0.offset)" }
                .joined(separator: separator)
        }
        statement = try Statement(
            """
            UPDATE \(SQLName.quoted(source.name)) SET \(list(values, from: 1, "=", separator: ", "))
            WHERE \(list(keys, from: values.count + 1, "=", separator: " AND "))
                AND (\(list(values, from: 1, "IS NOT", separator: " OR ")))
            """, on: connection)
    }
}

/// An address for texts without a byte: a null pointer would be bound as NULL.
private let emptyText: StaticString = ""

/// Binds the cell without copying it; it must outlive the step.
@inline(__always)
private func bind(_ cell: UnsafePointer<csj_cell>, to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch Int(cell.pointee.kind) {
    case CSJ_TEXT:
        if let text = cell.pointee.text {
            return sqlite3_bind_text64(
                statement, index, text, sqlite3_uint64(cell.pointee.length), nil, UInt8(SQLITE_UTF8))
        }
        return emptyText.withUTF8Buffer { crawl_sqlite_bind_text(statement, index, $0.baseAddress, 0) }
    case CSJ_INTEGER: return sqlite3_bind_int64(statement, index, cell.pointee.integer)
    case CSJ_REAL: return sqlite3_bind_double(statement, index, cell.pointee.real)
    default: return sqlite3_bind_null(statement, index)
    }
}
