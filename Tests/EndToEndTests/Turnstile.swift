import CrawlCore
import Testing

/// Lets only a few tests run programs at once, so that a machine with two cores keeps the time limits that tests watch.
struct Turnstile: SuiteTrait, TestTrait, TestScoping {
    var isRecursive: Bool { true }

    func scopeProvider(for test: Test, testCase: Test.Case?) -> Turnstile? {
        testCase == nil ? nil : self
    }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        await Self.gate.enter()
        defer { Self.gate.leave() }
        try await function()
    }

    private static let gate = Gate(places: 8)

    private final class Gate: Sendable {
        private struct State {
            var free: Int
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state: Locked<State>

        init(places: Int) {
            state = Locked(State(free: places))
        }

        func enter() async {
            await withCheckedContinuation { continuation in
                let mayEnter = state.withLock { state in
                    guard state.free > 0 else {
                        state.waiting.append(continuation)
                        return false
                    }
                    state.free -= 1
                    return true
                }
                if mayEnter { continuation.resume() }
            }
        }

        func leave() {
            let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard !state.waiting.isEmpty else {
                    state.free += 1
                    return nil
                }
                return state.waiting.removeFirst()
            }
            next?.resume()
        }
    }
}

extension Trait where Self == Turnstile {
    /// A few tests at once.
    static var fewAtOnce: Self { Turnstile() }
}
