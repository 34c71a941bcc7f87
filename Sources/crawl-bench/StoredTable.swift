import CSQLite
import Glibc

/// What a program left in a database, to be sure that it did the work that it was measured for.
struct StoredTable: Equatable {
    /// The rows.
    let rows: Int
    /// The lengths of all values of all columns of the source, added up; equal where the same records are stored.
    let extent: Int

    /// Reads the table of a closed database.
    ///
    /// - Throws: `BenchFailure` where it cannot be read.
    init(_ table: String, in database: String) throws {
        let columns = try Self.query(database, "SELECT name FROM pragma_table_info('\(table)')").map { $0[0] }
            .filter { $0 != "extra" && $0 != "page" }
        let lengths = columns.map { "coalesce(length(\"\($0)\"), 0)" }.joined(separator: " + ")
        let answer = try Self.query(database, "SELECT count(*), sum(\(lengths)) FROM \"\(table)\"")
        guard let figures = answer.first, let rows = Int(figures[0]), let extent = Int(figures[1]) else {
            throw BenchFailure("the table \(table) in \(database) is empty")
        }
        self.rows = rows
        self.extent = extent
    }

    private static func query(_ path: String, _ sql: String) throws -> [[String]] {
        var database: OpaquePointer?
        defer { sqlite3_close_v2(database) }
        guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw BenchFailure("\(path) cannot be opened")
        }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw BenchFailure("\(path): \(String(cString: sqlite3_errmsg(database)))")
        }
        var rows: [[String]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
                })
        }
        return rows
    }
}
