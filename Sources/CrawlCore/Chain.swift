/// Decides what a crawl does next: how many records to ask for, when to wait, when it is over.
///
/// The tutorial's chain as a pure value: each page that becomes durable leads to the next request until the target
/// stands. It never asks for more than is missing, so that the last page seldom brings surplus records; where pages
/// bring duplicates it asks for more, in proportion.
package struct Chain: Sendable {
    /// What to do next.
    package enum Step: Sendable, Equatable {
        /// Make this request.
        case request(PageRequest)
        /// Wait until a page arrives or becomes durable.
        case wait
        /// Stop.
        case end(Ending)
    }

    /// Why a chain is over.
    package enum Ending: Sendable, Equatable {
        /// The target stands, or the source that ends is loaded whole.
        case complete
        /// The source has ended before the target was reached.
        case exhausted
        /// The random source brings nothing new any more: pages and records in a row without anything new.
        case stalled(pages: Int, records: Int, rejected: Int)
    }

    package let target: Int?
    /// The requests that may be under way at once.
    package var lanes: Int {
        didSet { lanes = pager.allowsLanes ? max(1, lanes) : 1 }
    }
    package private(set) var stored: Int
    package private(set) var pager: Pager
    /// Requests that were handed out and have not arrived, by their number, with the new records expected of each.
    private var inFlight: [Int: Double] = [:]
    /// Pages that arrived and are not durable yet, likewise.
    private var arrived: [Int: Double] = [:]
    private let pageSize: Int
    private let largestSize: Int
    private var freshness = Freshness()

    /// Creates a chain in front of its first request.
    ///
    /// - Parameters:
    ///   - target: The number of distinct records wanted, nil for the whole source.
    ///   - stored: The records that are durable already.
    ///   - pageSize: The records that a page asks for normally.
    ///   - largestSize: The records that a page may ask for once most of them are duplicates.
    package init(target: Int?, stored: Int, pager: Pager, pageSize: Int, largestSize: Int, lanes: Int) {
        self.target = target
        self.stored = stored
        self.pager = pager
        self.pageSize = pageSize
        self.largestSize = max(pageSize, largestSize)
        self.lanes = pager.allowsLanes ? max(1, lanes) : 1
    }

    /// The next step; call again after each `.request` until it says something else.
    package mutating func next() -> Step {
        if let target, stored >= target { return .end(.complete) }
        if let ending = freshness.ending(stored: stored), pager.allowsAnySize { return .end(ending) }
        guard inFlight.count < lanes else { return .wait }
        var size = pageSize
        if let target {
            let expected = inFlight.values.reduce(0, +) + arrived.values.reduce(0, +)
            let missing = Double(target - stored) - expected
            // Rounding must not ask for a record that is on its way.
            guard missing > 0.001 else { return .wait }
            let wanted = (missing / freshness.share).rounded(.up)
            size = Int(min(wanted, Double(freshness.share < 0.5 ? largestSize : pageSize)))
        }
        guard let request = pager.next(size: size) else {
            guard inFlight.isEmpty, arrived.isEmpty, pager.isExhausted else { return .wait }
            return .end(target == nil ? .complete : .exhausted)
        }
        inFlight[request.sequence] = Double(request.size) * freshness.share
        return .request(request)
    }

    /// Takes a page that arrived and is on its way into the database.
    ///
    /// - Throws: `PaginationFault` where the source leads in a circle or nowhere; the page counts as arrived all the same.
    package mutating func received(_ request: PageRequest, _ facts: PageFacts) throws(PaginationFault) {
        if let expected = inFlight.removeValue(forKey: request.sequence) {
            arrived[request.sequence] = min(expected, Double(facts.received))
        }
        try pager.received(request, facts)
    }

    /// Takes a page that is durable.
    package mutating func committed(sequence: Int, counts: PageCounts, stored: Int) {
        arrived[sequence] = nil
        self.stored = stored
        freshness.add(counts)
    }

    /// Takes a request that failed as one for a page that does not exist; false where that cannot be.
    package mutating func missing(_ request: PageRequest, _ absence: Pager.Absence) -> Bool {
        guard pager.missing(request, absence) else { return false }
        abandon(request)
        return true
    }

    /// Takes back a request that brought nothing and will be asked for again in another form.
    package mutating func abandon(_ request: PageRequest) {
        inFlight[request.sequence] = nil
    }
}
