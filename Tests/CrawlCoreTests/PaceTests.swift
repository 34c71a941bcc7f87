import CrawlCore
import TestSupport
import Testing

/// A server that refuses more than so many requests in any one second.
private struct Window {
    var limit: Int
    private var starts: [Duration] = []
    /// The starts before this one are more than a second old.
    private var oldest = 0

    init(limit: Int) {
        self.limit = limit
    }

    mutating func allows(at now: Duration) -> Bool {
        while oldest < starts.count, starts[oldest] <= now - .seconds(1) { oldest += 1 }
        guard starts.count - oldest < limit else { return false }
        starts.append(now)
        return true
    }
}

/// A server that lets a stock of requests pass at once, which fills again at some pace.
private struct Bucket {
    let perSecond: Double
    let size: Double
    private var content: Double
    private var last = Duration.zero

    init(perSecond: Double, size: Double) {
        self.perSecond = perSecond
        self.size = size
        content = size
    }

    mutating func allows(at now: Duration) -> Bool {
        content = min(size, content + perSecond * ((now - last) / .seconds(1)))
        last = now
        guard content >= 1 else { return false }
        content -= 1
        return true
    }
}

@Suite("Pace")
struct PaceTests {
    /// What a server answered to a crawl that goes as fast as the pace allows.
    private struct Outcome {
        var served: [Duration] = []
        var refused: [Duration] = []

        func served(_ from: Double, _ to: Double) -> Int {
            served.count { $0 >= .seconds(from) && $0 < .seconds(to) }
        }

        func refused(after time: Double) -> Int { refused.count { $0 >= .seconds(time) } }
    }

    /// Asks a server for that many seconds of moved clock; answers take 200 µs.
    private func crawl(
        _ seconds: Double, latency: Duration = .microseconds(200), _ allows: (_ now: Duration) -> Bool
    ) -> Outcome {
        var pace = Pace()
        var now = Duration.zero
        var outcome = Outcome()
        while now < .seconds(seconds) {
            now = max(now + latency, pace.reserve(at: now))
            if allows(now) {
                pace.accepted(at: now)
                outcome.served.append(now)
            } else {
                pace.refused(at: now)
                outcome.refused.append(now)
                now += .milliseconds(20)
            }
        }
        return outcome
    }

    @Test("as long as nothing is refused there is no limit")
    func free() {
        var pace = Pace()
        for index in 0..<1_000 {
            let now = Duration.milliseconds(index)
            #expect(pace.reserve(at: now) == now)
            pace.accepted(at: now)
        }
        #expect(pace.rate == nil)
    }

    @Test(
        "finds the pace of a server within seconds, and keeps nine tenths of it", arguments: [1, 2, 5, 20, 100, 1_000])
    func finds(limit: Int) {
        var server = Window(limit: limit)
        let outcome = crawl(70) { server.allows(at: $0) }
        let served = outcome.served(10, 70)
        #expect(Double(served) >= 0.9 * Double(limit) * 60, "\(served) in a minute")
        #expect(outcome.refused(after: 5) <= 3, "\(outcome.refused.filter { $0 > .seconds(5) })")
        #expect(outcome.refused.count <= 8, "\(outcome.refused)")
    }

    @Test("a server that forgives a burst is asked at the pace of its refill", arguments: [5.0, 20, 100], [1.0, 5])
    func bucket(perSecond: Double, seconds: Double) {
        var server = Bucket(perSecond: perSecond, size: perSecond * seconds)
        let outcome = crawl(100) { server.allows(at: $0) }
        let served = outcome.served(40, 100)
        #expect(Double(served) >= 0.85 * perSecond * 60, "\(served) in a minute")
        #expect(outcome.refused(after: 40) <= 6, "\(outcome.refused.filter { $0 > .seconds(40) })")
    }

    @Test("one refusal by chance costs a few seconds, wherever it falls", arguments: [0, 1, 3, 10, 100, 5_000])
    func chance(number: Int) {
        var asked = 0
        // An answer takes 5 ms: 200 requests a second are all that there can be.
        let outcome = crawl(60, latency: .milliseconds(5)) { _ in
            asked += 1
            return asked != number + 1
        }
        #expect(outcome.refused.count == 1)
        let gaps = zip(outcome.served, outcome.served.dropFirst()).map { $1 - $0 }
        #expect(gaps.allSatisfy { $0 < .seconds(1) })
        #expect(outcome.served.count >= (60 - 7) * 190, "\(outcome.served.count)")
    }

