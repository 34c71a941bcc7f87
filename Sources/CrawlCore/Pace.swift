/// Finds the pace that a server allows when it answers 429 beyond a number of requests a second that it does not tell.
///
/// As long as nothing is refused there is no limit. A refusal shows what was allowed: the answers of the second before.
/// All pause for a moment, and go on evenly, a little below that. What one refusal tells is only a guess, for it may
/// have come by chance: the pace doubles with each second that passes without another. A second refusal at about the
/// same pace confirms the limit; from then on the pace stays just below it, and tries more only once a minute. Refusals
/// that come again below a confirmed limit tell that it is none: then each makes the pace a little slower, and each
/// second without one a little quicker, as in [RFC 5681](https://www.rfc-editor.org/rfc/rfc5681).
///
/// A pure value; times count from the origin of the caller's clock.
package struct Pace: Sendable, Equatable {
    /// The share of what was allowed that is asked for after a refusal.
    static let margin = 0.96
    /// How much the pace rises in a second without a refusal.
    static let rise = 1.02
    /// How long a confirmed limit is believed.
    static let memory = Duration.seconds(60)
    /// Refusals within this time are of requests that were under way together; one lesson is enough.
    static let together = Duration.milliseconds(500)
    /// How long nothing starts after a refusal that nothing explains yet.
    static let pause = Duration.milliseconds(500)
    /// The slowest pace, in requests a second.
    static let slowest = 0.2
    /// The slowest pace after a single refusal: what was answered before may be too little to tell anything.
    static let guess = 4.0

    /// The requests a second that are asked for at the most, nil where there is no reason for a limit.
    package private(set) var rate: Double?
    private var next = Duration.zero
    private var limit: Limit?
    private var allowed = LastSecond()
    private var lastRise = Duration.zero
    private var lastRefusal: Duration?
    /// Refusals since the last answer that was none.
    private var refusalsInARow = 0

    /// What the server seems to allow, in requests a second.
    private struct Limit: Sendable, Equatable {
        var rate: Double
        var at: Duration
        var isConfirmed = false

        /// Whether what was allowed at another time is about the same.
        func agrees(with seen: Double) -> Bool { seen >= rate * 0.75 && seen <= rate * 1.34 }
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
        allowed.count(at: now)
        refusalsInARow = 0
        guard let rate, now - lastRise >= .seconds(1) else { return }
        lastRise = now
        if let limit, limit.isConfirmed, now - limit.at > Self.memory { self.limit = nil }
        guard let limit else {
            self.rate = rate * Self.rise
            return
        }
        if limit.isConfirmed {
            self.rate = min(rate * Self.rise, max(rate, limit.rate * Self.margin))
        } else if rate > 4 * max(Self.guess, allowed.total(at: now)) {
            // Something else than the pace is what keeps the requests apart: the refusal was a chance.
            self.rate = nil
            self.limit = nil
        } else {
            self.rate = rate * 2
        }
    }

    /// Takes a refusal (429).
    package mutating func refused(at now: Duration) {
        if let lastRefusal, now - lastRefusal < Self.together {
            if refusalsInARow > 0 { delay(until: now + Self.pause / 2) }
            return
        }
        refusalsInARow += 1
        lastRefusal = now
        lastRise = now
        let seen = allowed.total(at: now)
        guard refusalsInARow <= 2 else {
            // Nothing passes at all.
            let rate = max(Self.slowest, (rate ?? Self.guess) / 2)
            self.rate = rate
            return delay(until: now + .seconds(1 / rate))
        }
        guard let rate else {
            limit = Limit(rate: max(Self.guess, seen), at: now)
            self.rate = max(Self.guess, seen * Self.margin)
            return delay(until: now + Self.pause)
        }
        delay(until: now + (limit?.isConfirmed == true ? .seconds(1 / rate) : Self.pause))
        // The second refusal before anything passed: the server's second is not over, and nothing new is learnt.
        guard refusalsInARow == 1 else { return }
        if let limit, limit.isConfirmed, rate <= limit.rate * Self.margin, seen >= rate * 0.8 {
            self.limit = nil
            self.rate = max(Self.slowest, rate * Self.margin)
        } else {
            learn(seen, at: rate, now)
        }
    }

    /// Takes what was allowed in the second before a refusal for the limit, confirmed where that is known already.
    private mutating func learn(_ seen: Double, at rate: Double, _ now: Duration) {
        let found = max(1, min(rate, seen))
        var limit = Limit(rate: found, at: now)
        if let before = self.limit {
            limit.isConfirmed = before.agrees(with: found)
            // The server did allow the higher one of the two.
            if limit.isConfirmed { limit.rate = max(found, before.rate) }
        } else {
            // It was tried slowly from below.
            limit.isConfirmed = true
        }
        self.limit = limit
        self.rate = max(Self.slowest, min(rate, limit.rate * Self.margin))
    }

    private mutating func delay(until instant: Duration) {
        next = max(next, instant)
    }
}

/// How many answers came within the last second.
private struct LastSecond: Sendable, Equatable {
    private static let slots = 100
    private static let width = Duration.milliseconds(10)

    /// Counted by hundredths of a second.
    private var counts = [Int](repeating: 0, count: Self.slots)
    /// The hundredth that was counted last.
    private var slot = 0

    mutating func count(at now: Duration) {
        turn(to: now)
        counts[slot % Self.slots] += 1
    }

    mutating func total(at now: Duration) -> Double {
        turn(to: now)
        return Double(counts.reduce(0, +))
    }

    /// Forgets what was counted more than a second ago.
    private mutating func turn(to now: Duration) {
        let current = Int(now / Self.width)
        guard current > slot else { return }
        for passed in max(slot + 1, current - Self.slots + 1)...current { counts[passed % Self.slots] = 0 }
        slot = current
    }
}
