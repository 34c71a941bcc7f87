import CrawlCore

/// Reads a database, also while a crawl writes to it: runs, verification, exports.
///
/// Has a connection and a thread of its own, takes no crawl lock and makes nothing. Errors are `CrawlError`s.
package actor StoreReader {
    /// The database file, as it was named.
    package nonisolated let path: String
    private nonisolated let executor: ThreadExecutor
    private var database: Database?

    /// The thread that the database is read on.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(path: String) throws {
        self.path = path
        executor = try ThreadExecutor()
    }

    /// Opens an existing database.
    ///
    /// - Parameter lockTimeout: how long to wait for a program that holds the database for itself.
    /// - Throws: `CrawlError`: exit code 74 where the file is missing (it stays missing), damaged, newer, or not ours
    ///   (it is left as it is), 75 where another program holds it.
    package static func open(path: String, lockTimeout: Duration = .seconds(5)) async throws -> StoreReader {
        let reader = try StoreReader(path: path)
        try await reader.open(lockTimeout: lockTimeout)
        return reader
    }

    private func open(lockTimeout: Duration) throws {
        database = try withCrawlErrors { try Database.openForReading(path: path, lockTimeout: lockTimeout) }
    }

    /// Closes the file; without it, that happens when the reader is no longer used.
    package func close() {
        database = nil
    }

    /// Whether a crawl has the database now.
    package func isCrawlRunning() throws -> Bool {
        try openDatabase().file.isLockedByAnother
    }

    /// Every run with what the ledger says of it, the oldest first.
    package func runs() throws -> [RunSummary] {
        try withCrawlErrors { try Ledger(database: openDatabase()).runs() }
    }

    /// The last run of each source, where it is not complete; the oldest first.
    package func unfinishedRuns() throws -> [RunRecord] {
        try withCrawlErrors { try Runs(database: openDatabase()).unfinished() }
    }

    /// The records stored of each source that ever ran, by name.
    package func storedCounts() throws -> [String: Int] {
        try withCrawlErrors {
            let database = try openDatabase()
            return try database.snapshot {
                let sources = try Ledger(database: database).sources()
                return try Dictionary(
                    uniqueKeysWithValues: sources.map { ($0, try RecordTable.count(of: $0, in: database)) })
            }
        }
    }

    /// Checks the ledger against the tables, and the file itself.
    ///
    /// - Returns: the problems as whole sentences; none where everything is right.
    package func verify() throws -> [String] {
        try withCrawlErrors { try Verification(database: openDatabase()).problems() }
    }

    /// Writes a source's table to a file or descriptor, from one state of the database.
    ///
    /// A file appears whole or not at all. Cancelling the task ends the export.
    ///
    /// - Throws: `CrawlError`: exit code 64 for an unknown source or column, 73 where the file cannot be created, 74
    ///   where writing fails, 141 where the reader of the descriptor has gone; `CancellationError`.
    package func export(_ export: Export, to destination: ExportDestination) throws -> ExportResult {
        try withCrawlErrors {
            try FilesInUse(database: path).check(destination)
            return try Exporter(database: openDatabase()).run(export, to: destination)
        }
    }

    private func openDatabase() throws -> Database {
        guard let database else { throw CrawlError(.failure, "The database \(path) is closed already") }
        return database
    }
}
