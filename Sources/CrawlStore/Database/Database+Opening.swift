import CSQLite
import CrawlCore
import Glibc

extension Database {
    /// Opens the database of a crawl: made where it is missing, brought up to date, and locked against other crawls.
    ///
    /// Blocks for up to `lockTimeout` while another crawl has the database, and again for each lock that another
    /// program holds on it.
    ///
    /// - Throws: `CrawlError` or `StoreError`; a file that is not ours is left as it is.
    static func openForCrawl(path: String, lockTimeout: Duration) throws -> Database {
        let file = try lockedFile(path: path, lockTimeout: lockTimeout)
        let database = try Database(file)
        try database.configure(busyTimeout: lockTimeout)
        try database.claim()
        KillPoint.markSet.pass()
        try database.execute("PRAGMA synchronous = FULL")
        guard try database.rows("PRAGMA journal_mode = WAL", row: { $0.text(0) }) == ["wal"] else {
            throw CrawlError(
                .database, "The database \(path) lies on a file system that cannot do write-ahead logging",
                remedy: "Choose a place on a local disk with --db.")
        }
        KillPoint.logTurnedOn.pass()
        try database.execute("PRAGMA wal_autocheckpoint = 4000")
        try Migrations.run(on: database)
        if let difference = try SchemaCheck(database: database).ledgerDifferences().first {
            throw CrawlError.changedTables(path, difference)
        }
        return database
    }

    func configure(busyTimeout: Duration) throws {
        let milliseconds =
            busyTimeout.components.seconds * 1000 + busyTimeout.components.attoseconds / 1_000_000_000_000_000
        sqlite3_busy_timeout(connection.handle, Int32(clamping: milliseconds))
        try execute("PRAGMA cache_size = -8192")
    }

