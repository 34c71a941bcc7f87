import CrawlCore
import CrawlKit

/// Runs a crawl and hands its events to the reporter, in their order.
struct CrawlRun: Sendable {
    let reporter: ProgressReporter
    let stop: StopSignal

    /// Runs a crawl to its end; a reader of standard output that has gone stops it as a signal would.
    func run(_ crawl: Crawl) async -> CrawlEvent.Summary {
        await telling { await crawl.run(report: $0) }
    }

    /// Runs a load to its end, likewise.
    func run(_ load: BulkLoad) async -> [CrawlEvent.Summary] {
        await telling { await load.run(report: $0) }
    }

    /// Runs a watch to its end, likewise.
    func run(_ watch: Watch, rounds: Int?) async -> [CrawlEvent.Summary] {
        await telling { await watch.run(rounds: rounds, report: $0) }
    }

    private func telling<Result>(
        _ body: (@escaping @Sendable (CrawlEvent) -> Void) async -> Result
    ) async -> Result {
        let (calls, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Not a child task: a signal cancels those, and what happens after it still has to be told.
        let telling = Task {
            for await _ in calls where await reporter.handlePosted() { stop.outputClosed() }
        }
        let result = await stop.whileSaving {
            await body { event in
                if reporter.post(event) { bell.yield() }
            }
        }
        bell.finish()
        await telling.value
        return result
    }
}
