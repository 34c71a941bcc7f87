import CrawlCore
import Testing

/// A server that refuses more than so many requests in any one second.
private struct Window {
    var limit: Int
    private var starts: [Duration] = []

    init(limit: Int) {
        self.limit = limit
    }

    mutating func allows(at now: Duration) -> Bool {
        starts.removeAll { $0 <= now - .seconds(1) }
        guard starts.count < limit else { return false }
        starts.append(now)
        return true
    }
}

@Suite("Pace")
struct PaceTests {
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

    @Test("finds the pace of a server within seconds, and keeps nine tenths of it", arguments: [1, 5, 20, 100, 1_000])
    func finds(limit: Int) {
        var pace = Pace()
        var server = Window(limit: limit)
        var now = Duration.zero
        var served = 0
        var refusals = 0
        while now < .seconds(70) {
            now = max(now + .microseconds(200), pace.reserve(at: now))
            if server.allows(at: now) {
                pace.accepted(at: now)
                if now > .seconds(10) { served += 1 }
            } else {
                pace.refused(at: now)
                if now > .seconds(10) { refusals += 1 }
                now += .milliseconds(20)
            }
        }
        #expect(Double(served) >= 0.9 * Double(limit) * 60, "\(served) in a minute")
        #expect(refusals <= 5, "\(refusals) refusals after the first seconds")
    }

    @Test("a server that becomes slower is followed, one that becomes quicker too")
    func follows() {
        var pace = Pace()
        var server = Window(limit: 50)
        var now = Duration.zero
        var served = 0
        while now < .seconds(200) {
            if now > .seconds(20) { server.limit = 10 }
            if now > .seconds(40) { server.limit = 50 }
            now = max(now + .microseconds(200), pace.reserve(at: now))
            if server.allows(at: now) {
                pace.accepted(at: now)
                if now > .seconds(190) { served += 1 }
            } else {
                pace.refused(at: now)
                now += .milliseconds(20)
            }
        }
        #expect(Double(served) >= 0.8 * 50 * 10, "\(served) in the last ten seconds")
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
