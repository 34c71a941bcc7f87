import CrawlCore

/// A run's way into the database: takes pages, makes them durable in the order in which they came.
package final class RunWriter: Sendable {
    /// What became of pages of this run, called on the store's thread after each transaction that held some.
    ///
    /// With the pages once they are durable, or once with the error after which no page of this run is taken any more.
    /// Must not block.
    package typealias Outcome = @Sendable (Result<[CommittedPage], CrawlError>) -> Void

    /// The source whose table takes the records.
    package let source: Source
    /// The run's number.
    package let run: Int64
    /// The number of records wanted, nil for the whole source.
    package let target: Int?
    /// Whether the run's first page replaces all records of the source.
    package let replacing: Bool

    /// Whether the committed pages tell what they changed.
    package let notesChanges: Bool

    let outcome: Outcome
    private let core: StoreCore
    private let failed = Locked<CrawlError?>(nil)

    init(
        source: Source, run: Int64, target: Int?, replacing: Bool, notesChanges: Bool, core: StoreCore,
        outcome: @escaping Outcome
    ) {
        self.source = source
        self.run = run
        self.target = target
        self.replacing = replacing
        self.notesChanges = notesChanges
        self.core = core
        self.outcome = outcome
    }

    /// Hands over a page; suspends while sixteen pages of the run wait for the disk.
    ///
    /// The page is not durable yet when this returns; `outcome` reports that. Cancelling the task does not withdraw
    /// the page: what is fetched gets stored.
    ///
    /// - Throws: `CrawlError` with the failure of an earlier page, or when the store is closed.
    package func submit(_ page: FetchedPage) async throws {
        let submission = PageSubmission(writer: self, page: page)
        if try core.queue.addIfRoom(submission, core: core) { return }
        try await withCheckedThrowingContinuation { continuation in
            core.queue.add(submission, continuation, core: core)
        }
    }

    /// Waits until every page that was submitted so far is durable and reported.
    ///
    /// - Throws: `CrawlError` with the failure of any of them.
    package func drain() async throws {
        await core.commitWaiting()
        if let failure { throw failure }
    }

    /// Why the run takes no more pages, nil while it does.
    var failure: CrawlError? {
        failed.withLock { $0 }
    }

    func fail(with error: CrawlError) {
        failed.withLock { $0 = $0 ?? error }
    }
}
