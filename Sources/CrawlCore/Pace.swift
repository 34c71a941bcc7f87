/// Finds the pace that a server allows when it answers 429 beyond a number of requests a second that it does not tell.
///
/// As long as nothing is refused there is no limit. A refusal shows what was allowed: the answers of the second before.
/// From then on requests start evenly, a little below that; the pace rises slowly again, and stops just below where it
/// was refused before. A pure value; times count from the origin of the caller's clock.
package struct Pace: Sendable, Equatable {
    /// The share of what was allowed that is asked for after a refusal.
    static let margin = 0.96
    /// How much the pace rises in a second without a refusal.
    static let rise = 1.02
    /// How long a refused pace is remembered as too high.
    static let memory = Duration.seconds(60)
    /// The slowest pace, in requests a second.
    static let slowest = 0.2

    /// The requests a second that are asked for at the most, nil as long as nothing was refused.
    package private(set) var rate: Double?
    /// Answers that were not refused, counted in twentieths of a second.
    private var allowed = [Int](repeating: 0, count: Self.slots)
    /// The twentieth of a second that was counted last.
    private var slot = 0
    private var next = Duration.zero
    private var ceiling: Ceiling?
    private var lastRise = Duration.zero
    private var lastRefusal: Duration?

    private static let slots = 20

    /// A pace that was refused, and when.
    private struct Ceiling: Sendable, Equatable {
        var rate: Double
        var at: Duration
    }

    package init() {}

    /// Books the next start, at `now` or as soon after as the pace allows.
    package mutating func reserve(at now: Duration) -> Duration {
        guard let rate else { return now }
        let start = max(now, next)
        next = start + .seconds(1 / rate)
        return start
    }

    /// Takes an answer that was not refused.
    package mutating func accepted(at now: Duration) {
        turn(to: now)
        allowed[slot % Self.slots] += 1
        guard let rate, now - lastRise >= .seconds(1) else { return }
        lastRise = now
        if let ceiling, now - ceiling.at > Self.memory { self.ceiling = nil }
        self.rate = min(rate * Self.rise, self.ceiling.map { $0.rate * Self.margin } ?? .infinity)
    }

    /// Takes a refusal (429).
    package mutating func refused(at now: Duration) {
        turn(to: now)
        // Lanes that were on their way are refused together; one lesson is enough.
        if let lastRefusal, now - lastRefusal < .milliseconds(500) { return }
        lastRefusal = now
        let seen = Double(max(1, allowed.reduce(0, +)))
        ceiling = Ceiling(rate: rate.map { min($0, max(seen, $0 * 0.9)) } ?? seen, at: now)
        rate = max(Self.slowest, min(rate ?? .infinity, seen) * Self.margin)
        // The server's second has to pass before anything is allowed again.
        next = max(next, now + .seconds(1 / (rate ?? 1)))
        lastRise = now
    }

    /// Forgets what was counted more than a second ago.
    private mutating func turn(to now: Duration) {
        let current = Int(now / .milliseconds(50))
        guard current > slot else { return }
        for passed in max(slot + 1, current - Self.slots + 1)...current { allowed[passed % Self.slots] = 0 }
        slot = current
    }
}
