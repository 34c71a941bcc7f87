import CrawlCore

/// A crawl of one source: begins, or goes on with what an earlier one left, until the wanted records are stored.
///
/// Run it with `run(report:)` and a closure for the events, or follow `events`. Cancelling the task stops it politely:
/// what is fetched is stored, and the same crawl goes on later.
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

    /// The events of the crawl, which runs while they are read; the last one is `finished`.
    ///
    /// A task that stops reading, or is cancelled, stops the crawl.
    public var events: AsyncStream<CrawlEvent> {
        AsyncStream { continuation in
            let task = Task {
                await run { continuation.yield($0) }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
