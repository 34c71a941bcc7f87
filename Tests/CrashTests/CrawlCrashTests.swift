import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Crawls killed at any instant")
struct CrawlCrashTests {
    /// Each of them has to come in time, those of `alternating` too.
    static let kills = 26
    static let alternatingKills = 8

    /// What the program said last about what is stored.
    private static func reported(_ output: String) -> Int {
        guard let end = output.lastIndex(of: "\n") else { return 0 }
        let whole = output[...end]
        let pages = whole.split(separator: "\n").filter { $0.hasPrefix("{\"type\":\"page\"") }
        return pages.last?.firstMatch(of: #/"stored":(\d+)/#).flatMap { Int($0.1) } ?? 0
    }

    @Test("one crawl of 2,000 people, killed 26 times: every person once, nothing lost that was reported")
    func manyKills() async throws {
        let scene = try CrashScene(people: 2000, latency: .milliseconds(20))
        let arguments = ["--count", "2000", "--page-size", "10", "--concurrency", "4", "--json"]
        var spread = EvenSpread()
        var stored = 0
        for number in 0..<Self.kills {
            let instant = spread.next() ?? 0
            // By turns from the first moment on: startup, opening, the first requests; and in the middle of the work,
            // however slow the machine: some requests later, anywhere between two.
            let result =
                number.isMultiple(of: 2)
                ? try await scene.kill(arguments, after: .milliseconds(200) * instant)
                : try await scene.kill(
                    arguments, afterRequests: Int(instant * 40) + 1, and: .milliseconds(20) * instant)
            #expect(result.signal == SIGKILL, "kill \(number) came too late: \(result.errors)")

            let (now, said) = (try await scene.storedCount(), Self.reported(result.output))
            #expect(now >= stored, "kill \(number) lost what was stored")
            #expect(now >= said, "kill \(number) lost what was reported: \(said)")
            stored = now
            try await scene.expectInOrder("kill \(number)")
        }
        #expect(stored > 0 && stored < 2000, "the kills were not spread over the crawl: \(stored)")

        // A random source may seem exhausted once in some thousand crawls; the same command then goes on.
        var codes: [Int32?] = []
        while codes.last != 0, codes.count < 3 {
            codes.append(try await scene.start(arguments).end().exitCode)
        }
        #expect(codes.last == 0 && codes.dropLast().allSatisfy { $0 == 3 }, "\(codes)")
        #expect(try await scene.query("SELECT uid FROM users ORDER BY uid") == scene.truth)
        let runs = try await scene.query("SELECT count(*), min(state), min(target) FROM crawl_runs")
        #expect(runs == ["1|complete|2000"], "it is one run all along")
        let sums = try await scene.query(
            """
            SELECT sum(new), sum(received) - sum(new) - sum(duplicate) - sum(updated) - sum(rejected) - sum(surplus)
            FROM crawl_pages
            """)
        #expect(sums == ["2000|0"])
        try await scene.expectInOrder("at the end")
    }

    @Test("killed while the database is being made: the next one begins or goes on")
    func startup() async throws {
        for number in 0..<20 {
            let scene = try CrashScene(people: 60, latency: .zero)
            let arguments = ["--count", "20", "--page-size", "2"]
            _ = try await scene.kill(arguments, after: .milliseconds(3) * number)
            try await scene.expectInOrder("after \(3 * number) ms")
            // And once more, on whatever the first one left.
            _ = try await scene.kill(arguments, after: .milliseconds(2) * number)
            let result = try await scene.start(arguments).end()
            #expect(result.exitCode == 0, "after \(2 * number) ms: \(result)")
            #expect(try await scene.query("SELECT count(*), count(DISTINCT uid) FROM users") == ["20|20"])
            try await scene.expectInOrder("at the end")
        }
    }

    @Test("a fresh crawl that is killed leaves all of the old records or none")
    func fresh() async throws {
        let scene = try CrashScene(people: nil, latency: .milliseconds(2))
        #expect(try await scene.crawl("--count", "100", "--page-size", "50").exitCode == 0)
        let arguments = ["--fresh", "--count", "120", "--page-size", "2", "--concurrency", "3"]
        for number in 0..<10 {
            let old = Set(try await scene.query("SELECT uid FROM users"))
            _ = try await scene.kill(arguments, afterRequests: number)
            let left = Set(try await scene.query("SELECT uid FROM users"))
            #expect(left == old || left.isDisjoint(with: old), "\(left.intersection(old).count) of the old ones")
            try await scene.expectInOrder("after \(number) requests")
            let result = try await scene.start(arguments).end()
            #expect(result.exitCode == 0, "\(result)")
            #expect(try await scene.storedCount() == 120)
            #expect(old.isDisjoint(with: try await scene.query("SELECT uid FROM users")))
            try await scene.expectInOrder("at the end")
        }
    }

    @Test("kills by turns with resume and the same command, one lane and four")
    func alternating() async throws {
        let scene = try CrashScene(people: 500, latency: .milliseconds(10))
        var spread = EvenSpread()
        for number in 0..<Self.alternatingKills {
            let lanes = number.isMultiple(of: 2) ? "1" : "4"
            let isResumed = number % 3 == 2
            // So slowly that no kill comes too late, however busy the machine.
            let crawl = ["--count", "400", "--page-size", "5", "--concurrency", lanes, "--rate", "25/s"]
            let arguments = isResumed ? ["resume"] : crawl
            let result = try await scene.kill(arguments, afterRequests: 2 + Int((spread.next() ?? 0) * 8))
            #expect(result.signal == SIGKILL, "kill \(number) came too late: \(result)")
            try await scene.expectInOrder("kill \(number)")
        }
        let result = try await scene.crawl("resume")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*), count(DISTINCT uid) FROM users") == ["400|400"])
        #expect(try await scene.query("SELECT count(*), min(state) FROM crawl_runs") == ["1|complete"])
        try await scene.expectInOrder("at the end")
    }
}
