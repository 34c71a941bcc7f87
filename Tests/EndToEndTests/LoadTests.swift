import Foundation
import StandInAPI
import TestSupport
import Testing

extension Scene {
    /// The variables that point every endpoint of every source at the server.
    var everywhere: [String: String?] {
        var variables: [String: String?] = [:]
        for (name, path) in StandInAPI.paths {
            let variable = name.uppercased().replacing(".", with: "_")
            variables["CRAWL_ENDPOINT_" + variable] = server.baseURL + path
        }
        return variables
    }

    /// Runs `crawl` with every endpoint at the server.
    func crawlEverywhere(_ arguments: String...) async throws -> Program.Result {
        try await crawl(arguments, environment: everywhere)
    }
}

@Suite("crawl load")
struct LoadTests {
    @Test("loads whole sources side by side; repeated, nothing is doubled")
    func sideBySide() async throws {
        let scene = try Scene()
        let first = try await scene.crawlEverywhere("load", "posts", "tickers")
        #expect(first.exitCode == 0, "\(first)")
        #expect(first.output.split(separator: "\n").count == 2)
        let counts = "SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM tickers)"
        let stored = try await scene.query(counts)
        #expect(stored.hasPrefix("100|"))
        let again = try await scene.crawlEverywhere("load", "posts", "tickers", "--refresh")
        #expect(again.exitCode == 0, "\(again)")
        #expect(again.output.contains("100 posts stored in output/crawl.db: 0 new, 0 updated, 100 unchanged"))
        #expect(try await scene.query(counts) == stored)
        try await scene.expectVerified()
    }

    @Test("changed rows are updated, and a value that the answer leaves out stays")
    func updates() async throws {
        let scene = try Scene { $0.pricesMove = true }
        _ = try await scene.crawlEverywhere("load", "tickers")
        try await scene.alter("UPDATE tickers SET circulating_supply = 4711.0")
        let again = try await scene.crawlEverywhere("load", "tickers")
        #expect(again.exitCode == 0, "\(again)")
        let updated = try await scene.query("SELECT updated > 0, new FROM crawl_pages ORDER BY id DESC LIMIT 1")
        #expect(updated == "1|0")
        #expect(try await scene.query("SELECT count(*) FROM tickers WHERE circulating_supply IS NOT 4711.0") == "0")
        try await scene.expectVerified()
    }

    @Test("a server that ignores the limit does not fill the table with what nobody asked for")
    func limit() async throws {
        let scene = try Scene { $0.coins = 250 }
        let result = try await scene.crawlEverywhere(
            "load", "tickers", "--endpoint", "tickers=\(scene.server.baseURL)/v1/tickers?limit=250")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM tickers") == "100")
        #expect(try await scene.query("SELECT received, new, surplus FROM crawl_pages") == "250|100|150")
        try await scene.expectVerified()
    }

    @Test("markets appear together: both are new, or both stay as they were")
    func markets() async throws {
        let scene = try Scene { $0.pricesMove = true }
        let first = try await scene.crawlEverywhere("load", "markets")
        #expect(first.exitCode == 0, "\(first)")
        let state = "SELECT (SELECT sum(price_usd) FROM tickers), (SELECT sum(regularMarketPrice) FROM quotes)"
        let before = try await scene.query(state)
        scene.server.replaceFaults([try Fault(parsing: "tickers/500:1")])
        let failed = try await scene.crawlEverywhere("load", "markets", "--retries", "0")
        #expect(failed.exitCode == 69, "\(failed)")
        #expect(failed.errors.contains("stored together"), "\(failed)")
        #expect(try await scene.query(state) == before)
        let partial = try await scene.crawlEverywhere("load", "markets", "--retries", "0", "--partial")
        #expect(partial.exitCode == 69, "\(partial)")
        let after = try await scene.query(state)
        #expect(after != before && after.split(separator: "|").first == before.split(separator: "|").first)
        scene.server.replaceFaults([])
        #expect(try await scene.crawlEverywhere("load", "markets").exitCode == 0)
        try await scene.expectVerified()
    }

