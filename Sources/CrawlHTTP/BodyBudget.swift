import CrawlCore

/// How much memory the bodies of a client may take together, from the first byte until nobody needs them any more.
///
/// Small bodies share a pool. A body that finds no room in it may grow to any size, but only one at a time may; the
/// others wait, their connections paused. So memory has a bound whatever the number of lanes and the size of pages, and
/// there is always a body that may go on: the one that does waits for nothing but its server, and then for the disk.
final class BodyBudget: Sendable {
    private struct State {
        var claims: [ObjectIdentifier: Int] = [:]
        /// Bytes of all claims but the large body's.
        var pooled = 0
        /// The one body that may be larger than the pool has room for.
        var large: ObjectIdentifier?
        /// Whether somebody was refused since the last release.
        var isAwaited = false
    }

    private let state = Locked(State())
    private let pool: Int
    private let freed: @Sendable () -> Void

    /// A budget with a pool of so many bytes.
    ///
    /// - Parameter freed: called where room was given back that somebody waits for; on any thread.
    init(pool: Int = 6 << 20, freed: @escaping @Sendable () -> Void) {
        self.pool = pool
        self.freed = freed
    }

    /// Whether a body may have so many bytes from now on, in place of those that it had.
    fileprivate func claim(_ bytes: Int, for body: ObjectIdentifier) -> Bool {
        state.withLock { state in
            guard state.large != body else { return true }
            let before = state.claims[body] ?? 0
            if state.pooled - before + bytes <= pool {
                state.pooled += bytes - before
                state.claims[body] = bytes
                return true
            }
            guard state.large == nil else {
                state.isAwaited = true
                return false
            }
            state.pooled -= before
            state.claims[body] = nil
            state.large = body
            return true
        }
    }

    fileprivate func release(_ body: ObjectIdentifier) {
        let isAwaited = state.withLock { state in
            if state.large == body { state.large = nil }
            state.pooled -= state.claims.removeValue(forKey: body) ?? 0
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { freed() }
    }
}

/// What one body has of the budget; given back with the last reference.
final class BodyShare: Sendable {
    private let budget: BodyBudget

    init(of budget: BodyBudget) {
        self.budget = budget
    }

    deinit {
        budget.release(ObjectIdentifier(self))
    }

    /// Whether the body may have so many bytes in all.
    func claim(_ bytes: Int) -> Bool {
        budget.claim(bytes, for: ObjectIdentifier(self))
    }
}
