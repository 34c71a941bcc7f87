import CSQLite

/// The rows of a database as any other program reads them, in the order of their text.
struct StoredRows: Sendable, Equatable {
    /// The rows by table; the column `page` left out, which tells of the way and not of the record.
    var tables: [String: [String]] = [:]

    init() {}

    /// Reads the tables that are there; none where there is no database yet.
    init(_ path: String, _ tables: [String]) {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return }
        sqlite3_busy_timeout(handle, 5_000)
        for table in tables {
            let columns = Self.query(handle, "SELECT name FROM pragma_table_info('\(table)') WHERE name <> 'page'")
            guard !columns.isEmpty else { continue }
            let text = columns.map { "quote(\"\($0)\")" }.joined(separator: " || '|' || ")
            self.tables[table] = Self.query(handle, "SELECT \(text) AS line FROM \"\(table)\" ORDER BY line")
        }
    }

    /// The records of a table, none where it is missing.
    subscript(table: String) -> [String] { tables[table] ?? [] }

    /// One column of a query, read in one go.
    static func query(_ path: String, _ sql: String) -> [String] {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return [] }
        return query(handle, sql)
    }

    private static func query(_ handle: OpaquePointer?, _ sql: String) -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { return [] }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
        }
        return rows
    }
}
