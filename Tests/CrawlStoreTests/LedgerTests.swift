import CrawlCore
import CrawlJSON
import Foundation
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct LedgerTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crawl.db")
    }

    /// Two runs of people, the second replacing, and a run of others that brought nothing.
    private func fill() async throws {
        let store = try await Store.open(path: path)
        let old = try await store.start()
        try await store.commit(page(1, [person("a"), person("b")]), by: old)
        try await store.finishRun(old.run, state: .interrupted, reason: nil, endedAt: time)
        let fresh = try await store.start(target: 5, fresh: true)
        let reject = RejectedRecord(position: 2, reason: "uid: expected text, got null", payload: [0x7B, 0x7D])
        var second = page(2, [person("b"), person("c")])
        second.attempts = 3
        second.fetchedAt = "2026-11-30T08:05:08.500Z"
        try await store.commit(page(1, [person("a"), person("b")], rejects: [reject]), second, by: fresh)
        try await store.finishRun(fresh.run, state: .complete, reason: nil, endedAt: "2026-11-30T08:05:09.000Z")
        var others = people
        others.name = "others"
        _ = try await store.start(others)
        await store.close()
    }

    @Test func runsHaveTheSumsOfTheirPages() async throws {
        try await fill()
        let reader = try await StoreReader.open(path: path)
        let runs = try await reader.runs()
        #expect(runs.map(\.run.source) == ["people", "people", "others"])
        #expect(runs.map(\.pages) == [1, 2, 0])
        #expect(runs.map(\.attempts) == [1, 4, 0])
        #expect(runs.map(\.retries) == [0, 2, 0])
        #expect(runs.map(\.bytes) == [100, 200, 0])
        #expect(runs.map(\.counts.new) == [2, 3, 0])
        #expect(runs.map(\.counts.duplicate) == [0, 1, 0])
        #expect(runs.map(\.counts.rejected) == [0, 1, 0])
        #expect(runs.map(\.counts.received) == [2, 5, 0])
        #expect(runs.map(\.duration) == [0, 3, nil])
        #expect(runs.map(\.lastFetchedAt) == [time, "2026-11-30T08:05:08.500Z", nil])
        #expect(runs[1].run.target == 5)
        #expect(try await reader.storedCounts() == ["people": 3, "others": 0])
    }

    @Test func honestDatabaseHasNoProblems() async throws {
        try await fill()
        let reader = try await StoreReader.open(path: path)
        #expect(try await reader.verify() == [])
    }

    /// What somebody does to the database, and what verification says.
    @Test(arguments: [
        (
            "DELETE FROM people WHERE uid = 'c'",
            [
                "Page 3 (run 2) of people brought 1 new records, but 0 of its records stand in the table.",
                "The table people holds 2 records, but its pages brought 3.",
            ]
        ),
        (
            "INSERT INTO people (uid, page) VALUES ('x', 99)",
            [
                "1 records of people come from page 99, which is not in the ledger.",
                "The table people holds 4 records, but its pages brought 3.",
            ]
        ),
        (
            "UPDATE people SET page = 1 WHERE uid = 'c'",
            [
                "Page 1 (run 1) of people was replaced by a later run, but 1 of its records stand in the table.",
                "Page 3 (run 2) of people brought 1 new records, but 0 of its records stand in the table.",
            ]
        ),
        (
            "UPDATE crawl_pages SET duplicate = 0 WHERE id = 3",
            [
                "Page 3 (run 2, number 2) does not balance: received 2, but 1 new + 0 duplicate + 0 updated"
                    + " + 0 rejected + 0 surplus."
            ]
        ),
        (
            "DROP INDEX crawl_pages_by_run; UPDATE crawl_pages SET seq = 1",
            ["The index crawl_pages_by_run is missing.", "Run 2 has 2 pages with the number 1."]
        ),
        (
            "DELETE FROM crawl_rejects",
            ["Page 2 (run 2) rejected 1 records, but 0 of them stand in crawl_rejects."]
        ),
        (
            "INSERT INTO crawl_rejects VALUES (50, 1, '', x'')",
            ["1 records in crawl_rejects belong to page 50, which is not in the ledger."]
        ),
        (
            "UPDATE crawl_runs SET ended_at = NULL WHERE id = 2",
            ["Run 2 has the state complete, which does not go with its end."]
        ),
        (
            "DELETE FROM crawl_runs WHERE id = 1",
            ["Page 1 belongs to run 1, which is not in crawl_runs."]
        ),
        ("DROP TABLE people", ["The table of the source people is missing."]),
        ("DROP TABLE others", []),
    ])
    func tamperingIsFound(sql: String, problems: [String]) async throws {
        try await fill()
        OtherProgram(path).execute(sql)
        let reader = try await StoreReader.open(path: path)
        #expect(try await reader.verify() == problems)
    }

    @Test func longListsAreCut() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        for sequence in 1...50 { try await writer.submit(page(sequence, [person("\(sequence)")])) }
        try await writer.drain()
        await store.close()
        OtherProgram(path).execute("DELETE FROM people")
        let problems = try await StoreReader.open(path: path).verify()
        #expect(problems.count == 22)
        #expect(problems[20] == "30 more of this kind.")
    }

    @Test func damageIsAProblemOfItsOwn() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        for sequence in 1...40 {
            try await store.commit(page(sequence, (0..<100).map { person("\(sequence)-\($0)") }), by: writer)
        }
        await store.close()
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        let damaged = data.count - 3 * 4096..<data.count - 4096
        data.replaceSubrange(damaged, with: Data(repeating: 0x5A, count: damaged.count))
        try data.write(to: URL(fileURLWithPath: path))
        let problems = try await StoreReader.open(path: path).verify()
        #expect(problems.contains { $0.hasPrefix("The database \(path) is damaged: ") }, "\(problems)")
    }
}
