/// How much of what a random endpoint sends is new, and when to stop hoping.
package struct Freshness: Sendable {
    /// Pages in a row without anything new before a stall is considered.
    package static let patience = 20
    /// Pages in a row without anything new after which a chain stops in any case.
    package static let longestPatience = 1_000

    private var recentNew = 0.0
    private var recentReceived = 0.0
    private var stalePages = 0
    private var staleRecords = 0
    private var staleRejected = 0

    package init() {}

    /// The share of recent records that were new, from 0.01 to 1; 1 before the first page.
    package var share: Double {
        guard recentReceived > 0 else { return 1 }
        // A weight of one record on the side of hope keeps single small pages from swinging the estimate.
        return max(0.01, min(1, (recentNew + 1) / (recentReceived + 1)))
    }

    package mutating func add(_ counts: PageCounts) {
        recentNew = recentNew * 0.9 + Double(counts.new)
        recentReceived = recentReceived * 0.9 + Double(counts.received - counts.surplus)
        if counts.new > 0 {
            (stalePages, staleRecords, staleRejected) = (0, 0, 0)
        } else {
            stalePages += 1
            staleRecords += counts.received
            staleRejected += counts.rejected
        }
    }

    /// The stall, if there is one.
    ///
    /// Were the endpoint to hold one more record than the `stored` ones, each draw would miss it with a probability of
    /// `stored / (stored + 1)`, and `8 * (stored + 1)` draws all of them with e⁻⁸, 1 in 3,000.
    package func ending(stored: Int) -> Chain.Ending? {
        guard stalePages >= Self.patience else { return nil }
        let enough = staleRecords - staleRejected >= 8 * (stored + 1)
        let hopeless = staleRejected * 2 >= staleRecords
        guard enough || hopeless || stalePages >= Self.longestPatience else { return nil }
        return .stalled(pages: stalePages, records: staleRecords, rejected: staleRejected)
    }
}
