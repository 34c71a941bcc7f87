import CSQLite
import Glibc

/// SQLite's handle of an open database; closed with the last reference, statements included.
///
/// Not Sendable: opened without SQLite's mutexes, it belongs to one thread at a time.
final class Connection {
    let handle: OpaquePointer
    /// The database file as the user named it, for messages.
    let path: String
    /// Outlives the connection: closing a descriptor of the file drops the locks that SQLite holds.
    private let file: DatabaseFile?

    /// Counting takes a mutex for every allocation, and nobody asks for the figures.
    ///
    /// It is left on, without harm, where the program that uses this library has used SQLite before.
    private static let countsNoMemory = crawl_sqlite_count_no_memory() == SQLITE_OK

    /// Opens an existing file; an `immutable` one is read as if nobody could change it, without any file beside it.
    init(_ file: DatabaseFile, immutable: Bool = false) throws {
        _ = Self.countsNoMemory
        self.file = file
        self.path = file.path
        let absolute = file.path.hasPrefix("/") ? file.path : "./" + file.path
        let name = immutable ? "file:" + Self.percentEncoded(absolute) + "?immutable=1" : absolute
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (immutable ? SQLITE_OPEN_URI : 0)
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let message =
                (sqlite3_errmsg(handle) ?? sqlite3_errstr(code)).map { String(cString: $0) } ?? "out of memory"
            let extended = handle.map(sqlite3_extended_errcode) ?? code
            let number = handle.map(sqlite3_system_errno) ?? 0
            sqlite3_close(handle)
            throw StoreError(
                extendedCode: extended, message: message, sql: nil, path: file.path, systemError: number)
        }
        self.handle = handle
        sqlite3_extended_result_codes(handle, 1)
    }

    /// An empty database in memory.
    static func inMemory() throws -> Connection {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(
            ":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw StoreError(extendedCode: code, message: "out of memory", sql: nil, path: ":memory:")
        }
        return Connection(handle: handle, path: ":memory:")
    }

    private init(handle: OpaquePointer, path: String) {
        self.handle = handle
        self.path = path
        file = nil
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// The error of a call that returned `code`, with SQLite's words for it.
    func error(_ code: Int32, sql: String?) -> StoreError {
        // SQLite does not keep the system's number of a commit that failed; no later call can have been refused for
        // want of space.
        let last = errno
        let known = sqlite3_system_errno(handle)
        let isForWantOfSpace = code & 0xff == SQLITE_IOERR && StoreError.wantsOfSpace.contains(last)
        return StoreError(
            extendedCode: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql, path: path,
            systemError: known == 0 && isForWantOfSpace ? last : known)
    }

    private static func percentEncoded(_ path: String) -> String {
        var result = ""
        for byte in path.utf8 {
            let isPlain =
                byte == 0x2F || byte == 0x2E || byte == 0x2D || byte == 0x5F
                || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            result += isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }
        return result
    }
}
