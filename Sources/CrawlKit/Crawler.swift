import CrawlCore
import CrawlHTTP
import CrawlJSON
import CrawlStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Crawls one source into the session's database: begins or goes on, runs the chain, enters the end.
struct Crawler: Sendable {
    let session: CrawlSession
    let source: Source
    let options: CrawlOptions
    let report: @Sendable (CrawlEvent) -> Void

    /// What is known before the first request.
    struct Beginning: Sendable {
        var run: RunRecord
        var endpoint: Endpoint
        var stored: Int
        var state: PagerState?
        /// The number of the run's last page, 0 without pages.
        var lastSequence: Int
        var replacing: Bool
        /// Whether the stand-in may take over where the endpoint is out of reach.
        var isOnTrial: Bool
    }

    /// Crawls to the end; never throws, what went wrong stands in the summary. Reports `started` to `finished`.
    func run() async -> CrawlEvent.Summary {
        let clock = ContinuousClock()
        let start = clock.now
        var summary: CrawlEvent.Summary
        do {
            switch try await begin() {
            case .nothingToDo(let stored):
                summary = CrawlEvent.Summary(
                    source: source.name, run: nil, outcome: .nothingToDo, target: options.count, stored: stored,
                    database: options.database)
            case .crawl(let beginning):
                summary = try await crawl(beginning)
            }
        } catch {
            let stored = (try? await session.store.storedCount(of: source.name)) ?? 0
            summary = CrawlEvent.Summary(
                source: source.name, run: nil, outcome: .failed, target: options.count, stored: stored,
                database: options.database, error: CrawlError(wrapping: error))
        }
        summary.seconds = start.duration(to: clock.now).seconds
        report(.finished(summary))
        return summary
    }

    /// Runs the chain of a run that is entered, and enters its end.
    private func crawl(_ beginning: Beginning) async throws -> CrawlEvent.Summary {
        let lane = try Lane(self, beginning)
        let writer = try await session.store.writer(
            source: source, run: beginning.run.id, target: options.count, replacing: beginning.replacing,
            outcome: lane.committed(source: source.name, run: beginning.run.id))
        report(
            .started(
                CrawlEvent.Started(
                    source: source.name, run: beginning.run.id, endpoint: beginning.endpoint.label,
                    target: options.count, stored: beginning.replacing ? 0 : beginning.stored,
                    resumed: beginning.lastSequence > 0, database: options.database)))

        var chain = ChainRunner(crawler: self, beginning: beginning, lane: lane, writer: writer)
        var ending = await chain.run()
        do {
            try await writer.drain()
        } catch {
            ending = .failed(CrawlError(wrapping: error))
        }
        let figures = lane.tally.now
        let end = ending.conclusion(source: source.name, target: options.count, stored: figures.stored, maxWait: options.maxWait)
        try await session.store.finishRun(
            beginning.run.id, state: end.state, reason: end.reason, endedAt: Timestamp.text(Date()))
        return CrawlEvent.Summary(
            source: source.name, run: beginning.run.id, outcome: end.outcome, target: options.count,
            stored: figures.stored, counts: figures.counts, requests: figures.requests, retries: figures.retries,
            bytes: figures.bytes, database: options.database, isMadeUp: chain.endpoint.kind == .standIn,
            error: end.error)
    }
}

extension CrawlError {
    /// The error itself, or one that quotes an error of another kind.
    init(wrapping error: any Error) {
        self = error as? CrawlError ?? CrawlError(.failure, "An unexpected error: \(error)")
    }
}
