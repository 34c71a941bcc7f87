import CSQLite
import CrawlCore
import Glibc

extension Database {
    /// Opens an existing database to read from it; makes nothing and takes no crawl lock.
    ///
    /// An older database is brought up to date first, for which it must not be in use by a crawl. On a disk without any
    /// space the database is locked against everybody else while it is open.
    ///
    /// - Throws: `CrawlError` or `StoreError`; a missing file stays missing, one that is not ours is left as it is.
    static func openForReading(path: String, lockTimeout: Duration) throws -> Database {
        guard FileSystem.kind(of: path) != nil else { throw nothingStored(path) }
        let file = try openFile(path: path, flags: O_RDONLY)
        if try header(of: file) == .empty || header(of: file) == .unclaimed { throw nothingStored(path) }
        let database: Database
        var wantOfSpace: StoreError?
        do {
            (database, wantOfSpace) = try openSharedOrAlone(file, lockTimeout: lockTimeout)
        } catch let error as StoreError
            where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code) && !hasPendingLog(path)
        {
            // In a folder that cannot be written SQLite finds no place for the files of the write-ahead log. Where
            // none is pending, the file alone is the whole database.
            database = try Database(file, immutable: true)
            try database.configure(busyTimeout: lockTimeout)
            try database.checkOwner()
        } catch let error as StoreError
            where [SQLITE_CANTOPEN, SQLITE_READONLY].contains(error.code)
            && ![EMFILE, ENFILE].contains(error.systemError)
        {
            throw CrawlError(
                .database,
                "The database \(path) cannot be read where it lies: a part of it is still in \(path)-wal, "
                    + "and its folder cannot be written (\(error.message))",
                remedy: "Make the folder writable, or copy both files to one that is and name the copy with --db.")
        }
        let version = try database.integer("PRAGMA user_version") ?? 0
        if version == 0 { throw nothingStored(path) }
        if version < Migrations.all.count {
            // It would need space, and could not even get at the database.
            if let wantOfSpace { throw wantOfSpace }
            try Migrations.run(on: openForCrawl(path: path, lockTimeout: lockTimeout))
        }
        try database.execute("PRAGMA query_only = ON")
        return database
    }

    /// Opens it beside all others, or alone where the disk is too full for that; returns what SQLite said then.
    private static func openSharedOrAlone(
        _ file: DatabaseFile, lockTimeout: Duration
    ) throws -> (Database, wantOfSpace: StoreError?) {
        let deadline = ContinuousClock.now + lockTimeout
        while true {
            do {
                return (try openShared(file, lockTimeout: lockTimeout), nil)
            } catch let wantOfSpace as StoreError
                where wantOfSpace.isForWantOfSpace
                && (wantOfSpace.code != SQLITE_CANTOPEN || hasPendingLog(file.path))
            {
                do {
                    return (try openAlone(file), wantOfSpace)
                } catch let busy as StoreError where busy.code == SQLITE_BUSY && ContinuousClock.now < deadline {
                    // Another one reads, or tries to: two that try let go and begin anew, one a little earlier than
                    // the other. Perhaps there is space by then.
                    usleep(.random(in: 2_000...30_000))
                }
            }
        }
    }

    /// Opens it beside all others that read and write.
    private static func openShared(_ file: DatabaseFile, lockTimeout: Duration) throws -> Database {
        let database = try Database(file)
        try database.configure(busyTimeout: lockTimeout)
        // Until it is known whose the log is, closing must not carry it over into the database.
        crawl_sqlite_configure(database.connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        // The header may be that of a first transaction that never ended, which SQLite has undone by now.
        if try database.isUnclaimed() { throw nothingStored(file.path) }
        try database.checkOwner()
        crawl_sqlite_configure(database.connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
        return database
    }

    /// Opens it where the disk has no room for the index of the write-ahead log, which SQLite then keeps in memory.
    ///
    /// For that nobody else may have the database open; who comes meanwhile waits for it. Nothing is written, and the
    /// log stays as it is. https://www.sqlite.org/wal.html#noshm
    private static func openAlone(_ file: DatabaseFile) throws -> Database {
        let database = try Database(file)
        crawl_sqlite_configure(database.connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        let isLogPending = hasPendingLog(file.path)
        // First of all, for the first reading decides where the index is, and other settings read.
        try database.execute("PRAGMA locking_mode = EXCLUSIVE")
        // Whoever waited here for another one who tries the same would wait in vain.
        try database.configure(busyTimeout: .zero)
        if try database.isUnclaimed() { throw nothingStored(file.path) }
        try database.checkOwner()
        // What is left of the try to make an index on the disk. It is nobody's: whoever had the index open would have
        // the database open as well.
        let index = file.path + "-shm"
        if FileSystem.size(of: index) < Self.smallestIndex { unlink(index) }
        // An empty log may go.
        if !isLogPending { crawl_sqlite_configure(database.connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }
        return database
    }

    /// The bytes of a whole index of the write-ahead log. https://www.sqlite.org/walformat.html#the_wal_index_file_format
    private static let smallestIndex = 32_768

    private static func hasPendingLog(_ path: String) -> Bool {
        FileSystem.size(of: path + "-wal") > 0
    }
}
