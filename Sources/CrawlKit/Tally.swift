import CrawlCore

/// The figures of a crawl under way, added up by the lanes and the writer's thread.
final class Tally: Sendable {
    /// The figures at one moment.
    struct Figures: Sendable {
        var counts = PageCounts()
        var stored: Int
        var requests = 0
        var retries = 0
        var bytes = 0
        /// Why the first record was rejected, nil where none was.
        var firstRejection: String?
    }

    private let figures: Locked<Figures>

    init(stored: Int) {
        figures = Locked(Figures(stored: stored))
    }

    var now: Figures { figures.withLock { $0 } }

    func countRequest(isRetry: Bool) {
        figures.withLock {
            $0.requests += 1
            if isRetry { $0.retries += 1 }
        }
    }

    func note(rejection: String) {
        figures.withLock { $0.firstRejection = $0.firstRejection ?? rejection }
    }

    func add(_ counts: PageCounts, bytes: Int, stored: Int) {
        figures.withLock {
            $0.counts += counts
            $0.bytes += bytes
            $0.stored = stored
        }
    }
}
