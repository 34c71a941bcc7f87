/// How many requests are under way at once when that is left to the program.
///
/// Begins with one lane; each run of clean and quick answers opens one more, up to the limit; an answer that says "too
/// much" (429, 503, a time-out) halves them. Additive increase and multiplicative decrease is what keeps many clients
/// of one server fair ([RFC 5681](https://www.rfc-editor.org/rfc/rfc5681)).
package struct Governor: Sendable, Equatable {
    /// Clean answers in a row that open a further lane.
    package static let run = 4
    /// How much slower than the quickest answer one may be and still count as quick.
    package static let slack = 3.0

    /// The most lanes.
    package let limit: Int
    /// The lanes that may be used now.
    package private(set) var lanes: Int
    private let isFixed: Bool
    private var streak = 0
    private var quickest: Duration?

    /// A number of lanes that never changes.
    package init(fixed lanes: Int) {
        limit = max(1, lanes)
        self.lanes = limit
        isFixed = true
    }

    /// Finds the number of lanes by itself, up to `limit`.
    package init(upTo limit: Int) {
        self.limit = max(1, limit)
        lanes = 1
        isFixed = false
    }

    /// Takes an answer that arrived whole after `latency`.
    package mutating func answered(after latency: Duration) {
        guard !isFixed else { return }
        let best = min(quickest ?? latency, latency)
        // The measure follows slowly, so that one lucky answer does not make all others slow for ever.
        quickest = best * 1.01
        guard latency <= best * Self.slack + .milliseconds(5) else {
            streak = 0
            return
        }
        streak += 1
        // With more lanes a run takes more answers, or the number would explode.
        guard streak >= Self.run * lanes, lanes < limit else { return }
        lanes += 1
        streak = 0
    }

    /// Takes an answer, or its absence, that says that there is too much.
    package mutating func pushedBack() {
        guard !isFixed else { return }
        lanes = max(1, lanes / 2)
        streak = 0
    }
}
