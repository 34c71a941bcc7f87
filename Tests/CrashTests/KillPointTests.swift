import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlStore

@Suite("Killed at every step", .serialized)
struct KillPointTests {
    @Test("opens, verifies, has what it reported, and the same command completes it", arguments: KillScenario.all)
    func killed(_ scenario: KillScenario) async throws {
        let template = try await KillScene.template(scenario)
        let rehearsal = try await Rehearsal(scenario, template: template)
        let before = template?.rows.tables ?? [:]
        var killed: [KillPoint: Int] = [:]
        try await withThrowingTaskGroup(of: (KillPoint, Bool).self) { group in
            var waiting = rehearsal.kills[...]
            // A few at once: each of them waits for the disk most of the time.
            while !waiting.isEmpty || !group.isEmpty {
                if let kill = waiting.popFirst() {
                    group.addTask {
                        let case_ = KillCase(
                            scenario: scenario, template: template, before: before, truth: rehearsal.truth)
                        return (kill.point, try await case_.run(at: kill.point, passage: kill.passage))
                    }
                }
                if waiting.isEmpty || rehearsal.kills.count - waiting.count > 4,
                    let (point, wasKilled) = try await group.next()
                {
                    if wasKilled { killed[point, default: 0] += 1 }
                }
            }
        }
        for point in scenario.points { #expect(killed[point] ?? 0 > 0, "never killed at \(point)") }
        let count = killed.values.reduce(0, +)
        #expect(count >= scenario.kills, "\(count) kills only: \(killed)")
    }

    @Test("every step is one at which some scenario is killed", arguments: KillPoint.allCases)
    func covered(_ point: KillPoint) {
        #expect(KillScenario.all.contains { $0.points.contains(point) })
    }
}

/// One run of a scenario that nobody disturbs: the steps that it takes, and the records that are to be there in the end.
private struct Rehearsal {
    var kills: [(point: KillPoint, passage: Int)] = []
    var truth: StoredRows

    init(_ scenario: KillScenario, template: KillScene?) async throws {
        let scene = try KillScene(scenario, template: template)
        let log = scene.folder.file("steps")
        let result = try await scene.start(scenario.command, environment: ["CRAWL_KILL_POINT_LOG": log]).end()
        #expect(result.exitCode == scenario.exitCode, "\(result)")
        let steps = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
            try #require(KillPoint(rawValue: String($0)))
        }
        for point in scenario.points {
            let count = steps.count { $0 == point }
            #expect(count > 0, "\(point) is never passed")
            for passage in Self.passages(of: count, most: scenario.passages) { kills.append((point, passage)) }
        }
        scene.server.replaceFaults([])
        if scenario.exitCode != 0 { try await scene.complete("the rehearsal") }
        truth = scene.rows
        if scenario.tables == ["users"], let size = scene.server.population.size, size <= 24,
            scenario.command != ["status"]
        {
            // The rows are those of the people that there are, and of nobody else.
            let people = Set((0..<size).map { scene.server.population.uid(at: $0) })
            #expect(Set(StoredRows.query(scene.database, "SELECT uid FROM users")) == people)
        }
    }

    /// The first ones, the last one, and some between.
    private static func passages(of count: Int, most: Int) -> [Int] {
        if count <= most { return Array(1..<(count + 1)) }
        return (0..<most).map { $0 < most / 2 ? $0 + 1 : 1 + (count - 1) * $0 / (most - 1) }
    }
}

/// One kill, and all that has to be true after it.
private struct KillCase {
    let scenario: KillScenario
    let template: KillScene?
    let before: [String: [String]]
    let truth: StoredRows

    /// Whether the program came so far.
    func run(at point: KillPoint, passage: Int) async throws -> Bool {
        let note = "\(scenario.name), \(point.rawValue):\(passage)"
        let scene = try KillScene(scenario, template: template)
        let target = "\(point.rawValue):\(passage)"
        let result = try await scene.start(scenario.command, environment: ["CRAWL_KILL_POINT": target]).end()
        let wasKilled = result.signal == SIGKILL
        // Lanes share transactions as it comes, so that a late passage may not come at all.
        #expect(wasKilled || result.exitCode == scenario.exitCode, "\(note): \(result)")

        try await scene.expectInOrder(note)
        let rows = scene.rows
        expectRecords(rows, note)
        for (source, count) in KillScene.reported(result.output) {
            #expect(rows[source].count >= count, "\(note): \(source) lost what was reported")
        }
        try await scene.expectWholeOutput(note)

        scene.server.replaceFaults([])
        try await scene.complete(note)
        #expect(scene.rows == truth, "\(note): other records in the end")
        let reader = try await StoreReader.open(path: scene.database)
        #expect(try await reader.verify() == [], "\(note), in the end")
        await reader.close()
        try await scene.expectWholeOutput(note, isNew: true)
        let states = StoredRows.query(scene.database, "SELECT DISTINCT state FROM crawl_runs WHERE state = 'running'")
        #expect(states == [], "\(note): a run that nobody runs")
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).filter {
            $0.hasPrefix(".crawl")
        }
        #expect(left == [], "\(note): left behind")
        return wasKilled
    }

    private func expectRecords(_ rows: StoredRows, _ note: String) {
        for table in scenario.tables {
            let known = Set(before[table] ?? []).union(truth[table])
            #expect(rows[table].allSatisfy(known.contains), "\(note): \(table) has records that nobody sent")
            #expect(Set(rows[table]).count == rows[table].count, "\(note): \(table) has records twice")
        }
        switch scenario.promise {
        case .pages: break
        case .together:
            let markets = ["tickers", "quotes"]
            let isOld = markets.allSatisfy { rows[$0] == before[$0] ?? [] }
            let isNew = markets.allSatisfy { rows[$0] == truth[$0] }
            #expect(isOld || isNew, "\(note): one is new and the other old")
        case .replaced:
            let old = Set(before["users"] ?? [])
            let isOld = Set(rows["users"]) == old
            #expect(isOld || old.isDisjoint(with: rows["users"]), "\(note): old records beside new ones")
        }
    }
}
