import CrawlCore
import CrawlKit

/// Runs a crawl and hands its events to the reporter, in their order.
struct CrawlRun: Sendable {
    let reporter: ProgressReporter
    let stop: StopSignal

    /// Runs to the end; a reader of standard output that has gone stops the crawl as a signal would.
    func run(_ crawl: Crawl) async -> CrawlEvent.Summary {
        let (events, continuation) = AsyncStream.makeStream(of: CrawlEvent.self)
        // Not a child task: a signal cancels those, and what happens after it still has to be told.
        let telling = Task {
            for await event in events {
                await reporter.handle(event)
                if await reporter.isOutputClosed { stop.outputClosed() }
            }
        }
        let summary = await crawl.run { continuation.yield($0) }
        continuation.finish()
        await telling.value
        return summary
    }
}
