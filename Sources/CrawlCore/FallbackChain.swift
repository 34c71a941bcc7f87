/// Decides what a crawl asks its source's fallback for: one value after the other, each of them once.
///
/// A pure value that takes the place of `Chain` once the source itself has refused.
package struct FallbackChain: Sendable {
    private let target: Int?
    /// The most requests under way at once.
    package var lanes: Int
    private var stored: Int
    private var sequence: Int
    private var pending: ArraySlice<String>
    /// Requests that were handed out and are neither durable nor unanswered, by their number.
    private var open: Set<Int> = []
    /// Those of them that wait for their answer.
    private var inFlight: Set<Int> = []

    /// Creates a chain in front of its first request.
    ///
    /// - Parameters:
    ///   - values: What is asked for, in this order.
    ///   - sequence: The number of the first request.
    ///   - target: The number of distinct records wanted, nil for all.
    ///   - stored: The records that are durable already.
    package init(values: [String], sequence: Int, target: Int?, stored: Int, lanes: Int) {
        pending = values[...]
        self.sequence = sequence
        self.target = target
        self.stored = stored
        self.lanes = lanes
    }

    /// The next step; call again after each `.request` until it says something else.
    package mutating func next() -> Chain.Step {
        if let target, stored >= target { return .end(.complete) }
        guard let value = pending.first else {
            guard open.isEmpty else { return .wait }
            return .end(target == nil ? .complete : .exhausted)
        }
        // Each request brings one record at most, so that no more are on their way than are missing.
        guard inFlight.count < max(1, lanes), target.map({ stored + open.count < $0 }) ?? true else { return .wait }
        pending = pending.dropFirst()
        let request = PageRequest(sequence: sequence, size: 1, value: value)
        open.insert(sequence)
        inFlight.insert(sequence)
        sequence += 1
        return .request(request)
    }

    /// Takes a page that arrived and is on its way into the database.
    package mutating func received(_ request: PageRequest) {
        inFlight.remove(request.sequence)
    }

    /// Takes a page that is durable.
    package mutating func committed(sequence: Int, stored: Int) {
        open.remove(sequence)
        self.stored = stored
    }

    /// Takes a request that found nothing.
    package mutating func unanswered(_ request: PageRequest) {
        inFlight.remove(request.sequence)
        open.remove(request.sequence)
    }
}

extension FetchFailure {
    /// Whether a source that failed so may be worth asking at its fallback: it answers, but not this client.
    ///
    /// A server that is out of reach, broken or too slow has its fallback on the same machines as a rule.
    package var isRefusal: Bool {
        switch self {
        case .status(401, _, _), .status(403, _, _), .status(429, _, _), .handshake: true
        case .status, .network, .unreadable: false
        }
    }

    /// Whether a request to a fallback that failed so says that the value is unknown there.
    package var isUnknownValue: Bool {
        switch self {
        case .status(404, _, _), .status(422, _, _), .unreadable(.noRecords, _): true
        default: false
        }
    }
}
