import CrawlCore
import CrawlJSON
import CrawlStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A run that is entered in the ledger and at work: its lanes, its way into the database, its end.
struct RunningCrawl: Sendable {
    let crawler: Crawler
    let beginning: Crawler.Beginning
    let lane: Lane
    let writer: RunWriter
    private let start = ContinuousClock.now

    /// Makes the table ready and reports `started`.
    init(_ crawler: Crawler, _ beginning: Crawler.Beginning) async throws {
        self.crawler = crawler
        self.beginning = beginning
        lane = try Lane(crawler, beginning)
        writer = try await crawler.session.store.writer(
            source: crawler.source, run: beginning.run.id, target: crawler.options.count,
            replacing: beginning.replacing, notesChanges: crawler.options.notesChanges && beginning.stored > 0,
            outcome: lane.committed(source: crawler.source.name, run: beginning.run.id))
        crawler.report(
            .started(
                CrawlEvent.Started(
                    source: crawler.source.name, run: beginning.run.id, endpoint: beginning.access.endpoint.label,
                    target: crawler.options.count, stored: beginning.replacing ? 0 : beginning.stored,
                    resumed: beginning.lastSequence > 0, database: crawler.options.database)))
    }

    /// What a chain left behind.
    struct Result: Sendable {
        var ending: Ending
        /// Where the pages came from in the end.
        var endpoint: Endpoint
    }

    /// Runs the chain, each page durable as soon as it arrived.
    func run() async -> Result {
        var chain = ChainRunner(crawler: crawler, beginning: beginning, lane: lane, sink: writer)
        var ending = await chain.run()
        do {
            try await writer.drain()
            // A request too many that fails, or a signal, while the last page is being stored takes nothing away.
            if hasReachedTarget, !ending.isOurFailure { ending = .chain(.complete) }
        } catch {
            ending = .failed(CrawlError(wrapping: error))
        }
        return Result(ending: ending, endpoint: chain.endpoint)
    }

    /// Whether the target stands that did not stand at the beginning.
    private var hasReachedTarget: Bool {
        guard let target = crawler.options.count, beginning.replacing || beginning.stored < target else { return false }
        return lane.tally.now.stored >= target
    }

    /// Runs the chain with its pages held in memory, to be committed together with those of others.
    func runHolding() async -> (result: Result, pages: [PageSubmission]) {
        let held = HeldPages(lane: lane)
        var chain = ChainRunner(crawler: crawler, beginning: beginning, lane: lane, sink: held)
        let ending = await chain.run()
        let pages = held.all.map { PageSubmission(writer: writer, page: $0) }
        return (Result(ending: ending, endpoint: chain.endpoint), pages)
    }

    /// Enters the end of the run in the ledger and reports it.
    func conclude(_ result: Result) async -> CrawlEvent.Summary {
        let figures = lane.tally.now
        let options = crawler.options
        var end = result.ending.conclusion(
            source: crawler.source.name, target: options.count, figures: figures, maxWait: options.maxWait)
        if end.error == nil, let rejection = figures.firstRejection {
            let rejected = figures.counts.rejected
            crawler.report(
                .notice(
                    CrawlEvent.Notice(
                        source: crawler.source.name,
                        message: """
                            \(rejected) of \(figures.counts.received) records \(rejected == 1 ? "was" : "were") rejected \
                            and stand in the table crawl_rejects; the first: \(rejection)
                            """)))
        }
        do {
            if end.outcome == .complete, beginning.knownPages != nil {
                try await crawler.session.store.forgetCachedPages(
                    of: crawler.source.name, exceptOfRun: beginning.run.id)
            }
            try await crawler.session.store.finishRun(
                beginning.run.id, state: end.state, reason: end.reason, endedAt: Timestamp.text(Date()))
        } catch {
            end.outcome = .failed
            end.error = end.error ?? CrawlError(wrapping: error)
        }
        let isStandIn = result.endpoint.kind == .standIn
        let isMadeUp = if isStandIn { true } else { await crawler.holdsMadeUpRecords }
        let summary = CrawlEvent.Summary(
            source: crawler.source.name, run: beginning.run.id, outcome: end.outcome, target: options.count,
            stored: figures.stored, counts: figures.counts, requests: figures.requests, retries: figures.retries,
            bytes: figures.bytes, seconds: start.duration(to: .now).seconds, database: options.database,
            isMadeUp: isMadeUp, error: end.error)
        crawler.report(.finished(summary))
        return summary
    }
}