    @Test("a second connection never sees half an update of markets")
    func oneTransaction() async throws {
        let scene = try Scene { $0.pricesMove = true }
        _ = try await scene.crawlEverywhere("load", "markets")
        let watching = try scene.start(["watch", "markets", "--every", "1s"], environment: scene.everywhere)
        var seen: Set<String> = []
        let deadline = ContinuousClock.now + .seconds(Sanitizer.patience)
        while seen.count < 3, ContinuousClock.now < deadline {
            // The ledger's rows come with the records: after each round there is one page more of both, or of neither.
            let pages = try await scene.query(
                """
                SELECT (SELECT count(*) FROM crawl_pages JOIN crawl_runs ON crawl_runs.id = run WHERE source = 'tickers'),
                    (SELECT count(*) FROM crawl_pages JOIN crawl_runs ON crawl_runs.id = run WHERE source = 'quotes')
                """)
            seen.insert(pages)
        }
        watching.send(2)
        #expect(await watching.end().exitCode == 130)
        #expect(seen.count == 3, "\(seen)")
        #expect(seen.allSatisfy { $0.split(separator: "|").first == $0.split(separator: "|").last }, "\(seen)")
    }

    @Test("a load whose records are mostly rejected is no success, and says why")
    func rejected() async throws {
        let scene = try Scene()
        let file = #"""
            {"name": "odd", "url": "URL", "pagination": {"style": "single"}, "key": "id",
             "columns": {"id": "integer!", "title": "integer"}}
            """#
        try file.replacing("URL", with: scene.server.baseURL + "/posts")
            .write(toFile: scene.folder.file("odd.json"), atomically: true, encoding: .utf8)
        for arguments in [["load", "./odd.json"], ["--source", "./odd.json", "--count", "20"]] {
            let result = try await scene.crawl(arguments)
            #expect(result.exitCode == 3, "\(result)")
            #expect(result.errors.contains("title: expected integer, got text"), "\(result)")
            #expect(result.errors.contains("crawl_rejects"), "\(result)")
        }
        try await scene.expectVerified()
    }

    @Test("one source fails: the other is whole, the exit code and the message are the failure's")
    func oneFails() async throws {
        let scene = try Scene { $0.faults = [try Fault(parsing: "tickers/500:1")] }
        let result = try await scene.crawlEverywhere("load", "posts", "tickers", "--retries", "1")
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains("tickers"))
        #expect(result.errors.contains("500"))
        #expect(try await scene.query("SELECT count(*) FROM posts") == "100")
        #expect(scene.requests.filter { $0.target.hasPrefix("/v1/tickers") }.count == 2)
        scene.server.replaceFaults([])
        #expect(try await scene.crawlEverywhere("resume").exitCode == 0)
        #expect(try await scene.query("SELECT count(*) > 0 FROM tickers") == "1")
        try await scene.expectVerified()
    }

    @Test(
        "what cannot be loaded is refused before the first request",
        arguments: [
            (["load", "users"], "no end"), (["load", "psots"], "Did you mean 'posts'?"),
            (["load", "posts", "posts"], "twice"), (["load", "markets", "tickers"], "twice"), (["load"], "names"),
        ])
    func refused(arguments: [String], words: String) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(arguments, environment: scene.everywhere)
        #expect(result.exitCode == 64, "\(result)")
        #expect(result.errors.contains(words), "\(result)")
        #expect(scene.requests.isEmpty)
        #expect(!scene.exists("output/crawl.db"))
    }
}

@Suite("Cache")
struct CacheTests {
    @Test("within max-age a load asks nothing and says so; --refresh asks all the same")
    func maxAge() async throws {
        let scene = try Scene()
        _ = try await scene.crawlEverywhere("load", "posts")
        let before = scene.requests.count
        let again = try await scene.crawlEverywhere("load", "posts")
        #expect(again.exitCode == 0)
        #expect(scene.requests.count == before)
        #expect(again.errors.contains("--refresh"))
        let refreshed = try await scene.crawlEverywhere("load", "posts", "--refresh")
        #expect(refreshed.exitCode == 0)
        #expect(scene.requests.count == before + 1)
        #expect(scene.requests.last?.status == 200)
    }

    @Test("records that somebody deleted come back, although no page has changed", arguments: ["3", "200"])
    func deleted(_ most: String) async throws {
        let scene = try Scene()
        #expect(try await scene.crawlEverywhere("load", "posts").exitCode == 0)
        try await scene.alter("DELETE FROM posts WHERE id % 3 = 0 AND id < \(most)0")
        let again = try await scene.crawlEverywhere("load", "posts")
        #expect(again.exitCode == 0, "\(again)")
        #expect(try await scene.query("SELECT count(*), count(DISTINCT id) FROM posts") == "100|100")
    }

    @Test("after max-age the server is asked conditionally, and 304 touches no row")
    func conditional() async throws {
        let scene = try Scene()
        _ = try await scene.crawlEverywhere("load", "posts", "--page-size", "20")
        try await scene.alter("UPDATE crawl_cache SET fresh_until = '2020-01-01T00:00:00.000Z'")
        let pages = try await scene.query("SELECT group_concat(page) FROM posts")
        let again = try await scene.crawlEverywhere("load", "posts", "--page-size", "20")
        #expect(again.exitCode == 0, "\(again)")
        #expect(again.output.contains("0 new, 0 updated, 100 unchanged"))
        #expect(scene.requests.suffix(5).allSatisfy { $0.status == 304 })
        #expect(try await scene.query("SELECT group_concat(page) FROM posts") == pages)
        let fresh = try await scene.crawlEverywhere("load", "posts", "--page-size", "20")
        #expect(fresh.errors.contains("nothing was asked"), "304 renews the max-age")
        try await scene.expectVerified()
    }

    @Test("--fresh never trusts the cache")
    func fresh() async throws {
        let scene = try Scene()
        _ = try await scene.crawlEverywhere("load", "posts")
        try await scene.alter("UPDATE posts SET title = 'changed by somebody'")
        let result = try await scene.crawlEverywhere("load", "posts", "--fresh")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM posts WHERE title LIKE 'changed%'") == "0")
        try await scene.expectVerified()
    }

    @Test("a page that was not stored whole is asked for in full")
    func surplus() async throws {
        let scene = try Scene()
        _ = try await scene.crawlEverywhere("--source", "posts", "--count", "30", "--page-size", "20")
        let result = try await scene.crawlEverywhere("load", "posts", "--page-size", "20")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM posts") == "100")
        try await scene.expectVerified()
    }
}

@Suite("crawl watch")
struct WatchTests {
    @Test("prints a line for each change of a price, and nothing for the first load")
    func lines() async throws {
        let scene = try Scene {
            $0.pricesMove = true
            $0.coins = 9
        }
        let result = try await scene.crawlEverywhere("watch", "tickers", "--every", "1s", "--rounds", "2")
        #expect(result.exitCode == 0, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect((1...9).contains(lines.count), "\(result)")
        #expect(lines.allSatisfy { $0.contains(" → ") && $0.hasSuffix(" %)") }, "\(result)")
        try await scene.expectVerified()
    }

    @Test("goes on over failures that pass, and ends at once on Ctrl-C")
    func failures() async throws {
        let scene = try Scene { $0.faults = [try Fault(parsing: "tickers/500:1@1-1")] }
        let program = try scene.start(
            ["watch", "tickers", "--every", "1s", "--retries", "0"], environment: scene.everywhere)
        let hasLoaded = await Program.wait { scene.requests.contains { $0.status == 200 } }
        #expect(hasLoaded)
        program.send(2)
        let result = await program.end()
        #expect(result.exitCode == 130, "\(result)")
        #expect(result.errors.contains("500"), "\(result)")
        try await scene.expectVerified()
    }
}
