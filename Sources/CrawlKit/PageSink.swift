import CrawlCore
import CrawlStore

/// Where a chain hands its pages, in the order of their arrival.
protocol PageSink: Sendable {
    /// Takes a page; suspends while there are too many.
    func submit(_ page: FetchedPage) async throws
    /// Whether pages stay in memory until those of others are there as well.
    var holdsPages: Bool { get }
}

extension RunWriter: PageSink {
    var holdsPages: Bool { false }
}

/// Keeps the pages of one run until those of others are there as well.
final class HeldPages: PageSink {
    private let pages = Locked<[FetchedPage]>([])
    private let lane: Lane

    init(lane: Lane) {
        self.lane = lane
    }

    var holdsPages: Bool { true }

    /// The pages in the order of their arrival.
    var all: [FetchedPage] { pages.withLock { $0 } }

    func submit(_ page: FetchedPage) async {
        pages.withLock { $0.append(page) }
        lane.held(page)
    }
}
