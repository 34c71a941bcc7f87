import CSQLite
import CrawlCore

/// Which rows of a source's table are read.
package struct RowQuery: Sendable {
    /// The source's name.
    package var source: String
    /// The columns, in this order; nil for all of the source's own, without `extra` and `page`.
    package var columns: [String]?
    /// Whether `extra` and `page` come behind the source's own columns where none are named.
    package var includesOthers = false
    /// The most rows, nil for all.
    package var limit: Int?
    /// The rows that are passed over at the beginning; each costs a step.
    package var offset = 0
    /// The most bytes that are read of a text, cut between two characters; nil for whole texts.
    package var longestText: Int?

    package init(source: String, columns: [String]? = nil, limit: Int? = nil) {
        self.source = source
        self.columns = columns
        self.limit = limit
    }
}

/// Reads the rows of a source's table in batches, in the order in which they were stored.
///
/// All batches come from one state of the database, that of the moment of opening, whatever a crawl writes meanwhile.
/// Has a connection and a thread of its own; holds no more than one batch in memory.
package actor RowReader {
    /// The bytes of text after which a batch ends early.
    private static let largestBatch = 1 << 20

    private nonisolated let executor: ThreadExecutor
    private let longestText: Int
    private var database: Database?
    private var statement: Statement?
    /// The columns of each row.
    package private(set) var columns: [StoredColumn] = []
    /// The names of all columns of the table.
    package private(set) var allColumns: [String] = []
    /// The rows of the table, whatever the limit.
    package private(set) var total = 0

    /// The thread that the database is read on.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(longestText: Int) throws {
        self.longestText = longestText
        executor = try ThreadExecutor()
    }

    /// Opens an existing database and stands before the first row.
    ///
    /// - Throws: `CrawlError`: exit code 64 for an unknown source or column, 74 where the file is missing (it stays
    ///   missing), damaged, newer, or not ours, 75 where another program holds it.
    package static func open(
        _ query: RowQuery, path: String, lockTimeout: Duration = .seconds(5)
    ) async throws -> RowReader {
        let reader = try RowReader(longestText: query.longestText ?? .max)
        try await reader.begin(query, path, lockTimeout)
        return reader
    }

    private func begin(_ query: RowQuery, _ path: String, _ lockTimeout: Duration) throws {
        try withCrawlErrors {
            let database = try Database.openForReading(path: path, lockTimeout: lockTimeout)
            // Ends when the connection closes; nothing is ever written here.
            try database.execute("BEGIN")
            let table = try StoredTable(query.source, in: database)
            allColumns = (table.own + table.others).map(\.name)
            columns =
                if let names = query.columns {
                    try table.columns(named: names)
                } else {
                    table.own + (query.includesOthers ? table.others : [])
                }
            total = try RecordTable.count(of: query.source, in: database)
            let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
            let statement = try Statement(
                """
                SELECT \(names) FROM \(SQLName.quoted(query.source)) NOT INDEXED ORDER BY rowid LIMIT ?1 OFFSET ?2
                """, on: database.connection)
            try statement.bind([.integer(Int64(query.limit ?? -1)), .integer(Int64(query.offset))])
            self.statement = statement
            self.database = database
        }
    }

    /// The next rows: at least one and at most so many, none at the end.
    ///
    /// - Throws: `CrawlError`, exit code 74 or 75, where the database cannot be read; `CancellationError`.
    package func next(_ most: Int) throws -> [[RecordValue]] {
        try Task.checkCancellation()
        guard let statement else { return [] }
        return try withCrawlErrors {
            var rows: [[RecordValue]] = []
            var bytes = 0
            while rows.count < most, bytes < Self.largestBatch {
                guard try statement.step() else {
                    close()
                    break
                }
                rows.append(statement.values(columns.count, longestText: longestText, bytes: &bytes))
            }
            return rows
        }
    }

    /// Closes the file; without it, that happens when the reader is no longer used.
    package func close() {
        statement = nil
        database = nil
    }
}

extension Statement {
    /// The values of the row that the statement stands on; adds the bytes of its texts.
    fileprivate func values(_ count: Int, longestText: Int, bytes: inout Int) -> [RecordValue] {
        (0..<Int32(truncatingIfNeeded: count)).map { column in
            switch sqlite3_column_type(handle, column) {
            case SQLITE_NULL: return .null
            case SQLITE_INTEGER: return .integer(integer(column))
            case SQLITE_FLOAT: return .real(sqlite3_column_double(handle, column))
            default:
                guard let text = sqlite3_column_text(handle, column) else { return .null }
                let whole = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
                var end = min(whole.count, longestText)
                // Bytes that continue a character begin with the bits 10.
                while end > 0, end < whole.count, whole[end] & 0xC0 == 0x80 { end -= 1 }
                bytes += end
                return .text(String(decoding: whole[..<end], as: UTF8.self))
            }
        }
    }
}
