import CrawlCore
import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Progress off a terminal", .fewAtOnce)
struct ProgressTests {
    @Test("the first sign of life comes at once, also when the server hangs")
    func firstSign() async throws {
        let server = try ScriptedServer([.hang])
        defer { server.stop() }
        let scene = try Scene()
        let clock = ContinuousClock()
        var (quickest, quickestStart) = (Duration.seconds(60), Duration.seconds(60))
        // The quickest of a few: a machine that does something else meanwhile proves nothing. Where it is busy all the
        // time, what a start alone takes shows how much.
        for _ in 0..<12 where quickest > max(.milliseconds(100), quickestStart * 2) {
            quickestStart = min(quickestStart, .seconds(try await scene.crawl("--version").seconds))
            let sign = Locked(Duration.seconds(60))
            let start = clock.now
            let program = try scene.start(["--count", "5"], environment: Scene.users(at: server.url("/")))
            _ = await program.end(by: SIGKILL) {
                guard !program.errors.isEmpty else { return false }
                sign.withLock { $0 = clock.now - start }
                return true
            }
            quickest = min(quickest, sign.withLock { $0 })
        }
        #expect(quickest <= max(.milliseconds(100), quickestStart * 2), "\(quickest), a start alone \(quickestStart)")
    }

    @Test("plain lines: the start, where from, no escape sequence, and the summary alone on stdout")
    func plain() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "20")
        #expect(result.exitCode == 0)
        let lines = result.errors.split(separator: "\n")
        let from = "Crawling users from \(scene.usersURL): 0 of 20 stored (output/crawl.db)"
        #expect(lines == ["Starting with users", Substring(from)])
        #expect(!(result.output + result.errors).contains("\u{1B}"))
        #expect(!(result.output + result.errors).contains("\r"))
        let pattern =
            #/
            20\ users\ stored\ in\ output/crawl\.db:\ 20\ new,\ 0\ duplicates;
            \ 10\ requests,\ 0\ retries,\ \d+\.\d\ KB,\ \d+\.\d\ s\n
            /#
        #expect(result.output.wholeMatch(of: pattern) != nil, "\(result)")
    }

    @Test("going on is told as such")
    func goingOn() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.notFound, in: 3...Int.max)])
        #expect(try await scene.crawl("--count", "20").exitCode == 69)
        scene.server.replaceFaults([])
        let result = try await scene.crawl("--count", "20")
        #expect(result.errors.contains("Going on with users from \(scene.usersURL): 4 of 20 stored"), "\(result)")
    }

    @Test("--quiet prints nothing on success, and errors alone on failure")
    func quiet() async throws {
        let scene = try Scene()
        let good = try await scene.crawl("--count", "20", "--quiet")
        #expect(good.exitCode == 0)
        #expect(good.output == "" && good.errors == "", "\(good)")
        let again = try await scene.crawl("--count", "20", "-q", "--csv", "users.csv")
        #expect(again.output == "" && again.errors == "", "\(again)")
        #expect(scene.exists("users.csv"))
        scene.server.replaceFaults([Fault(.notFound)])
        let bad = try await scene.crawl("--count", "30", "-q")
        #expect(bad.exitCode == 69)
        #expect(bad.output == "")
        #expect(bad.errors.hasPrefix("Error: "), "\(bad)")
    }

    @Test("--verbose tells each request and each retry")
    func verbose() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.unavailable, in: 2...2)])
        let result = try await scene.crawl("--count", "4", "--page-size", "2", "-v")
        #expect(result.exitCode == 0, "\(result)")
        let lines = result.errors.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("GET \(scene.usersURL)?size=2: 200, ") }.count == 2, "\(result)")
        #expect(lines.filter { $0.hasPrefix("GET \(scene.usersURL)?size=2: 503, ") }.count == 1, "\(result)")
        let retries = lines.filter { $0.hasPrefix("Attempt 1 for \(scene.usersURL)?size=2 failed: ") }
        #expect(retries.count == 1 && retries[0].contains("503") && retries[0].contains("trying again in"))
    }

    @Test("a reader of stdout that goes away stops the crawl without a word")
    func closedPipe() async throws {
        let scene = try Scene { $0.latency = .milliseconds(10) }
        let result = try await scene.shell(
            "{ \"$CRAWL\" --count 500 --page-size 1 --json; echo $? > code; } | head -n 1")
        #expect(result.output.hasPrefix(#"{"type":"started""#), "\(result)")
        #expect(result.errors == "", "\(result)")
        #expect(scene.contents("code") == "141\n")
        #expect(try await scene.query("SELECT count(*) < 500 FROM users") == "1")
        try await ResumeTests.expectBalanced(scene, state: "interrupted")
    }

    @Test("stdout that is closed from the start does not disturb a crawl")
    func closedFromTheStart() async throws {
        let scene = try Scene()
        let result = try await scene.shell("\"$CRAWL\" --count 10 >&- 2>&-")
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(10)
    }

    @Test("text of a server cannot move the cursor of whoever reads the errors")
    func controlCharacters() async throws {
        let page = "\u{1B}[2J\u{1B}]0;title\u{7}gone\r\nError: none"
        let server = try ScriptedServer([.answer("404 Not Found", text: page)])
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl("--count", "5", environment: Scene.users(at: server.url("/\u{1B}[1m")))
        #expect(!(result.errors + result.output).contains("\u{1B}"), "\(result)")
        #expect(!(result.errors + result.output).contains("\u{7}"))
        #expect(!result.errors.contains("\nError: none"))
    }
}
