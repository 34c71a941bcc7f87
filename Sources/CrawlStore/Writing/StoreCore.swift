import CrawlCore

/// The single writing connection and the thread that it lives on.
actor StoreCore {
    nonisolated let queue = PageQueue()
    private nonisolated let executor: ThreadExecutor
    private let path: String
    private var writer: PageWriter?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(path: String) throws {
        self.path = path
        executor = try ThreadExecutor()
    }

    /// Opens the database and takes the crawl lock.
    func open(lockTimeout: Duration) throws {
        try withCrawlErrors {
            let database = try Database.openForCrawl(path: path, lockTimeout: lockTimeout)
            try Runs(database: database).markAbandoned()
            writer = PageWriter(database: database)
        }
    }

    /// Makes durable what waits, closes the database and releases the crawl lock.
    func close() {
        commitWaiting()
        queue.close(with: closedError)
        KillPoint.closing.pass()
        writer = nil
        KillPoint.closed.pass()
    }

    /// Reads or writes single rows.
    func withDatabase<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) throws -> Value {
        try withCrawlErrors { try body(openWriter().database) }
    }

    /// Makes the source's table ready and keeps its statements.
    func prepare(_ source: Source) throws {
        try withCrawlErrors { _ = try openWriter().prepare(source) }
    }

    /// Stores all pages in one transaction.
    func commit(_ submissions: [PageSubmission]) throws -> [CommittedPage] {
        // What was submitted before comes first.
        commitWaiting()
        if let failure = submissions.lazy.compactMap(\.writer.failure).first { throw failure }
        return try withCrawlErrors { try openWriter().commit(submissions) }
    }

    /// Has the thread call `commitWaiting()` soon.
    nonisolated func scheduleCommit() {
        executor.enqueue { self.assumeIsolated { $0.commitWaiting() } }
    }

    /// Stores all pages that wait in one transaction and reports to their runs.
    func commitWaiting() {
        let submissions = queue.takeAll(core: self)
        guard !submissions.isEmpty else { return }
        var writers: [RunWriter] = []
        for submission in submissions where !writers.contains(where: { $0 === submission.writer }) {
            writers.append(submission.writer)
        }
        do {
            let pages = try withCrawlErrors { try openWriter().commit(submissions) }
            for writer in writers {
                let own = zip(submissions, pages).filter { $0.0.writer === writer }
                writer.outcome(.success(own.map(\.1)))
            }
        } catch {
            let error = error as? CrawlError ?? CrawlError(.failure, "The pages cannot be stored (\(error))")
            queue.fail(writers, with: error)
            for writer in writers { writer.outcome(.failure(error)) }
        }
    }

    private func openWriter() throws -> PageWriter {
        guard let writer else { throw closedError }
        return writer
    }

    private nonisolated var closedError: CrawlError {
        CrawlError(.failure, "The database \(path) is closed already", remedy: "Repeat the command to go on.")
    }
}
