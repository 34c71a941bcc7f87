import CSQLite
import CrawlCore
import Glibc

/// An error that SQLite reported.
///
/// Holds the statement without its arguments, so that no record and no secret gets into a message.
/// Result codes: https://www.sqlite.org/rescode.html
package struct StoreError: Error, Sendable, Equatable {
    /// The primary result code, for example `SQLITE_BUSY`.
    package let code: Int32
    /// The extended result code, for example `SQLITE_IOERR_WRITE`.
    package let extendedCode: Int32
    /// SQLite's own words.
    package let message: String
    /// The statement that failed, nil where none was at work.
    package let sql: String?
    /// The database file, as the user named it.
    package let path: String

    /// The `errno` of the system call that failed, 0 where none did.
    package let systemError: Int32

    package init(extendedCode: Int32, message: String, sql: String?, path: String, systemError: Int32 = 0) {
        self.code = extendedCode & 0xff
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.path = path
        self.systemError = systemError
    }
}

extension StoreError {
    /// The error as a person gets to see it, with the exit code of the contract.
    package var crawlError: CrawlError {
        switch code {
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            return CrawlError(
                .tryLater, "The database \(path) is held by another program",
                remedy: "Close the program that writes to it, then repeat the command; "
                    + "everything stored so far is safe.")
        case SQLITE_FULL,
            SQLITE_IOERR where isForWantOfSpace,
            SQLITE_CANTOPEN where isForWantOfSpace:
            return CrawlError(
                .database, "No space left for the database \(path) (\(details))",
                remedy: "Everything stored so far is safe; \(wayToSpace), then repeat the command to go on.")
        case SQLITE_READONLY:
            return CrawlError(
                .database, "The database \(path) cannot be written (\(message))",
                remedy: "Everything stored so far is safe; "
                    + "make the file and its folder writable or choose another with --db, then repeat the command.")
        case SQLITE_CANTOPEN where [EMFILE, ENFILE].contains(systemError):
            return .tooManyOpenFiles(path, details)
        case SQLITE_CANTOPEN:
            return CrawlError(
                .database, "The database \(path) cannot be opened (\(details))",
                remedy: "Nothing was changed; check the permissions of the file and its folder "
                    + "or choose another with --db, then repeat the command.")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return CrawlError(
                .database, "The database \(path) is damaged (\(message))",
                remedy: "It is left as it is; restore a copy, or save what can be read with "
                    + "`sqlite3 FILE .recover`, or begin anew with another --db.")
        case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH:
            return .changedTables(path, difference ?? message)
        case SQLITE_NOMEM:
            return CrawlError(
                .database, "There is not enough memory for the database \(path)",
                remedy: "Everything stored so far is safe; close other programs or raise the limit (`ulimit -v`), "
                    + "then repeat the command to go on.")
        default:
            return CrawlError(
                .database, "The database \(path) failed (\(details), SQLite code \(extendedCode))",
                remedy: "Everything stored so far is safe; check the disk, then repeat the command to go on.")
        }
    }

    /// SQLite's words and, where a system call failed, the system's.
    private var details: String {
        systemError == 0 ? message : "\(message): \(SystemError(systemError).description)"
    }

    /// The system's numbers for a disk, an allowance or a file that is full.
    static let wantsOfSpace = [ENOSPC, EDQUOT, EFBIG]

    private var wayToSpace: String {
        systemError == EFBIG ? "free some space or raise the limit on files (`ulimit -f`)" : "free some space"
    }

    var isForWantOfSpace: Bool { Self.wantsOfSpace.contains(systemError) }

    /// What somebody has changed about the tables, nil where nothing is found.
    private var difference: String? {
        guard let database = try? Database.openForReading(path: path, lockTimeout: .zero) else { return nil }
        return try? SchemaCheck(database: database).differences().first
    }
}

extension CrawlError {
    private static let isGone = "was moved or deleted while the crawl was running"

    /// The database file is no longer where it was.
    static func databaseIsGone(_ path: String) -> CrawlError {
        CrawlError(
            .database, "The database \(path) \(isGone)",
            remedy: "Put it back, or repeat the command to begin a new one.")
    }

    /// Whether the database file is no longer where it was, so that nothing can be said of what it holds.
    package var meansDatabaseIsGone: Bool {
        exitCode == .database && message.hasSuffix(Self.isGone)
    }

    /// The program may open no further file.
    static func tooManyOpenFiles(_ path: String, _ details: String) -> CrawlError {
        CrawlError(
            .database, "The database \(path) cannot be opened (\(details))",
            remedy: "Nothing was changed; raise the limit with `ulimit -n 256`, then repeat the command.")
    }
}

/// Runs `body` and rewrites what SQLite reported as an error that a person can act on.
func withCrawlErrors<Value>(_ body: () throws -> Value) throws -> Value {
    do {
        return try body()
    } catch let error as StoreError {
        throw error.crawlError
    }
}
