import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl status", .fewAtOnce)
struct StatusTests {
    @Test("shows each run with state, counts and pace, why it ended, and how to go on")
    func text() async throws {
        let scene = try Scene { $0.people = 40 }
        #expect(try await scene.crawl("--count", "20", "--page-size", "5").exitCode == 0)
        scene.server.replaceFaults([Fault(.unavailable, every: 3, in: 1...9), Fault(.forbidden, in: 10...Int.max)])
        #expect(try await scene.crawl("--count", "40", "--page-size", "5").exitCode == 77)
        let result = try await scene.crawl("status")
        #expect(result.exitCode == 0)
        #expect(result.errors == "")
        let lines = result.output.components(separatedBy: "\n")
        let titles =
            "RUN SOURCE STATE TARGET NEW DUPLICATE UPDATED REJECTED SURPLUS PAGES RETRIES RATE STARTED ENDPOINT"
        #expect(lines[0].split(separator: "\t").joined(separator: " ") == titles)
        let ledger = try await scene.query(
            """
            SELECT run, sum(new), sum(duplicate), sum(updated), sum(rejected), sum(surplus), count(*),
                sum(attempts) - count(*)
            FROM crawl_pages GROUP BY run
            """
        ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
        for (line, sums) in zip(lines.dropFirst(), ledger) {
            let cells = line.components(separatedBy: "\t")
            #expect([cells[0]] + cells[4...10] == sums, "\(line)")
            #expect(cells[13] == scene.usersURL)
        }
        #expect(lines[1].contains("\tcomplete\t20\t"))
        #expect(lines[2].contains("\tfailed\t40\t"))
        #expect(result.output.contains("Run 2 failed: users: 127.0.0.1:\(scene.server.port) answered 403 Forbidden"))
        let stored = try await scene.query("SELECT count(*) FROM users")
        #expect(result.output.contains("Stored in output/crawl.db: \(stored) users"))
        #expect(result.output.hasSuffix("Continue with: crawl resume\n"), "\(result)")
    }

    @Test("--json: one object, with the fields of the README")
    func json() async throws {
        let scene = try Scene { $0.latency = .milliseconds(20) }
        #expect(try await scene.crawl("--count", "5").exitCode == 0)
        let program = try scene.start("--count", "60", "--page-size", "1", "--concurrency", "1")
        let before = scene.requests.count
        _ = await program.end(by: SIGINT, when: { scene.requests.count > before + 3 })
        let result = try await scene.crawl("status", "--json")
        #expect(result.exitCode == 0)
        #expect(result.output.hasPrefix("{\"version\":1,\"database\":\"output/crawl.db\",\"crawling\":false,"))
        let object = try #require(EventLines(result.output).objects.first)
        #expect(Set(object.keys) == ["version", "database", "crawling", "sources", "runs"])
        let stored = Int(try await scene.query("SELECT count(*) FROM users"))
        let sources = try #require(object["sources"] as? [[String: Any]])
        #expect(sources.count == 1 && sources[0]["source"] as? String == "users")
        #expect(sources[0]["stored"] as? Int == stored)
        let runs = try #require(object["runs"] as? [[String: Any]])
        #expect(runs.map { $0["state"] as? String } == ["complete", "interrupted"])
        #expect(runs.map { $0["resumable"] as? Bool } == [false, true])
        #expect(runs.map { $0["target"] as? Int } == [5, 60])
        #expect(runs.map { $0["new"] as? Int } == [5, (stored ?? 0) - 5])
        #expect(runs[0]["reason"] is NSNull)
        #expect(runs[1]["reason"] as? String == "stopped by the user")
        let fields: Set = [
            "run", "source", "endpoint", "state", "target", "pages", "retries", "bytes", "received", "new",
            "duplicate", "updated", "rejected", "surplus", "started_at", "ended_at", "seconds", "reason", "resumable",
        ]
        for run in runs {
            #expect(Set(run.keys) == fields)
            let time = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#
            #expect((run["started_at"] as? String)?.wholeMatch(of: time) != nil)
            #expect((run["ended_at"] as? String)?.wholeMatch(of: time) != nil)
        }
    }

    @Test("names the database in the command that goes on, where it is another")
    func otherDatabase() async throws {
        let scene = try Scene { $0.faults = [Fault(.notFound, in: 2...Int.max)] }
        for database in ["people.db", "with blank.db"] {
            scene.server.replaceFaults([Fault(.notFound, every: 2)])
            #expect(try await scene.crawl("--count", "20", "--db", database).exitCode == 69)
            let option = try await scene.crawl("status", "--db", database)
            let next = database == "people.db" ? "crawl resume --db people.db" : "crawl resume --db 'with blank.db'"
            #expect(option.output.contains("Continue with: \(next)\n"), "\(option)")
            let variable = try await scene.crawl("status", environment: ["CRAWL_DB": database])
            #expect(variable.output == option.output)
            scene.server.replaceFaults([])
            let resumed = try await scene.shell(next.replacingOccurrences(of: "crawl ", with: "\"$CRAWL\" "))
            #expect(resumed.exitCode == 0, "\(resumed)")
        }
        #expect(!scene.exists("output"))
    }

    @Test("without a database says so, exit 74, and makes none", arguments: ["status", "verify", "resume", "export"])
    func noDatabase(_ command: String) async throws {
        let scene = try Scene()
        let result = try await scene.crawl([command] + (command == "export" ? ["users"] : []))
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("There is no database output/crawl.db yet"), "\(result)")
        #expect(scene.names(in: "") == [])
    }

    @Test("--dry-run with the largest count there is", arguments: ["9223372036854775807", "9223372036854775806"])
    func dryRunOfMany(_ count: String) async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", count, "--dry-run", "--page-size", "7")
        #expect(result.exitCode == 0, "\(result)")
        #expect(
            result.output.contains("of \(count) users are stored") || result.output.contains("9,223,372"), "\(result)")
    }

    @Test("--dry-run says what would be done, and does nothing", arguments: [false, true])
    func dryRun(isJSON: Bool) async throws {
        let scene = try Scene()
        let json = isJSON ? ["--json"] : []
        let first = try await scene.crawl(["--count", "50", "--dry-run"] + json)
        #expect(first.exitCode == 0)
        #expect(scene.names(in: "") == [] && scene.requests.isEmpty)
        _ = try await scene.crawl("--count", "20")
        let requests = scene.requests.count
        let second = try await scene.crawl(["--count", "50", "--dry-run"] + json)
        #expect(scene.requests.count == requests)
        if isJSON {
            let plan = try #require(EventLines(second.output).objects.first)
            #expect(plan["type"] as? String == "plan" && plan["version"] as? Int == 1)
            #expect(plan["stored"] as? Int == 20 && plan["requests"] as? Int == 6 && plan["page_size"] as? Int == 5)
        } else {
            #expect(first.output.contains("Would ask \(scene.usersURL): about 10 requests of 5 records"), "\(first)")
            #expect(second.output.contains("20 of 50 users are stored in output/crawl.db"), "\(second)")
        }
        try await scene.expectUsers(20)
    }
}
