import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlStore

/// One run of a scenario that nobody disturbs: the steps that it takes, and the records that are to be there in the end.
struct Rehearsal {
    var kills: [(point: KillPoint, passage: Int)] = []
    var truth: StoredRows
    /// How long it took.
    var seconds: Double

    init(_ scenario: KillScenario, template: KillScene?) async throws {
        let scene = try KillScene(scenario, template: template)
        let log = scene.folder.file("steps")
        let result = try await scene.start(scenario.command, environment: ["CRAWL_KILL_POINT_LOG": log]).end()
        #expect(result.exitCode == scenario.exitCode, "\(result)")
        seconds = result.seconds
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
