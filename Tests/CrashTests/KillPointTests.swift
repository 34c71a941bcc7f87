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
        // Under a sanitizer once at each step, for everything takes several times as long there.
        let kills = Sanitizer.isWatching ? rehearsal.kills.filter { $0.passage == 1 } : rehearsal.kills
        var killed: [KillPoint: Int] = [:]
        try await withThrowingTaskGroup(of: (KillPoint, Bool).self) { group in
            var waiting = kills[...]
            // A few at once: each of them waits for the disk most of the time.
            while !waiting.isEmpty || !group.isEmpty {
                if let kill = waiting.popFirst() {
                    group.addTask {
                        let trial = KillTrial(
                            scenario: scenario, template: template, before: before, truth: rehearsal.truth)
                        return (kill.point, try await trial.run(.step(kill.point, passage: kill.passage)))
                    }
                }
                if waiting.isEmpty || kills.count - waiting.count > 4,
                    let (point, wasKilled) = try await group.next()
                {
                    if wasKilled { killed[point, default: 0] += 1 }
                }
            }
        }
        for point in scenario.points { #expect(killed[point] ?? 0 > 0, "never killed at \(point)") }
        let count = killed.values.reduce(0, +)
        #expect(count >= scenario.kills || Sanitizer.isWatching, "\(count) kills only: \(killed)")
    }

    @Test("every step is one at which some scenario is killed", arguments: KillPoint.allCases)
    func covered(_ point: KillPoint) {
        #expect(KillScenario.all.contains { $0.points.contains(point) })
    }
}
