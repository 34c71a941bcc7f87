import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl mock-api", .fewAtOnce)
struct MockAPITests {
    /// A running `crawl mock-api`, and the address that it printed.
    private final class MockAPI: Sendable {
        let program: Program
        let url: String

        init(_ scene: Scene, _ arguments: String...) async throws {
            program = try scene.start(["mock-api"] + arguments)
            let program = program
            _ = await Program.wait {
                let output = program.output
                return output.contains("/api/v2/users\n") && output.contains("/posts\n") || program.hasEnded
            }
            guard let match = program.output.firstMatch(of: #/Serving made-up data at (http://127\.0\.0\.1:\d+) /#)
            else {
                throw SceneFailure(description: program.output + program.errors)
            }
            url = String(match.1)
        }

        func stop(_ signal: Int32 = SIGTERM) async -> Program.Result {
            program.send(signal)
            return await program.end()
        }
    }

    private static func crawl(
        _ scene: Scene, _ api: MockAPI, _ database: String, _ arguments: String...
    ) async throws -> Program.Result {
        try await scene.crawl(
            ["--endpoint", "users=\(api.url)/api/v2/users", "--db", database] + arguments)
    }

    @Test("prints where it serves what, and serves it until a signal ends it", arguments: [SIGINT, SIGTERM])
    func serves(_ signal: Int32) async throws {
        let scene = try Scene()
        let api = try await MockAPI(scene, "--port", "0", "--seed", "5")
        let lines = api.program.output.split(separator: "\n")
        #expect(lines[0] == "Serving made-up data at \(api.url) (seed 5); Ctrl-C ends it")
        #expect(lines.contains { $0.contains("users") && $0.hasSuffix("\(api.url)/api/v2/users") })
        #expect(lines.contains { $0.contains("posts") && $0.hasSuffix("\(api.url)/posts") })
        let result = try await Self.crawl(scene, api, "a.db", "--count", "30")
        #expect(result.exitCode == 0, "\(result)")
        #expect(!result.output.contains("made up"), "it is a server like any other")
        let ended = await api.stop(signal)
        #expect(ended.exitCode == 128 + signal, "\(ended)")
        #expect(ended.errors == "")
    }

    @Test("the same seed gives the same people, another seed others")
    func seed() async throws {
        let scene = try Scene()
        var people: [String] = []
        for (index, seed) in ["5", "5", "6"].enumerated() {
            let api = try await MockAPI(scene, "--port", "0", "--seed", seed)
            #expect(
                try await Self.crawl(scene, api, "\(index).db", "--count", "20", "--concurrency", "1").exitCode == 0)
            people.append(
                try await scene.query("SELECT * FROM users ORDER BY rowid", database: scene.folder.file("\(index).db")))
            _ = await api.stop()
        }
        #expect(people[0] == people[1])
        #expect(people[0] != people[2])
    }

    @Test("--people limits the population, so that duplicates occur")
    func population() async throws {
        let scene = try Scene()
        let api = try await MockAPI(scene, "--port", "0", "--people", "12")
        let result = try await Self.crawl(scene, api, "a.db", "--count", "12", "--json")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try EventLines(result.output).last("finished")["duplicate"] as? Int ?? 0 > 0)
        let more = try await Self.crawl(scene, api, "a.db", "--count", "13")
        #expect(more.exitCode == 3, "\(more)")
        _ = await api.stop()
    }

    @Test("--latency holds every answer back")
    func latency() async throws {
        let scene = try Scene()
        let api = try await MockAPI(scene, "--port", "0", "--latency", "150")
        let result = try await Self.crawl(scene, api, "a.db", "--count", "2", "--page-size", "1", "--json")
        #expect(try EventLines(result.output).last("finished")["seconds"] as? Double ?? 0 >= 0.3)
        _ = await api.stop()
    }

    @Test("--fault takes every kind, and commits it")
    func faults() async throws {
        let scene = try Scene()
        // All of them at once, far out of reach, but for one.
        let kinds = FaultKind.allCases.flatMap { ["--fault", "\($0.rawValue):1000000"] }
        let program = try scene.start(["mock-api", "--port", "0"] + kinds)
        let result = await program.end(by: SIGTERM, when: { program.output.contains("Serving") || program.hasEnded })
        #expect(result.exitCode == 143, "\(result)")

        let api = try await MockAPI(scene, "--port", "0", "--fault", "503:2", "--fault", "429-seconds=0:3@1-3")
        let crawled = try await Self.crawl(scene, api, "a.db", "--count", "6", "--page-size", "1", "--json")
        #expect(crawled.exitCode == 0, "\(crawled)")
        let reasons = try EventLines(crawled.output).all("retry").compactMap { $0["reason"] as? String }
        #expect(reasons.contains { $0.contains("503") } && reasons.contains { $0.contains("429") })
        _ = await api.stop()
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var testDescription: String { arguments.joined(separator: " ") }
        var arguments: [String]
        var says: [String]
    }

    static let wrong = [
        Wrong(arguments: ["--fault", "truncted:3"], says: ["'truncted'", "Did you mean 'truncated'?"]),
        Wrong(arguments: ["--fault", "bogus"], says: ["'bogus'", "truncated"]),
        Wrong(arguments: ["--fault", "503:0"], says: ["503:0", "503:5"]),
        Wrong(arguments: ["--fault", "503=4:1"], says: ["'503'", "=4"]),
        Wrong(arguments: ["--fault", "hang=x:1"], says: ["'hang'", "'x'", "seconds"]),
        Wrong(arguments: ["--port", "65536"], says: ["65536", "0 to 65535"]),
        Wrong(arguments: ["--people", "0"], says: ["--people"]),
        Wrong(arguments: ["--seed", "-1"], says: ["--seed"]),
        Wrong(arguments: ["--latency", "soon"], says: ["soon"]),
        Wrong(arguments: ["--count", "5"], says: ["Unknown option '--count'"]),
    ]

    @Test("mistakes on its command line end with exit 64 and what is allowed", arguments: wrong)
    func usage(_ wrong: Wrong) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(["mock-api", "--port", "0"] + wrong.arguments)
        #expect(result.exitCode == 64, "\(result)")
        #expect(result.output == "")
        for part in wrong.says + ["Error: ", "Usage: crawl mock-api", "See 'crawl mock-api --help'"] {
            #expect(result.errors.contains(part), "the error does not say '\(part)': \(result)")
        }
    }

    @Test("a port that is taken ends with exit 69 and the port")
    func portInUse() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("mock-api", "--port", "\(scene.server.port)")
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains("\(scene.server.port)"), "\(result)")
        #expect(result.output == "")
    }
}
