import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Stopped and resumed", .fewAtOnce)
struct ResumeTests {
    /// A scene whose server is slow enough for a crawl to be met in its middle.
    static func slowScene() throws -> Scene {
        try Scene { $0.latency = .milliseconds(15) }
    }

    static let arguments = ["--count", "200", "--page-size", "5", "--concurrency", "1"]

    struct Stop: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var signal: Int32
        var exitCode: Int32
    }

    static let stops = [
        Stop(testDescription: "Ctrl-C", signal: SIGINT, exitCode: 130),
        Stop(testDescription: "SIGTERM", signal: SIGTERM, exitCode: 143),
        Stop(testDescription: "hang-up", signal: SIGHUP, exitCode: 129),
    ]

    /// How a crawl can be continued.
    enum Way: String, CaseIterable, Sendable {
        case sameCommand, resume
    }

    /// Expects that the table holds what the ledger says, and a run that everybody sees as unfinished.
    static func expectBalanced(_ scene: Scene, state: String) async throws {
        let ledger = """
            SELECT (SELECT count(*) FROM users) - (SELECT coalesce(sum(new), 0) FROM crawl_pages),
                (SELECT count(*) FROM crawl_pages
                 WHERE received <> new + duplicate + updated + rejected + surplus),
                (SELECT count(*) - count(DISTINCT uid) FROM users)
            """
        #expect(try await scene.query(ledger) == "0|0|0")
        #expect(try await scene.query("SELECT state FROM crawl_runs ORDER BY id DESC LIMIT 1") == state)
        try await scene.expectVerified()
    }

    @Test("a signal stores what is fetched and prints the next step", arguments: stops, [1, 4])
    func stopped(_ stop: Stop, lanes: Int) async throws {
        let scene = try Self.slowScene()
        let arguments = Self.arguments + ["--concurrency", "\(lanes)"]
        let program = try scene.start(arguments)
        let result = await program.end(by: stop.signal, when: { scene.requests.count >= 8 })
        #expect(result.exitCode == stop.exitCode, "\(result)")
        let stored = try #require(Int(try await scene.query("SELECT count(*) FROM users")))
        #expect(stored > 0 && stored < 200)
        let next = "Stopped at \(stored) of 200 users. Continue with: crawl \(arguments.joined(separator: " "))\n"
        #expect(result.errors.hasSuffix(next), "\(result)")
        #expect(result.output.contains("\(stored) users stored in output/crawl.db"), "\(result)")
        try await Self.expectBalanced(scene, state: "interrupted")
    }

    @Test("goes on from what is stored, by the same command and by resume", arguments: stops, Way.allCases)
    func goesOn(_ stop: Stop, way: Way) async throws {
        let scene = try Self.slowScene()
        let program = try scene.start(Self.arguments)
        #expect(await program.end(by: stop.signal, when: { scene.requests.count >= 5 }).exitCode == stop.exitCode)
        try await Self.expectCompleted(scene, by: way)
    }

    @Test("killed at once, goes on as well", arguments: [1, 4], Way.allCases)
    func killed(lanes: Int, way: Way) async throws {
        let scene = try Self.slowScene()
        let program = try scene.start(Self.arguments + ["--concurrency", "\(lanes)"])
        #expect(await program.end(by: SIGKILL, when: { scene.requests.count >= 10 }).signal == SIGKILL)
        let status = try await scene.crawl("status")
        #expect(status.output.contains("interrupted") && status.output.contains("killed or power lost"), "\(status)")
        try await Self.expectBalanced(scene, state: "running")
        try await Self.expectCompleted(scene, by: way)
    }

    private static func expectCompleted(_ scene: Scene, by way: Way) async throws {
        let before = try #require(Int(try await scene.query("SELECT count(*) FROM users")))
        #expect(before < 200)
        let result = try await scene.crawl((way == .resume ? ["resume"] : arguments) + ["--json"])
        #expect(result.exitCode == 0, "\(result)")
        let events = try EventLines(result.output)
        #expect(events.last("started")["stored"] as? Int == before)
        #expect(events.last("started")["resumed"] as? Bool == true)
        #expect(events.last("finished")["new"] as? Int == 200 - before, "only what is missing is new")
        #expect(try await scene.query("SELECT count(*), min(state), min(target) FROM crawl_runs") == "1|complete|200")
        try await scene.expectUsers(200)
    }

    @Test("nothing that was reported as stored is lost when the program is killed")
    func reported() async throws {
        let scene = try Self.slowScene()
        let program = try scene.start(Self.arguments + ["--json", "--concurrency", "4"])
        let output = await program.end(
            by: SIGKILL, when: { program.output.components(separatedBy: "\"page\"").count > 6 }
        ).output
        let whole = output.prefix(through: output.lastIndex(of: "\n") ?? output.startIndex)
        let reported = try #require(EventLines(String(whole)).last("page")["stored"] as? Int)
        let stored = try #require(Int(try await scene.query("SELECT count(*) FROM users")))
        #expect(reported > 0 && stored >= reported)
    }

    @Test("a signal ends a crawl soon that waits", arguments: ["for an answer", "to try again"])
    func waiting(_ what: String) async throws {
        let server = try ScriptedServer([
            what == "for an answer" ? .hang : .answer("503 Service Unavailable", fields: ["Retry-After: 60"])
        ])
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start(["--count", "5"], environment: Scene.users(at: server.url("/")))
        let result = await program.end(by: SIGINT, when: { !server.requests.isEmpty })
        #expect(result.exitCode == 130, "\(result)")
        #expect(result.errors.contains("Stopped at 0 of 5 users. Continue with: crawl --count 5"), "\(result)")
        #expect(result.secondsAfterSignal ?? 60 < 10)
    }

    @Test("a second signal ends the program at once")
    func secondSignal() async throws {
        let server = try GatedServer.start(free: 3)
        defer { server.stop() }
        let scene = try Scene()
        let arguments = GatedServer.arguments(10)
        let program = try scene.start(arguments, environment: Scene.users(at: server.url("/")))
        #expect(await Program.wait { server.requests.count == 4 })
        // Another program holds the database, so that the polite end has to wait for it, up to five seconds.
        let lock = try DatabaseLock(scene)
        #expect(await lock.isTaken())
        server.release()
        let result = await program.end(by: [SIGINT, SIGINT], when: { server.requests.count > 4 })
        await lock.release()
        #expect(result.exitCode == 130, "\(result)")
        #expect(result.secondsAfterSignal ?? 60 < 3, "it waited for the database")
        try await Self.expectBalanced(scene, state: "running")
        let again = try await scene.crawl(arguments, environment: Scene.users(at: server.url("/")))
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectUsers(10)
    }

    @Test("resume without anything unfinished says so, exit 0")
    func nothingToResume() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "5")
        let before = scene.requests.count
        let result = try await scene.crawl("resume")
        #expect(result.exitCode == 0)
        #expect(result.output == "Nothing to resume: every crawl in output/crawl.db is complete\n")
        #expect(scene.requests.count == before)
    }

    @Test("a smaller count than what an interrupted run stored is reached already")
    func smallerCount() async throws {
        let scene = try Self.slowScene()
        let program = try scene.start(Self.arguments)
        #expect(await program.end(by: SIGTERM, when: { scene.requests.count >= 6 }).exitCode == 143)
        let before = scene.requests.count
        let result = try await scene.crawl("--count", "10")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("nothing to do"))
        #expect(scene.requests.count == before)
        #expect(try await scene.query("SELECT state FROM crawl_runs") == "interrupted")
        #expect(try await scene.crawl("resume", "--concurrency", "4").exitCode == 0)
        try await scene.expectUsers(200)
    }
}
