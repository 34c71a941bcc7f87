import CSQLite

/// A prepared statement; finalised with its last reference.
///
/// Not Sendable: belongs to the thread of its connection.
final class Statement {
    /// SQLite's handle, for the loops that bind or read cells without a detour.
    let handle: OpaquePointer
    private let connection: Connection

    init(_ sql: String, on connection: Connection) throws {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(
            connection.handle, sql, Int32(sql.utf8.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw connection.error(code, sql: sql) }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Goes to the next row; false when there is none.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw failure(code)
        }
    }

    /// Makes ready for the next use.
    ///
    /// What sqlite3_reset() returns is the failure of the last step, which has been thrown already.
    func reset() {
        sqlite3_reset(handle)
    }

    /// Forgets bound values, among them pointers into memory that will not outlive the caller.
    func clearBindings() {
        sqlite3_clear_bindings(handle)
    }

    /// The error of a call that returned `code`.
    func failure(_ code: Int32) -> StoreError {
        connection.error(code, sql: sqlite3_sql(handle).map { String(cString: $0) })
    }
}

extension Statement {
    /// Binds values to the parameters from 1 on.
    func bind(_ values: [SQLValue]) throws {
        for (position, value) in values.enumerated() {
            let index = Int32(position + 1)
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
                case .text(let text):
                    crawl_sqlite_bind_text(handle, index, text, sqlite3_uint64(text.utf8.count))
                case .bytes(let bytes):
                    bytes.withUnsafeBytes { buffer in
                        // A null pointer would bind NULL where no bytes are meant.
                        buffer.isEmpty
                            ? sqlite3_bind_zeroblob(handle, index, 0)
                            : crawl_sqlite_bind_blob(
                                handle, index, buffer.baseAddress, sqlite3_uint64(buffer.count))
                    }
                }
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// The integer in a column of the row, 0 for NULL.
    func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// The text in a column of the row, nil for NULL.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// The integer in a column of the row, nil for NULL.
    func optionalInteger(_ column: Int32) -> Int64? {
        sqlite3_column_type(handle, column) == SQLITE_NULL ? nil : integer(column)
    }
}

/// A value for a parameter, for all but the hot path.
enum SQLValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    init(integerLiteral value: Int64) { self = .integer(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(nilLiteral: ()) { self = .null }

    init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }
    init(_ value: Int64) { self = .integer(value) }
    init(_ value: String?) { self = value.map { .text($0) } ?? .null }
}
