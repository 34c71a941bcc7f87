import Foundation
import TestSupport
import Testing

@testable import CrawlStore

/// One kill, and all that has to be true after it.
struct KillTrial {
    let scenario: KillScenario
    let template: KillScene?
    let before: [String: [String]]
    let truth: StoredRows

    /// When the program is killed.
    enum Moment: Sendable, CustomStringConvertible {
        /// When it comes to a step for the n-th time.
        case step(KillPoint, passage: Int)
        /// So long after its start.
        case instant(Duration)

        var description: String {
            switch self {
            case .step(let point, let passage): "\(point.rawValue):\(passage)"
            case .instant(let time): "after \(time)"
            }
        }
    }

    /// Kills the program once; whether it had not ended before.
    func run(_ moment: Moment) async throws -> Bool {
        let note = "\(scenario.name), \(moment)"
        let scene = try KillScene(scenario, template: template)
        let result: Program.Result
        switch moment {
        case .step:
            result = try await scene.start(scenario.command, environment: ["CRAWL_KILL_POINT": "\(moment)"]).end()
        case .instant(let time):
            // Time has to pass here: the instant of the kill is what the test is about.
            let instant = ContinuousClock.now + time
            result = try await scene.start(scenario.command).end(by: SIGKILL) { ContinuousClock.now >= instant }
        }
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
