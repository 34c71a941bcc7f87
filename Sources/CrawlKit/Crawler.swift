import CrawlCore

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

    /// Crawls to the end and reports `started` to `finished`.
    ///
    /// Never throws: what went wrong stands in the summary.
    func run() async -> CrawlEvent.Summary {
        do {
            switch try await begin() {
            case .nothingToDo(let stored): return await finishedWithoutRun(.nothingToDo, stored: stored)
            case .stillFresh(let stored, let until): return await finishedFresh(stored: stored, until: until)
            case .crawl(let beginning):
                let running = try await RunningCrawl(self, beginning)
                return await running.conclude(await running.run())
            }
        } catch {
            let stored = (try? await session.store.storedCount(of: source.name)) ?? 0
            return await finishedWithoutRun(.failed, stored: stored, error: CrawlError(wrapping: error))
        }
    }

    /// Whether records of the source that are stored were made up by the stand-in.
    var holdsMadeUpRecords: Bool {
        get async {
            (try? await session.store.holdsRecords(of: source.name, from: Endpoint.standInLabel)) ?? false
        }
    }

    /// Reports that the server promised no change before a time, so that nothing was asked.
    func finishedFresh(stored: Int, until: Date) async -> CrawlEvent.Summary {
        report(
            .notice(
                CrawlEvent.Notice(
                    source: source.name,
                    message: """
                        The server promised that \(source.name) stay as they are until \(Timestamp.text(until)); \
                        nothing was asked. --refresh asks all the same.
                        """)))
        return await finishedWithoutRun(.nothingToDo, stored: stored)
    }

    /// Reports the end of a crawl that entered no run, and returns its summary.
    func finishedWithoutRun(
        _ outcome: CrawlEvent.Summary.Outcome, stored: Int, error: CrawlError? = nil
    ) async -> CrawlEvent.Summary {
        let summary = CrawlEvent.Summary(
            source: source.name, run: nil, outcome: outcome, target: options.count, stored: stored,
            database: options.database, isMadeUp: await holdsMadeUpRecords, error: error)
        report(.finished(summary))
        return summary
    }
}

extension CrawlError {
    /// The error itself, or one that quotes an error of another kind.
    init(wrapping error: any Error) {
        self = error as? CrawlError ?? CrawlError(.failure, "An unexpected error: \(error)")
    }
}
