import CSQLite
import CrawlCore

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

    package init(extendedCode: Int32, message: String, sql: String?, path: String) {
        self.code = extendedCode & 0xff
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.path = path
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
        case SQLITE_FULL:
            return CrawlError(
                .database, "No space left for the database \(path) (\(message))",
                remedy: "Everything stored so far is safe; free some space, then repeat the command to go on.")
        case SQLITE_READONLY:
            return CrawlError(
                .database, "The database \(path) cannot be written (\(message))",
                remedy: "Everything stored so far is safe; "
                    + "make the file and its folder writable or choose another with --db, then repeat the command.")
        case SQLITE_CANTOPEN:
            return CrawlError(
                .database, "The database \(path) cannot be opened (\(message))",
                remedy: "Nothing was changed; check the permissions of the file and its folder, "
                    + "then repeat the command.")
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return CrawlError(
                .database, "The database \(path) is damaged (\(message))",
                remedy: "It is left as it is; restore a copy, or save what can be read with "
                    + "`sqlite3 FILE .recover`, or begin anew with another --db.")
        default:
            return CrawlError(
                .database, "The database \(path) failed (\(message), SQLite code \(extendedCode))",
                remedy: "Everything stored so far is safe; check the disk, then repeat the command to go on.")
        }
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
