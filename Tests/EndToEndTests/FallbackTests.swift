import Foundation
import TestSupport
import Testing

@Suite("Fallback to the stand-in", .fewAtOnce)
struct FallbackTests {
    @Test("without internet, says so in one line on stderr and crawls the stand-in to exactly N")
    func outOfReach() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "30", environment: Scene.outOfReach)
        #expect(result.exitCode == 0, "\(result)")
        let notices = result.errors.split(separator: "\n").filter { $0.contains("stand-in") }
        #expect(notices.count == 1, "\(result)")
        let notice = notices.first ?? ""
        for part in ["Note: ", "random-data-api.com", "out of reach", "made up", "--live"] {
            #expect(notice.contains(part), "the notice does not say '\(part)': \(notice)")
        }
        #expect(result.output.contains("made up"), "every summary says that the people are made up")
        #expect(scene.requests.isEmpty)
        try await scene.expectUsers(30)
        #expect(try await scene.query("SELECT endpoint, state, target FROM crawl_runs") == "stand-in|complete|30")
        let urls = try await scene.query("SELECT count(*) FROM crawl_pages WHERE url NOT LIKE 'http://127.0.0.1:%'")
        #expect(urls == "0", "the stand-in is asked over HTTP on loopback")
    }

    @Test("with --json the notice is an event, and finished says made_up")
    func events() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "5", "--json", environment: Scene.outOfReach)
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.errors == "")
        let events = try EventLines(result.output)
        #expect(events.types.filter { $0 == "notice" }.count == 1)
        #expect(events.last("finished")["made_up"] as? Bool == true)
    }

    @Test("--live forbids the stand-in: exit 69, nothing stored, and what to do")
    func live() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "30", "--live", "--retries", "0", environment: Scene.outOfReach)
        #expect(result.exitCode == 69, "\(result)")
        #expect(!result.errors.contains("stand-in"))
        #expect(result.errors.contains("random-data-api.com"))
        #expect(result.errors.contains("Continue with: crawl --count 30 --live --retries 0"))
        try await scene.expectUsers(0)
        #expect(try await scene.query("SELECT state FROM crawl_runs") == "failed")
    }

    struct Named: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var url: String
        var says: String
    }

    static let named = [
        Named(testDescription: "refused connection", url: "http://127.0.0.1:9/users", says: "127.0.0.1:9"),
        Named(
            testDescription: "unknown name", url: "http://nowhere.invalid/users",
            says: "Could not resolve host: nowhere.invalid"),
    ]

    @Test("a named endpoint never falls back", arguments: named, [true, false])
    func endpoint(_ endpoint: Named, isOption: Bool) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            ["--count", "5", "--retries", "1"] + (isOption ? ["--endpoint", "users=\(endpoint.url)"] : []),
            environment: isOption ? Scene.users(at: "http://127.0.0.1:1/other") : Scene.users(at: endpoint.url))
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains(endpoint.says), "\(result)")
        #expect(!result.errors.contains("stand-in"))
        try await scene.expectUsers(0)
    }

    @Test("--offline asks nobody else, and says on the summary that the people are made up")
    func offline() async throws {
        let scene = try Scene()
        let environment: [String: String?] = ["CRAWL_ENDPOINT_USERS": nil]
        let result = try await scene.crawl("--count", "12", "--offline", environment: environment)
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("made up"))
        #expect(!result.errors.contains("out of reach"))
        try await scene.expectUsers(12)
        #expect(try await scene.query("SELECT endpoint FROM crawl_runs") == "stand-in")
    }

    @Test("made-up people are called so for as long as they are stored")
    func staysMadeUp() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "5", "--offline").exitCode == 0)
        let done = try await scene.crawl("--count", "5")
        #expect(done.exitCode == 0 && done.output.contains("made up"), "\(done)")
        let more = try await scene.crawl("--count", "8")
        #expect(more.exitCode == 0 && more.output.contains("made up"), "\(more)")
        let fresh = try await scene.crawl("--count", "8", "--fresh")
        #expect(fresh.exitCode == 0 && !fresh.output.contains("made up"), "\(fresh)")
    }

    @Test("an interrupted stand-in run goes on with the stand-in", arguments: ["same command", "resume"])
    func goesOn(_ way: String) async throws {
        let scene = try Scene()
        // So slowly that the run is surely stopped in its middle.
        let arguments = ["--count", "25", "--page-size", "1", "--rate", "20/s"]
        let program = try scene.start(arguments, environment: Scene.outOfReach)
        let stopped = await program.end(by: SIGINT, when: { program.errors.contains("stand-in serves") })
        #expect(stopped.exitCode == 130, "\(stopped)")
        let before = try await scene.query("SELECT count(*) < 25 FROM users")
        #expect(before == "1")

        let result = try await scene.crawl(way == "resume" ? ["resume"] : arguments, environment: Scene.outOfReach)
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("made up"))
        try await scene.expectUsers(25)
        #expect(
            try await scene.query("SELECT DISTINCT endpoint FROM crawl_runs") == "stand-in",
            "the run goes on with the stand-in")
    }

    @Test("a server that takes the connection and then breaks it off is not out of reach")
    func brokenOff() async throws {
        // What stands behind this proxy accepts the connection and closes it in the middle of the TLS handshake.
        let server = try ScriptedServer { request in
            request.line.hasPrefix("CONNECT") ? [.text("HTTP/1.1 200 OK\r\n\r\n"), .close] : [.close]
        }
        defer { server.stop() }
        let scene = try Scene()
        let environment: [String: String?] = ["CRAWL_ENDPOINT_USERS": nil, "https_proxy": server.url("")]
        let result = try await scene.crawl("--count", "5", "--retries", "0", environment: environment)
        #expect(result.exitCode == 69, "\(result)")
        #expect(!result.errors.contains("stand-in"), "\(result)")
        #expect(server.requests.map(\.line) == ["CONNECT random-data-api.com:443"])
        try await scene.expectUsers(0)
    }

    @Test("sources whose data is real never fall back", arguments: ["posts", "tickers", "quotes", "randomuser"])
    func realData(_ source: String) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            "--source", source, "--count", "3", "--retries", "0", environment: Scene.outOfReach)
        #expect(result.exitCode == 69, "\(result)")
        #expect(!result.errors.contains("stand-in"), "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM \(source)") == "0")
    }
}
