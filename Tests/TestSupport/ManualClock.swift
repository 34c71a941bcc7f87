import CrawlCore

/// A clock that stands still until a test moves it.
package final class ManualClock: Clock, Sendable {
    /// A time on the clock.
    package struct Instant: InstantProtocol {
        /// The time since the clock was made.
        package var sinceStart: Duration

        package func advanced(by duration: Duration) -> Instant {
            Instant(sinceStart: sinceStart + duration)
        }

        package func duration(to other: Instant) -> Duration {
            other.sinceStart - sinceStart
        }

        package static func < (first: Instant, second: Instant) -> Bool {
            first.sinceStart < second.sinceStart
        }
    }

    private struct Sleeper {
        var number: Int
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(sinceStart: .zero)
        var sleepers: [Sleeper] = []
        var cancelled: Set<Int> = []
        var count = 0
    }

    private let state = Locked(State())

    package init() {}

    package var now: Instant {
        state.withLock { $0.now }
    }

    package var minimumResolution: Duration { .zero }

    /// The deadlines of those who sleep now, earliest first, since the clock was made.
    package var deadlines: [Duration] {
        state.withLock { $0.sleepers.map(\.deadline.sinceStart).sorted() }
    }

    package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome = state.withLock { state -> Result<Void, any Error>? in
                    if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers.append(Sleeper(number: number, deadline: deadline, continuation: continuation))
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let index = state.sleepers.firstIndex(where: { $0.number == number }) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return state.sleepers.remove(at: index)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Moves the clock on and wakes those whose time has come, earliest first.
    package func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.deadline <= state.now }.sorted { $0.deadline < $1.deadline }
            state.sleepers.removeAll { $0.deadline <= state.now }
            return due
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Returns when at least `count` tasks sleep.
    package func waitForSleepers(_ count: Int) async {
        while state.withLock({ $0.sleepers.count < count }) { await Task.yield() }
    }
}
