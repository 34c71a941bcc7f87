import CrawlCore
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct RunTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crawl.db")
    }

    @Test func runBeginsEndsAndGoesOn() async throws {
        let store = try await Store.open(path: path)
        let run = try await store.beginRun(
            source: "people", endpoint: "stand-in", target: 50, options: #"{"lanes":2}"#, startedAt: time)
        #expect(
            run
                == RunRecord(
                    id: 1, source: "people", endpoint: "stand-in", target: 50, options: #"{"lanes":2}"#,
                    state: .running, startedAt: time))
        #expect(try await store.latestUnfinishedRun(of: "people") == run)
        try await store.finishRun(run.id, state: .interrupted, reason: "signal", endedAt: "2026-11-30T08:06:00.000Z")
        let stopped = try await store.latestUnfinishedRun(of: "people")
        #expect(stopped?.state == .interrupted)
        #expect(stopped?.endedAt == "2026-11-30T08:06:00.000Z")
        #expect(stopped?.reason == "signal")
        let reopened = try await store.reopenRun(run.id, endpoint: "http://127.0.0.1", target: nil, options: "{}")
        #expect(reopened.state == .running)
        #expect(reopened.endedAt == nil && reopened.reason == nil && reopened.target == nil)
        #expect(reopened.startedAt == time)
        try await store.finishRun(run.id, state: .complete, reason: nil, endedAt: time)
        #expect(try await store.latestUnfinishedRun(of: "people") == nil)
    }

    @Test func laterRunSettlesAnEarlierOne() async throws {
        let store = try await Store.open(path: path)
        for (source, state) in [("a", RunState.interrupted), ("b", .failed), ("a", .complete), ("c", .complete)] {
            let run = try await store.beginRun(
                source: source, endpoint: "", target: 1, options: "{}", startedAt: time)
            try await store.finishRun(run.id, state: state, reason: nil, endedAt: time)
        }
        #expect(try await store.unfinishedRuns().map(\.source) == ["b"])
        #expect(try await store.latestUnfinishedRun(of: "a") == nil)
    }

    @Test func runsLeftRunningAreInterruptedByTheNextCrawl() async throws {
        var store = try await Store.open(path: path)
        let writer = try await store.start()
        try await store.commit(page(1, [person("a")]), by: writer)
        await store.close()
        store = try await Store.open(path: path)
        let run = try await store.latestUnfinishedRun(of: "people")
        #expect(run?.state == .interrupted)
        #expect(run?.reason == "ended without notice (killed or power lost)")
        #expect(run?.endedAt == time)
    }

    @Test func positionIsThatOfTheLastPage() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start(target: 1)
        #expect(
            try await store.position(ofRun: 1) == RunPosition(cursor: nil, lastSequence: 0, pages: 0, surplus: 0))
        try await store.commit(page(1, [], cursor: "one"), page(3, [], cursor: "three"), by: writer)
        #expect(
            try await store.position(ofRun: 1) == RunPosition(cursor: "three", lastSequence: 3, pages: 2, surplus: 0))
        try await store.commit(page(2, [person("a"), person("b")], cursor: "two"), page(4, []), by: writer)
        #expect(
            try await store.position(ofRun: 1) == RunPosition(cursor: "two", lastSequence: 4, pages: 4, surplus: 1))
    }

    @Test(arguments: [(true, "{}", 1), (false, #"{"fresh":true}"#, 0)])
    func freshIsHistoryOnceThereArePages(began: Bool, options: String, expected: Int) async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start(fresh: began)
        let before = try await store.reopenRun(writer.run, endpoint: "", target: 1, options: options)
        #expect(before.options == options)
        _ = try await store.reopenRun(
            writer.run, endpoint: "", target: 1, options: began ? #"{"fresh":true}"# : "{}")
        try await store.commit(page(1, [person("a")]), by: writer)
        _ = try await store.reopenRun(writer.run, endpoint: "", target: 1, options: options)
        #expect(
            try await store.rows("SELECT coalesce(json_extract(options, '$.fresh'), 0) FROM crawl_runs")
                == ["\(expected)"])
    }

    @Test func unknownRunIsAnError() async throws {
        let store = try await Store.open(path: path)
        let error = await crawlError { try await store.reopenRun(7, endpoint: "", target: 1, options: "{}") }
        #expect(error?.message.contains("no run 7") == true)
    }

    @Test func hostClocksOutliveTheStore() async throws {
        var store = try await Store.open(path: path)
        try await store.setHostClock("a.example", notBefore: time)
        try await store.setHostClock("b.example", notBefore: time)
        try await store.setHostClock("b.example", notBefore: "2026-12-01T00:00:00.000Z")
        try await store.setHostClock("a.example", notBefore: nil)
        await store.close()
        store = try await Store.open(path: path)
        #expect(try await store.hostClocks() == ["b.example": "2026-12-01T00:00:00.000Z"])
    }

    @Test func closedStoreTakesNothing() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        try await writer.submit(page(1, [person("a")]))
        await store.close()
        _ = await crawlError { try await writer.submit(page(2, [person("b")])) }
        _ = await crawlError { try await store.unfinishedRuns() }
        let reader = try await StoreReader.open(path: path)
        #expect(try await reader.storedCounts() == ["people": 1])
    }
}
