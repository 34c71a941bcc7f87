import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Secrets in addresses", .fewAtOnce)
struct SecretTests {
    private static let secret = "s3cr3t-t0ken"

    private static func url(_ scene: Scene) -> String {
        "http://user:\(secret)@127.0.0.1:\(scene.server.port)/api/v2/users?api_key=\(secret)"
    }

    @Test("are in no event, no message and nowhere in the database")
    func nowhere() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.unavailable, in: 2...2), Fault(.notFound, in: 4...4)])
        for output in ["--json", "--verbose"] {
            let result = try await scene.crawl(
                "--count", "30", output, "--endpoint", "users=\(Self.url(scene))")
            #expect(result.exitCode == (output == "--json" ? 69 : 0), "\(result)")
            #expect(!(result.output + result.errors).contains(Self.secret), "\(result)")
        }
        #expect(scene.requests.allSatisfy { $0.target.contains("api_key=\(Self.secret)") })
        let dump = try await scene.shell("sqlite3 output/crawl.db .dump; \"$CRAWL\" status; \"$CRAWL\" status --json")
        #expect(!dump.output.contains(Self.secret))
        #expect(!String(decoding: scene.bytes("output/crawl.db"), as: UTF8.self).contains(Self.secret))
    }

    @Test("what stands behind # is neither sent nor kept")
    func fragment() async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            "--count", "10", "--endpoint", "users=\(scene.usersURL)#\(Self.secret)")
        #expect(result.exitCode == 0, "\(result)")
        let dump = try await scene.shell("sqlite3 output/crawl.db .dump")
        #expect(dump.output.contains("CREATE TABLE") && !dump.output.contains(Self.secret))
        #expect(scene.requests.allSatisfy { !$0.target.contains(Self.secret) })
    }

    @Test("are asked for again by resume, as the ledger does not keep them")
    func resume() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.notFound, in: 4...4)])
        let failed = try await scene.crawl("--count", "30", "--endpoint", "users=\(Self.url(scene))")
        #expect(failed.exitCode == 69)
        #expect(failed.errors.contains("api_key=***'"), "\(failed)")
        let requests = scene.requests.count
        let refused = try await scene.crawl("resume", environment: ["CRAWL_ENDPOINT_USERS": nil])
        #expect(refused.exitCode == 64, "\(refused)")
        #expect(refused.errors.contains("--endpoint users=URL"), "\(refused)")
        #expect(scene.requests.count == requests, "a masked secret is sent to nobody")
        let resumed = try await scene.crawl(
            "resume", "--endpoint", "users=\(Self.url(scene))", environment: ["CRAWL_ENDPOINT_USERS": nil])
        #expect(resumed.exitCode == 0, "\(resumed)")
        try await scene.expectUsers(30)
    }
}
