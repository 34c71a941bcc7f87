import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl --fresh", .fewAtOnce)
struct FreshTests {
    /// A scene with twenty stored users, and their keys.
    private static func stored() async throws -> (scene: Scene, keys: Set<String>) {
        let scene = try Scene { $0.latency = .milliseconds(15) }
        #expect(try await scene.crawl("--count", "20", "--page-size", "20").exitCode == 0)
        return (scene, try await keys(in: scene))
    }

    private static func keys(in scene: Scene) async throws -> Set<String> {
        Set(try await scene.query("SELECT uid FROM users").split(separator: "\n").map(String.init))
    }

    private static let fresh = ["--fresh", "--count", "40", "--page-size", "1", "--concurrency", "1"]

    @Test("a fresh crawl that is stopped before its first page has replaced nothing", arguments: [SIGKILL, SIGINT])
    func stoppedBeforeThePage(_ signal: Int32) async throws {
        let (scene, old) = try await Self.stored()
        let silent = try ScriptedServer([.hang])
        defer { silent.stop() }
        let program = try scene.start(Self.fresh, environment: Scene.users(at: silent.url("/")))
        _ = await program.end(by: signal, when: { !silent.requests.isEmpty })
        #expect(try await Self.keys(in: scene) == old)
        try await scene.expectVerified()
    }

    /// How a fresh crawl can be continued.
    enum Way: String, CaseIterable, Sendable {
        case sameCommand, withoutFresh, resume

        var arguments: [String] {
            switch self {
            case .sameCommand: fresh
            case .withoutFresh: Array(fresh.dropFirst())
            case .resume: ["resume"]
            }
        }
    }

    @Test("a fresh crawl killed before its first page replaces the records when it goes on", arguments: Way.allCases)
    func killedBeforeThePage(_ way: Way) async throws {
        let (scene, old) = try await Self.stored()
        let silent = try ScriptedServer([.hang])
        defer { silent.stop() }
        let program = try scene.start(Self.fresh, environment: Scene.users(at: silent.url("/")))
        _ = await program.end(by: SIGKILL, when: { !silent.requests.isEmpty })
        // The run's own endpoint is the silent server, which resume would ask again.
        let going = way == .resume ? ["resume", "--endpoint", "users=\(scene.usersURL)"] : way.arguments
        let result = try await scene.crawl(going)
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await Self.keys(in: scene).isDisjoint(with: old))
        try await scene.expectUsers(40)
        #expect(try await scene.query("SELECT count(*) FROM crawl_runs") == "2")
    }

    @Test("a fresh crawl that was killed in its middle goes on and does not begin anew", arguments: Way.allCases)
    func killedInTheMiddle(_ way: Way) async throws {
        let (scene, old) = try await Self.stored()
        let program = try scene.start(Self.fresh)
        _ = await program.end(by: SIGKILL, when: { scene.requests.count >= 10 })
        let kept = try await Self.keys(in: scene)
        #expect(!kept.isEmpty && kept.count < 40 && kept.isDisjoint(with: old))
        try await scene.expectVerified()
        let result = try await scene.crawl(way.arguments)
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await Self.keys(in: scene).isSuperset(of: kept))
        try await scene.expectUsers(40)
        #expect(try await scene.query("SELECT count(*) FROM crawl_runs") == "2")
    }

    @Test("a fresh crawl that is repeated when done replaces the records once more")
    func again() async throws {
        let (scene, _) = try await Self.stored()
        #expect(try await scene.crawl(Self.fresh).exitCode == 0)
        let first = try await Self.keys(in: scene)
        #expect(try await scene.crawl(Self.fresh).exitCode == 0)
        #expect(try await Self.keys(in: scene).isDisjoint(with: first))
        try await scene.expectUsers(40)
    }

    @Test("an interrupted crawl does not keep --fresh from beginning anew")
    func afterAnInterruptedRun() async throws {
        let scene = try Scene { $0.latency = .milliseconds(15) }
        let program = try scene.start("--count", "40", "--page-size", "1", "--concurrency", "1")
        _ = await program.end(by: SIGKILL, when: { scene.requests.count >= 10 })
        let old = try await Self.keys(in: scene)
        #expect(try await scene.crawl(Self.fresh).exitCode == 0)
        #expect(try await Self.keys(in: scene).isDisjoint(with: old))
        try await scene.expectUsers(40)
        let resumed = try await scene.crawl("resume")
        #expect(resumed.output.contains("Nothing to resume"), "\(resumed)")
    }

    @Test("an error page in place of the first page replaces nothing")
    func errorPage() async throws {
        let (scene, old) = try await Self.stored()
        scene.server.replaceFaults([Fault(.html)])
        let failed = try await scene.crawl("--fresh", "--count", "40", "--retries", "1")
        #expect(failed.exitCode == 65, "\(failed)")
        #expect(try await Self.keys(in: scene) == old)
        scene.server.replaceFaults([])
        #expect(try await scene.crawl(Self.fresh).exitCode == 0)
        #expect(try await Self.keys(in: scene).isDisjoint(with: old))
        try await scene.expectUsers(40)
    }
}
