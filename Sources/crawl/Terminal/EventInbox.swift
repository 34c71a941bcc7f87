import CrawlCore

/// The events on their way to the reporter, in their order, each with the time at which it happened.
///
/// A fast crawl has thousands of pages a second; waking the reporter for each would cost more than the page itself.
final class EventInbox: Sendable {
    /// The most events that wait without the reporter being told.
    private static let capacity = 256

    private let waiting = Locked<[(event: CrawlEvent, time: Double)]>([])

    /// Adds an event; true where so many wait that the reporter should take them.
    func add(_ event: CrawlEvent, at time: Double) -> Bool {
        waiting.withLock { waiting in
            waiting.append((event, time))
            return waiting.count >= Self.capacity
        }
    }

    /// Takes all that wait.
    func takeAll() -> [(event: CrawlEvent, time: Double)] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}
