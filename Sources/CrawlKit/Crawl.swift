import CrawlCore

/// A crawl of one source: begins, or goes on with what an earlier one left, until the wanted records are stored.
///
/// ```swift
/// let summary = try await Crawl(.users, options: CrawlOptions(count: 50)).complete()
/// ```
///
/// `complete(report:)` throws what went wrong, `run(report:)` returns it in the summary, `events` is the crawl as a
/// sequence. Cancelling the task stops it politely: what is fetched is stored, and the same crawl goes on later. A
/// database takes one crawl at a time; `BulkLoad` loads several sources together.
public struct Crawl: Sendable {
    /// The source to crawl.
    public var source: Source
    /// How to crawl it.
    public var options: CrawlOptions

    /// Prepares a crawl; nothing is opened or asked yet.
    public init(_ source: Source, options: CrawlOptions = CrawlOptions()) {
        self.source = source
        self.options = options
    }

    /// Crawls to the end.
    ///
    /// Never throws: what went wrong stands in the summary's `error`. When it returns, every page that was reported is
    /// durable and the database is closed.
    ///
    /// - Parameter report: Called with each event, from several threads, in the order of the events; must not block.
    ///   The last one is `finished`.
    /// - Returns: The summary that `finished` reported.
    @discardableResult
    public func run(report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }) async -> CrawlEvent.Summary {
        let session: CrawlSession
        do {
            try options.validate(for: [source])
            session = try await CrawlSession.open(options)
        } catch {
            let summary = CrawlEvent.Summary(
                source: source.name, run: nil, outcome: .failed, target: options.count, stored: 0,
                database: options.database, error: CrawlError(wrapping: error))
            report(.finished(summary))
            return summary
        }
        let summary = await Crawler(session: session, source: source, options: options, report: report).run()
        await session.close()
        return summary
    }

    /// Crawls to the end, and throws where that was not reached.
    ///
    /// What was fetched before an error is stored all the same, and the same crawl goes on from there.
    ///
    /// - Parameter report: As with `run(report:)`.
    /// - Returns: The summary that `finished` reported.
    /// - Throws: `CrawlError` for what stopped the crawl; `CancellationError` where its task was cancelled.
    @discardableResult
    public func complete(
        report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }
    ) async throws -> CrawlEvent.Summary {
        try await run(report: report).completed()
    }

    /// The events of the crawl, which runs while they are read; the last one is `finished`.
    ///
    /// A task that stops reading, or is cancelled, stops the crawl. Each reading is a crawl of its own.
    public var events: AsyncStream<CrawlEvent> {
        eventStream { report in await run(report: report) }
    }
}
