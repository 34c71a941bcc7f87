import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Waiting for a server", .fewAtOnce)
struct WaitTests {
    /// How long the crawl of a result took, as its last event says.
    private static func seconds(_ result: Program.Result) throws -> Double {
        try #require(EventLines(result.output).last("finished")["seconds"] as? Double, "\(result)")
    }

    @Test("Retry-After is waited for, on 429 and on 503", arguments: ["429-seconds=1", "503-seconds=1", "429-date=2"])
    func waited(_ fault: String) async throws {
        let scene = try Scene()
        scene.server.replaceFaults([try Fault(parsing: fault + ":1@2-2")])
        let result = try await scene.crawl("--count", "6", "--page-size", "2", "--concurrency", "3", "--json")
        #expect(result.exitCode == 0, "\(result)")
        // A date has whole seconds, so that up to one of them is past already.
        #expect(try Self.seconds(result) >= 0.99)
        #expect(try EventLines(result.output).all("retry").contains { ($0["wait"] as? Double ?? 0) > 0.9 })
        try await scene.expectUsers(6)
    }

    @Test(
        "Retry-After counts only on 429 and 503, and only as whole seconds or an HTTP-date",
        arguments: [
            ("500 Internal Server Error", "3600"), ("408 Request Timeout", "3600"),
            ("429 Too Many Requests", "120junk"),
            ("429 Too Many Requests", "-5"), ("429 Too Many Requests", "1e9"), ("429 Too Many Requests", "0x10"),
            ("503 Service Unavailable", "Sun, 06 Nov 1994 08:49:37 GMT"), ("503 Service Unavailable", "soon"),
            ("200 OK", "3600"),
        ])
    func ignored(_ status: String, _ field: String) async throws {
        let page = Data(#"[{"uid": "a"}, {"uid": "b"}]"#.utf8)
        let server = try ScriptedServer(
            [.answer(status, fields: ["Retry-After: \(field)"], body: status.hasPrefix("200") ? page : Data())],
            [.answer(body: page)])
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl(
            "--count", "2", "--page-size", "2", "--json", environment: Scene.users(at: server.url("/")))
        #expect(result.exitCode == 0, "\(result)")
        let waits = try EventLines(result.output).all("retry").map { $0["wait"] as? Double ?? .infinity }
        #expect(waits.allSatisfy { $0 < 5 }, "\(result)")
        #expect(server.requests.count == (status.hasPrefix("200") ? 1 : 2))
        try await scene.expectUsers(2)
    }

    @Test("a wait beyond --max-wait stops for now, also when the command is repeated, and until then asks nothing")
    func beyondMaxWait() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.tooManySeconds, parameter: "3600", in: 3...Int.max)])
        let arguments = ["--count", "20", "--page-size", "2", "--concurrency", "1"]
        let first = try await scene.crawl(arguments)
        #expect(first.exitCode == 75, "\(first)")
        let wait = #/asks to wait until \d{4}-\d\d-\d\dT[\d:.]+Z, longer than --max-wait allows \(120 s\)/#
        #expect(first.errors.contains(wait), "\(first)")
        #expect(first.errors.contains("4 of 20 users are stored in output/crawl.db. Continue with: crawl --count 20"))
        let host = "127.0.0.1:\(scene.server.port)"
        #expect(try await scene.query("SELECT host FROM crawl_hosts") == host)
        for again in [arguments, ["resume"], arguments + ["--fresh"]] {
            let result = try await scene.crawl(again)
            #expect(result.exitCode == 75, "\(result)")
            #expect(result.errors.contains(wait), "\(result)")
        }
        #expect(scene.requests.count == 3, "nobody asks before the time")
        try await scene.expectUsers(4)
        // Once the time has come, the crawl goes on.
        scene.server.replaceFaults([])
        try await scene.alter("UPDATE crawl_hosts SET not_before = '2020-01-01T00:00:00.000Z'")
        let result = try await scene.crawl(arguments)
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(20)
    }

    @Test("a wait that was asked for outlives the program, however that ends")
    func restart() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.tooManySeconds, parameter: "100", in: 2...2)])
        let arguments = ["--count", "6", "--page-size", "2", "--concurrency", "1", "--json"]
        let program = try scene.start(arguments)
        #expect(await Program.wait { program.output.contains("\"retry\"") })
        // The time is stored before the wait begins; see that it is before the kill.
        var isStored = false
        for _ in 0..<200 where !isStored {
            isStored = try await scene.query("SELECT count(*) FROM crawl_hosts") == "1"
        }
        #expect(isStored)
        program.send(SIGKILL)
        _ = await program.end()
        let result = try await scene.crawl(arguments + ["--max-wait", "1s"])
        #expect(result.exitCode == 75, "\(result)")
        #expect(scene.requests.count == 2, "the rest of the time is kept")
        try await scene.alter("UPDATE crawl_hosts SET not_before = '2020-01-01T00:00:00.000Z'")
        #expect(try await scene.crawl(arguments).exitCode == 0)
        try await scene.expectUsers(6)
    }

    @Test("--rate keeps the distance between requests, whatever the lanes", arguments: [1, 4])
    func rate(lanes: Int) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            "--count", "9", "--page-size", "1", "--rate", "10/s", "--concurrency", "\(lanes)", "--json")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try Self.seconds(result) >= 0.79)
        #expect(scene.requests.count == 9)
        try await scene.expectUsers(9)
    }

    @Test("--retries says how often, none included", arguments: [0, 1, 5])
    func retries(_ count: Int) async throws {
        let scene = try Scene { $0.faults = [Fault(.badGateway)] }
        let result = try await scene.crawl("--count", "5", "--retries", "\(count)")
        #expect(result.exitCode == 69, "\(result)")
        #expect(scene.requests.count == count + 1)
        #expect(result.errors.contains("after \(count + 1) attempts") == (count > 0), "\(result)")
    }
}