    @Test("a short crawl with a refusal at its first request is done within two seconds")
    func short() {
        var asked = 0
        let outcome = crawl(10, latency: .milliseconds(5)) { _ in
            asked += 1
            return asked != 1
        }
        #expect((outcome.served.dropFirst(9).first ?? .seconds(99)) < .seconds(2.5), "\(outcome.served.prefix(10))")
    }

    @Test("refusals without any pattern slow the crawl and never choke it")
    func noise() {
        var random = SeededGenerator(state: 7)
        let outcome = crawl(600, latency: .milliseconds(5)) { _ in random.next() % 50 != 0 }
        let late = outcome.served(500, 600)
        #expect(late >= 500, "\(late) in the last hundred seconds")
    }

    @Test("a server that lets nothing pass is asked ever more seldom")
    func nothing() {
        let outcome = crawl(120) { _ in false }
        #expect(outcome.refused.count < 45, "\(outcome.refused.count)")
    }

    @Test("a server that becomes slower is followed, one that becomes quicker too")
    func follows() {
        var server = Window(limit: 50)
        let outcome = crawl(200) { now in
            server.limit = now > .seconds(40) ? 50 : now > .seconds(20) ? 10 : 50
            return server.allows(at: now)
        }
        #expect(outcome.served(25, 40) >= Int(0.85 * 10 * 15), "\(outcome.served(25, 40))")
        #expect(outcome.served(190, 200) >= Int(0.8 * 50 * 10), "\(outcome.served(190, 200)) in the last ten seconds")
    }
}

struct GovernorCase: Sendable, CustomTestStringConvertible {
    enum Answer: Sendable {
        case quick(Int)
        case slow(Int)
        case pushedBack
    }
    var name: String
    var limit = 8
    var answers: [Answer]
    var lanes: Int
    var testDescription: String { name }
}

@Suite("Governor")
struct GovernorTests {
    static let cases = [
        GovernorCase(name: "begins with one lane", answers: [], lanes: 1),
        GovernorCase(name: "a run of quick answers opens a lane", answers: [.quick(4)], lanes: 2),
        GovernorCase(name: "the next lane takes a longer run", answers: [.quick(4 + 7)], lanes: 2),
        GovernorCase(name: "and opens then", answers: [.quick(4 + 8)], lanes: 3),
        GovernorCase(name: "never beyond the limit", limit: 3, answers: [.quick(1_000)], lanes: 3),
        GovernorCase(name: "a limit of one stays one", limit: 1, answers: [.quick(1_000)], lanes: 1),
        GovernorCase(name: "slow answers open nothing", answers: [.quick(1), .slow(100)], lanes: 1),
        GovernorCase(name: "too much halves", answers: [.quick(1_000), .pushedBack], lanes: 4),
        GovernorCase(
            name: "again and again, down to one",
            answers: [.quick(1_000), .pushedBack, .pushedBack, .pushedBack, .pushedBack], lanes: 1),
        GovernorCase(name: "and recovers", answers: [.quick(1_000), .pushedBack, .quick(1_000)], lanes: 8),
    ]

    @Test("the number of lanes", arguments: cases)
    func lanes(_ row: GovernorCase) {
        var governor = Governor(upTo: row.limit)
        for answer in row.answers {
            switch answer {
            case .quick(let count): for _ in 0..<count { governor.answered(after: .milliseconds(10)) }
            case .slow(let count): for _ in 0..<count { governor.answered(after: .milliseconds(900)) }
            case .pushedBack: governor.pushedBack()
            }
        }
        #expect(governor.lanes == row.lanes)
    }

    @Test("a fixed number never changes")
    func fixed() {
        var governor = Governor(fixed: 4)
        governor.pushedBack()
        for _ in 0..<100 { governor.answered(after: .milliseconds(1)) }
        #expect(governor.lanes == 4)
    }
}
