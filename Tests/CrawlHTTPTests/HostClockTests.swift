import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import CrawlHTTP

/// The times at which lanes passed, in the order in which they did.
private final class Passes: Sendable {
    private let list = Locked<[Duration]>([])

    var times: [Duration] { list.withLock { $0 } }

    func add(_ time: Duration) {
        list.withLock { $0.append(time) }
    }

    func wait(for count: Int) async {
        while times.count < count { await Task.yield() }
    }
}

@Suite("HostClock", .timeLimit(Sanitizer.limit(minutes: 5)))
struct HostClockTests {
    let clock = ManualClock()

    /// Lets `lanes` lanes pass at once and moves the clock until all have.
    private func pass(_ hostClock: HostClock, lanes: Int, step: Duration) async throws -> [Duration] {
        let passes = Passes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<lanes {
                group.addTask {
                    try await hostClock.pass("api.example")
                    passes.add(clock.now.sinceStart)
                }
            }
            for _ in 0..<1000 where passes.times.count < lanes {
                // Every lane has passed or sleeps, so moving the clock misses none.
                while passes.times.count + clock.deadlines.count < lanes { await Task.yield() }
                if passes.times.count < lanes { clock.advance(by: step) }
            }
            try await group.waitForAll()
        }
        return passes.times
    }

    @Test("Four lanes together keep the rate")
    func lanesShareTheRate() async throws {
        let hostClock = HostClock(limit: RateLimit(parsing: "5/s"), clock: clock)
        let times = try await pass(hostClock, lanes: 6, step: .milliseconds(100))
        #expect(times == [0, 200, 400, 600, 800, 1000].map { Duration.milliseconds($0) })
    }

    @Test(
        "The rate is exact to 5 % over a minute, however slow the lanes are",
        arguments: [("5/s", 300), ("20/s", 1200), ("90/m", 90), ("1000/h", 17)], [1, 4, 16])
    func rateOverAMinute(_ rate: (text: String, requests: Int), lanes: Int) async throws {
        let clock = clock
        let hostClock = HostClock(limit: RateLimit(parsing: rate.text), clock: clock)
        let passes = Passes()
        await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in 0... {
                        try await hostClock.pass("api.example")
                        guard clock.now.sinceStart < .seconds(60) else { return }
                        passes.add(clock.now.sinceStart)
                        // An answer takes up to 30 ms, each another time.
                        try await clock.sleep(
                            until: clock.now.advanced(by: .milliseconds((number * 7 + lane * 11) % 31)), tolerance: nil)
                    }
                }
            }
            // The clock steps from one waiting lane's time to the next one's.
            while clock.now.sinceStart < .seconds(60) {
                await clock.waitForSleepers(lanes)
                guard let next = clock.deadlines.first else { break }
                clock.advance(by: next - clock.now.sinceStart)
            }
            group.cancelAll()
            while await group.nextResult() != nil {}
        }
        let requests = passes.times.count
        #expect(abs(requests - rate.requests) * 20 <= rate.requests, "\(requests) in a minute")
    }

    @Test("Without a limit nobody waits")
    func noLimit() async throws {
        let times = try await pass(HostClock(clock: clock), lanes: 10, step: .seconds(1))
        #expect(times == [Duration](repeating: .zero, count: 10))
    }

    @Test("A hold counts for all lanes of the host, and for no other host")
    func holdIsShared() async throws {
        let hostClock = HostClock(clock: clock)
        await hostClock.hold("api.example", for: .seconds(7))
        try await hostClock.pass("other.example")
        let times = try await pass(hostClock, lanes: 3, step: .seconds(1))
        #expect(times == [Duration](repeating: .seconds(7), count: 3))
    }

    @Test("A shorter hold does not undo a longer one")
    func longestHoldCounts() async throws {
        let hostClock = HostClock(clock: clock)
        await hostClock.hold("api.example", for: .seconds(9))
        await hostClock.hold("api.example", for: .seconds(2))
        #expect(await hostClock.remainingHold("api.example") == .seconds(9))
    }

    @Test("Lanes that slept when the hold came leave it at the rate, not all at once")
    func holdWhileWaiting() async throws {
        let hostClock = HostClock(limit: RateLimit(parsing: "1/s"), clock: clock)
        let passes = Passes()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await hostClock.pass("api.example")
                    passes.add(clock.now.sinceStart)
                }
            }
            await passes.wait(for: 1)
            await clock.waitForSleepers(3)
            await hostClock.hold("api.example", for: .seconds(60))
            for count in 0..<200 where passes.times.count < 4 {
                while passes.times.count + clock.deadlines.count < 4 { await Task.yield() }
                if passes.times.count < 4, count < 190 { clock.advance(by: .milliseconds(500)) }
            }
            try await group.waitForAll()
        }
        let times = passes.times
        #expect(times.first == .zero)
        #expect(zip(times.dropFirst(2), times.dropFirst()).allSatisfy { $0 - $1 >= .seconds(1) }, "\(times)")
        #expect(times.dropFirst().allSatisfy { $0 >= .seconds(60) }, "\(times)")
    }

    @Test("A cancelled lane stops waiting at once")
    func cancelled() async throws {
        let hostClock = HostClock(clock: clock)
        await hostClock.hold("api.example", for: .seconds(3600))
        let lane = Task { try await hostClock.pass("api.example") }
        await clock.waitForSleepers(1)
        lane.cancel()
        await #expect(throws: CancellationError.self) { try await lane.value }
        #expect(clock.deadlines.isEmpty)
    }

    @Test("A hold survives the end of the program")
    func holdIsRemembered() async throws {
        let stored = Locked<[String: Date]>([:])
        let memory = HostClock.Memory(
            load: { host in stored.withLock { $0[host] } },
            store: { host, date in stored.withLock { $0[host] = date } })
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let before = HostClock(memory: memory, clock: clock, date: { start })
        await before.hold("api.example", for: .seconds(90))
        #expect(stored.withLock { $0 } == ["api.example": start + 90])

        let after = HostClock(memory: memory, clock: ManualClock(), date: { start + 30 })
        #expect(await after.remainingHold("api.example") == .seconds(60))
        #expect(await after.remainingHold("other.example") == .zero)
        let later = HostClock(memory: memory, clock: ManualClock(), date: { start + 91 })
        #expect(await later.remainingHold("api.example") == .zero)
    }
}
