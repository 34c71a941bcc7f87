/// Lets at most so many requests pass in any one second.
struct RequestLimit: Sendable {
    private var passed: [ContinuousClock.Instant] = []
    private var oldest = 0
    private let requests: Int

    init(requestsPerSecond: Int) {
        requests = max(1, requestsPerSecond)
    }

    /// Whether a request is one too many; refused requests do not count.
    mutating func refuses(at instant: ContinuousClock.Instant) -> Bool {
        if passed.count < requests {
            passed.append(instant)
            return false
        }
        guard instant - passed[oldest] >= .seconds(1) else { return true }
        passed[oldest] = instant
        oldest = (oldest + 1) % requests
        return false
    }
}