    /// Makes sure that the database is ours, or makes it ours where it is nobody's.
    ///
    /// The mark is set before the write-ahead log is turned on: a database without a mark but with a log is therefore
    /// never one of ours.
    private func claim() throws {
        // Until it is known whose the database is, closing must not carry its log over into it.
        crawl_sqlite_configure(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if try isUnclaimed() { try execute("PRAGMA application_id = \(DatabaseHeader.applicationID)") }
        try checkOwner()
        crawl_sqlite_configure(connection.handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    }

    func isUnclaimed() throws -> Bool {
        try integer("PRAGMA application_id") == 0 && integer("SELECT count(*) FROM sqlite_schema") == 0
    }

    func checkOwner() throws {
        let mark = UInt32(truncatingIfNeeded: try integer("PRAGMA application_id") ?? 0)
        guard mark == DatabaseHeader.applicationID else {
            if case .ours = try Self.header(of: file) { throw Self.foreignLog(path) }
            throw Self.foreign(path, applicationID: mark)
        }
        let version = try integer("PRAGMA user_version") ?? 0
        guard version <= Migrations.all.count else { throw Self.newer(path, version: Int(version)) }
    }
}

// MARK: - The file before SQLite opens it

extension Database {
    private static func lockedFile(path: String, lockTimeout: Duration) throws -> DatabaseFile {
        if FileSystem.kind(of: path) == nil {
            do {
                try FileSystem.makeFolder(FileSystem.folder(of: path))
            } catch let error as SystemError {
                throw CrawlError(
                    .cannotCreate, "The folder of the database \(path) cannot be made (\(error.description))",
                    remedy: "Choose another place with --db.")
            }
        }
        KillPoint.folderMade.pass()
        let deadline = ContinuousClock.now + lockTimeout
        var file = try openFile(path: path, flags: O_RDWR | O_CREAT)
        KillPoint.fileOpened.pass()
        _ = try header(of: file)
        while true {
            if file.takeLock() {
                // While this waited, the file may have been replaced by another one, or removed.
                if file.isInPlace { break }
                file = try openFile(path: path, flags: O_RDWR | O_CREAT)
                continue
            }
            if ContinuousClock.now >= deadline { throw heldByCrawl(file) }
            usleep(20_000)
        }
        KillPoint.lockTaken.pass()
        _ = try header(of: file)
        return file
    }

    static func openFile(path: String, flags: Int32) throws -> DatabaseFile {
        let kind = FileSystem.kind(of: path)
        guard kind == nil || kind == S_IFREG else {
            throw CrawlError(
                .database, "\(path) is \(kind == S_IFDIR ? "a folder" : "no ordinary file"), not a database",
                remedy: "Choose a file with --db.")
        }
        do {
            return try DatabaseFile(path: path, flags: flags)
        } catch let error as SystemError where [EMFILE, ENFILE].contains(error.number) {
            throw CrawlError.tooManyOpenFiles(path, error.description)
        } catch let error as SystemError where kind == nil {
            throw CrawlError(
                .cannotCreate, "The database \(path) cannot be created (\(error.description))",
                remedy: [ENOSPC, EDQUOT].contains(error.number)
                    ? "Free some space, or choose another place with --db." : "Choose another place with --db.")
        } catch let error as SystemError {
            throw CrawlError(
                .database, "The database \(path) cannot be opened (\(error.description))",
                remedy: "Nothing was changed; check the permissions of the file and its folder, "
                    + "or choose another with --db.")
        }
    }

    /// Reads the header and refuses a file that is not ours.
    static func header(of file: DatabaseFile) throws -> DatabaseHeader {
        let bytes: [UInt8]
        do {
            bytes = try file.beginning(DatabaseHeader.byteCount)
        } catch let error as SystemError {
            throw CrawlError(
                .database, "The database \(file.path) cannot be read (\(error.description))",
                remedy: "Check the disk, or choose another file with --db.")
        }
        let header = DatabaseHeader(bytes)
        switch header {
        case .ours(let version) where version > Migrations.all.count:
            throw newer(file.path, version: Int(version))
        case .unclaimed where FileSystem.size(of: file.path + "-wal") > 0:
            // The tables of another program are still in its log.
            throw foreign(file.path, applicationID: 0)
        case .empty, .unclaimed, .ours:
            return header
        case .notSQLite where RollbackJournal.undoesEverything(in: file.path):
            return .empty
        case .foreign(let applicationID):
            throw foreign(file.path, applicationID: applicationID)
        case .notSQLite:
            throw CrawlError(
                .database, "\(file.path) is not a SQLite database",
                remedy: "It is left as it is; choose another file with --db.")
        }
    }
}

// MARK: - Refusals

extension Database {
    static func nothingStored(_ path: String) -> CrawlError {
        CrawlError(
            .database, "There is no database \(path) yet",
            remedy: "Fill one with `crawl --count 50`, or name another with --db.")
    }

    private static func foreign(_ path: String, applicationID: UInt32) -> CrawlError {
        let mark = applicationID == 0 ? "" : " (application_id \(applicationID))"
        return CrawlError(
            .database, "\(path) is the database of another program\(mark)",
            remedy: "It is left as it is; choose another file with --db.")
    }

    private static func foreignLog(_ path: String) -> CrawlError {
        CrawlError(
            .database, "The write-ahead log \(path)-wal beside the database belongs to another database",
            remedy: "Both are left as they are; move \(path)-wal away, then repeat the command, "
                + "or choose another file with --db.")
    }

    private static func newer(_ path: String, version: Int) -> CrawlError {
        CrawlError(
            .database,
            "The database \(path) was made by a newer version of crawl "
                + "(format \(version); this version knows up to \(Migrations.all.count))",
            remedy: "It is left as it is; update crawl, or choose another file with --db.")
    }

    private static func heldByCrawl(_ file: DatabaseFile) -> CrawlError {
        let holder = file.lockHolder.map { " (process \($0))" } ?? ""
        return CrawlError(
            .tryLater, "Another crawl\(holder) is writing to the database \(file.path)",
            remedy: "Wait until it has ended or stop it, then repeat the command; or choose another file with --db.")
    }
}
