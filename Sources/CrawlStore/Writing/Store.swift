import CrawlCore

/// The database of a crawl: one writing connection on a thread of its own, locked against other crawls.
///
/// All functions suspend until that thread has done the work, after all that was asked before; what they write is
/// durable when they return. Their errors are `CrawlError`s.
package final class Store: Sendable {
    /// The database file, as it was named.
    package let path: String
    let core: StoreCore

    private init(path: String, core: StoreCore) {
        self.path = path
        self.core = core
    }

    /// Opens the database, making it and its folder where they are missing, and takes the crawl lock.
    ///
    /// Runs that are left in the state `running` become `interrupted`.
    ///
    /// - Parameter lockTimeout: how long to wait for another crawl or program that holds the database.
    /// - Throws: `CrawlError`: exit code 73 where nothing can be created, 75 where the database stays held by another,
    ///   74 where it is damaged, newer, or not ours; the file is left as it is then.
    package static func open(path: String, lockTimeout: Duration = .seconds(5)) async throws -> Store {
        let core = try StoreCore(path: path)
        try await core.open(lockTimeout: lockTimeout)
        return Store(path: path, core: core)
    }

    /// Stores what waits, closes the database and lets other crawls have it.
    ///
    /// Without it all this happens when the store and its writers are no longer used.
    package func close() async {
        await core.close()
    }

    // MARK: - Sources

    /// Makes the source's table, or adds the columns that it lacks.
    ///
    /// - Throws: `CrawlError`, exit code 78 where the source's names cannot be used or contradict the table.
    package func prepare(_ source: Source) async throws {
        try await core.prepare(source)
    }

    /// The records of the source that are stored, 0 without a table.
    package func storedCount(of source: String) async throws -> Int {
        try await core.withDatabase { try RecordTable.count(of: source, in: $0) }
    }

    /// Whether records of the source that are stored came from a run against that endpoint.
    package func holdsRecords(of source: String, from endpoint: String) async throws -> Bool {
        try await core.withDatabase { try Runs(database: $0).holdsRecords(of: source, from: endpoint) }
    }

    // MARK: - Runs

    /// The source's last run, where it is not complete.
    package func latestUnfinishedRun(of source: String) async throws -> RunRecord? {
        try await core.withDatabase { try Runs(database: $0).unfinished(source: source).last }
    }

    /// The last run of each source, where it is not complete; the oldest first.
    ///
    /// A run that a later one of the same source has overtaken is not among them: what it wanted is settled.
    package func unfinishedRuns() async throws -> [RunRecord] {
        try await core.withDatabase { try Runs(database: $0).unfinished() }
    }

    /// Enters a new run in the state `running`; `options` is a JSON object, `startedAt` RFC 3339.
    package func beginRun(
        source: String, endpoint: String, target: Int?, options: String, startedAt: String
    ) async throws -> RunRecord {
        try await core.withDatabase {
            try Runs(database: $0).begin(
                source: source, endpoint: endpoint, target: target, options: options, startedAt: startedAt)
        }
    }

    /// Sets a run to `running` again, with what is wanted of it now.
    ///
    /// In a run with pages the option `fresh` stays as it was: what it replaced is history.
    package func reopenRun(_ id: Int64, endpoint: String, target: Int?, options: String) async throws -> RunRecord {
        try await core.withDatabase {
            try Runs(database: $0).reopen(id, endpoint: endpoint, target: target, options: options)
        }
    }

    /// Enters the end of a run; `endedAt` is RFC 3339.
    package func finishRun(_ id: Int64, state: RunState, reason: String?, endedAt: String) async throws {
        try await core.withDatabase {
            try Runs(database: $0).finish(id, state: state, reason: reason, endedAt: endedAt)
        }
    }

    /// Where the run stands after its last durable page.
    package func position(ofRun id: Int64) async throws -> RunPosition {
        try await core.withDatabase { try Runs(database: $0).position(id) }
    }

    // MARK: - Pages

    /// A run's way into the database; makes the source's table ready.
    ///
    /// - Parameters:
    ///   - target: the number of records wanted in the table, beyond which records are surplus; nil for all.
    ///   - replacing: whether the first page of the run deletes all records of the source, in its own transaction.
    ///     A run that has pages already deletes nothing.
    ///   - notesChanges: whether the committed pages tell what they changed.
    ///   - outcome: told on the store's thread what became of the pages; see `RunWriter.Outcome`.
    /// - Throws: `CrawlError`, as `prepare(_:)` does.
    package func writer(
        source: Source, run: Int64, target: Int?, replacing: Bool, notesChanges: Bool = false,
        outcome: @escaping RunWriter.Outcome
    ) async throws -> RunWriter {
        try await prepare(source)
        return RunWriter(
            source: source, run: run, target: target, replacing: replacing, notesChanges: notesChanges,
            core: core, outcome: outcome)
    }

    /// Stores pages of any runs in one transaction: all are durable when this returns, or none.
    ///
    /// Comes after every page submitted so far. The writers' outcomes are not told.
    ///
    /// - Returns: what became of the pages, in their order.
    package func commit(_ submissions: [PageSubmission]) async throws -> [CommittedPage] {
        try await core.commit(submissions)
    }

    // MARK: - Cache

    /// What is known of a source's pages from loads before; nothing where records that they brought are gone, since a
    /// page that has not changed would not bring them back.
    package func cachedPages(of source: String) async throws -> [CachedPage] {
        try await core.withDatabase { database in
            let pages = try PageCache(database: database).pages(of: source)
            guard !pages.isEmpty else { return [] }
            let brought = try Ledger(database: database).recordCount(of: source)
            return try RecordTable.count(of: source, in: database) < brought ? [] : pages
        }
    }

    /// Forgets the pages that a whole load, now complete, did not meet.
    package func forgetCachedPages(of source: String, exceptOfRun run: Int64) async throws {
        try await core.withDatabase { database in
            try database.transaction {
                try PageCache(database: database).forgetOthers(thanOfRun: run, source: source)
                KillPoint.oldPagesForgotten.pass()
            }
        }
    }

    // MARK: - Hosts

    /// Until when each host must not be asked: RFC 3339 by host name.
    package func hostClocks() async throws -> [String: String] {
        try await core.withDatabase { database in
            let rows = try database.rows("SELECT host, not_before FROM crawl_hosts") { row in
                (row.text(0) ?? "", row.text(1) ?? "")
            }
            return Dictionary(rows) { $1 }
        }
    }

    /// Notes until when a host must not be asked, RFC 3339; nil forgets it.
    package func setHostClock(_ host: String, notBefore: String?) async throws {
        try await core.withDatabase { database in
            try database.transaction {
                if let notBefore {
                    try database.run(
                        "INSERT OR REPLACE INTO crawl_hosts (host, not_before) VALUES (?1, ?2)", SQLValue(host),
                        SQLValue(notBefore))
                } else {
                    try database.run("DELETE FROM crawl_hosts WHERE host = ?1", SQLValue(host))
                }
                KillPoint.hostClockStored.pass()
            }
        }
    }
}
