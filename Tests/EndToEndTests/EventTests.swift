import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl --json", .fewAtOnce)
struct EventTests {
    /// The fields of each type, in their order, as the README documents them.
    static let fields = [
        "started": ["type", "version", "source", "run", "endpoint", "target", "stored", "resumed", "database"],
        "notice": ["type", "version", "source", "message"],
        "request": ["type", "version", "source", "url", "status", "bytes", "seconds"],
        "retry": ["type", "version", "source", "url", "attempt", "wait", "reason"],
        "page": [
            "type", "version", "source", "run", "sequence", "received", "new", "duplicate", "updated", "rejected",
            "surplus", "bytes", "stored",
        ],
        "finished": [
            "type", "version", "source", "run", "outcome", "target", "stored", "received", "new", "duplicate",
            "updated", "rejected", "surplus", "requests", "retries", "bytes", "seconds", "database", "made_up", "error",
        ],
    ]

    private static func expectForm(_ events: EventLines) throws {
        for (line, object) in zip(events.lines, events.objects) {
            let type = try #require(object["type"] as? String)
            #expect(line.hasPrefix("{\"type\":\"\(type)\",\"version\":1,\"source\":\"users\""), "\(line)")
            let expected = try #require(fields[type], "an unknown type: \(line)")
            #expect(Set(object.keys) == Set(expected), "\(line)")
            var rest = line[...]
            for field in expected {
                let place = rest.range(of: "\"\(field)\":")
                #expect(place != nil, "\(field) is missing or in another place: \(line)")
                rest = rest[(place?.upperBound ?? rest.startIndex)...]
            }
        }
        #expect(events.types.first == "started")
        #expect(events.types.last == "finished")
        #expect(events.all("finished").count == 1)
    }

    @Test("one object a line, each with its documented fields, type and version first")
    func form() async throws {
        let scene = try Scene { $0.people = 60 }
        scene.server.replaceFaults([Fault(.unavailable, in: 3...3), Fault(.missingKey, in: 5...5)])
        let result = try await scene.crawl("--count", "40", "--page-size", "4", "--json")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.errors == "", "with --json nothing but errors goes to stderr")
        let events = try EventLines(result.output)
        try Self.expectForm(events)
        for type in ["started", "request", "retry", "page", "finished"] {
            #expect(!events.all(type).isEmpty, "no \(type)")
        }
    }

    @Test("the numbers of the events, of the ledger and of the table are the same")
    func numbers() async throws {
        let scene = try Scene { $0.people = 60 }
        scene.server.replaceFaults([Fault(.unavailable, every: 4), Fault(.wrongColumn, every: 3)])
        let result = try await scene.crawl("--count", "50", "--page-size", "5", "--json")
        #expect(result.exitCode == 0, "\(result)")
        let events = try EventLines(result.output)
        let finished = events.last("finished")
        let pages = events.all("page")
        for field in ["received", "new", "duplicate", "updated", "rejected", "surplus", "bytes"] {
            let sum = pages.reduce(0) { $0 + ($1[field] as? Int ?? 0) }
            #expect(sum == finished[field] as? Int, "\(field)")
            #expect(try await scene.query("SELECT sum(\(field)) FROM crawl_pages") == "\(sum)", "\(field)")
        }
        #expect(finished["new"] as? Int == 50 && finished["stored"] as? Int == 50)
        #expect(finished["duplicate"] as? Int ?? 0 > 0 && finished["rejected"] as? Int ?? 0 > 0)
        #expect(finished["retries"] as? Int == events.all("retry").count)
        #expect(finished["requests"] as? Int == events.all("request").count)
        #expect(finished["requests"] as? Int == scene.requests.count)
        #expect(
            try await scene.query("SELECT sum(attempts) - count(*) FROM crawl_pages")
                == "\(finished["retries"] as? Int ?? -1)")
        #expect(finished["outcome"] as? String == "complete")
        #expect(finished["error"] is NSNull)
        #expect(finished["database"] as? String == "output/crawl.db")
        #expect((finished["seconds"] as? Double ?? 0) > 0)
        #expect(pages.compactMap { $0["stored"] as? Int } == pages.compactMap { $0["stored"] as? Int }.sorted())
    }

    @Test("an error stands in the last event with exit code and remedy, and on stderr")
    func failure() async throws {
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.forbidden, in: 3...Int.max)])
        let result = try await scene.crawl("--count", "20", "--json")
        #expect(result.exitCode == 77, "\(result)")
        let events = try EventLines(result.output)
        let finished = events.last("finished")
        #expect(finished["outcome"] as? String == "failed")
        let error = try #require(finished["error"] as? [String: Any])
        #expect(error["exit_code"] as? Int == 77)
        #expect((error["message"] as? String)?.contains("403 Forbidden") == true)
        #expect((error["remedy"] as? String)?.isEmpty == false)
        #expect(finished["stored"] as? Int == 4)
        #expect(result.errors.hasPrefix("Error: "), "\(result)")
    }

    @Test("a stop by a signal is an outcome of its own")
    func interrupted() async throws {
        let scene = try Scene { $0.latency = .milliseconds(20) }
        let program = try scene.start("--count", "100", "--page-size", "1", "--concurrency", "1", "--json")
        let result = await program.end(by: SIGINT, when: { scene.requests.count >= 4 })
        #expect(result.exitCode == 130, "\(result)")
        let events = try EventLines(result.output)
        try Self.expectForm(events)
        #expect(events.last("finished")["outcome"] as? String == "interrupted")
    }

    @Test("nothing to do: one event, without a run")
    func nothingToDo() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "5")
        let result = try await scene.crawl("--count", "5", "--json")
        #expect(result.exitCode == 0)
        let events = try EventLines(result.output)
        #expect(events.types == ["finished"])
        #expect(events.last("finished")["outcome"] as? String == "nothing-to-do")
        #expect(events.last("finished")["run"] is NSNull)
        #expect(events.last("finished")["stored"] as? Int == 5)
    }
}
