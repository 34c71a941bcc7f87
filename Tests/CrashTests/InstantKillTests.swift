import Foundation
import TestSupport
import Testing

@Suite("Killed at any instant", .serialized)
struct InstantKillTests {
    private static let kills = 8
    /// What is expected of them: a busy machine makes some come too late.
    static let leastKills = 3

    @Test(
        "opens, verifies, has what it reported, and the same command completes it", arguments: KillScenario.atInstants)
    func killed(_ scenario: KillScenario) async throws {
        let template = try await KillScene.template(scenario)
        let rehearsal = try await Rehearsal(scenario, template: template)
        let trial = KillTrial(
            scenario: scenario, template: template, before: template?.rows.tables ?? [:], truth: rehearsal.truth)
        var spread = EvenSpread()
        var killed = 0
        for _ in 0..<Self.kills {
            let instant = Duration.seconds(rehearsal.seconds * 0.9 * (spread.next() ?? 0))
            if try await trial.run(.instant(instant)) { killed += 1 }
        }
        #expect(killed >= Self.leastKills, "most of the kills came too late")
    }
}
