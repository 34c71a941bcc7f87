import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite(
    "A disk that is full", .fewAtOnce,
    .disabled(if: Sanitizer.isWatchingThreads, "the sanitizer itself cannot start under the limit"))
struct DiskFullTests {
    /// The largest file in blocks of 512 bytes: at the very beginning, among the tables, in the middle of the records.
    @Test(
        "exit 74 with what is stored in order; with room again the same command completes",
        arguments: [1, 8, 64, 200, 500, 1500])
    func full(blocks: Int) async throws {
        let scene = try Scene()
        let arguments = ["--count", "1500", "--page-size", "50"]
        let result = try await scene.crawl(arguments, shellPrefix: "ulimit -f \(blocks)")
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("output/crawl.db"), "\(result)")
        #expect(result.errors.contains("Everything stored so far is safe"), "\(result)")
        let status = try await scene.crawl("status")
        if blocks >= 500 {
            #expect(status.exitCode == 0, "\(status)")
            #expect(try await scene.query("SELECT count(*) > 0 AND count(*) < 1500 FROM users") == "1")
            try await scene.expectVerified()
        }
        let again = try await scene.crawl(arguments)
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectUsers(1500)
    }

    @Test(
        "standard output that takes nothing more is an error, exit 74; what is stored stays",
        arguments: ["", "--json", "status", "status --json", "verify", "--version", "--help"])
    func output(_ line: String) async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "10").exitCode == 0)
        let isCrawl = line == "" || line == "--json"
        let result = try await scene.shell("\"$CRAWL\" \(line)\(isCrawl ? " --count 20" : "") > /dev/full")
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("Standard output cannot be written (No space left on device)"), "\(result)")
        try await scene.expectVerified()
    }

    @Test("a full disk costs nothing of what was stored before, and reading goes on")
    func second() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "300", "--page-size", "50").exitCode == 0)
        let before = try await scene.query("SELECT uid FROM users ORDER BY rowid")
        let size = scene.bytes("output/crawl.db").count / 512
        let result = try await scene.crawl(
            ["--count", "3000", "--page-size", "50"], shellPrefix: "ulimit -f \(size + 100)")
        #expect(result.exitCode == 74, "\(result)")
        let kept = try await scene.query(
            "SELECT uid FROM users ORDER BY rowid LIMIT 300")
        #expect(kept == before)
        try await scene.expectVerified()
        let export = try await scene.crawl("export", "users")
        #expect(export.exitCode == 0, "\(export)")
        #expect(try await scene.crawl("--count", "3000", "--page-size", "50").exitCode == 0)
        try await scene.expectUsers(3000)
    }
}
