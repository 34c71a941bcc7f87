import Testing

/// How often the tests of a normal run kill the program at the least, counted in one place.
///
/// Each figure is one that a test expects; most tests kill more often.
enum Kills {
    /// At the named steps.
    static let atSteps = KillScenario.all.reduce(0) { $0 + $1.kills }
    /// At random instants of the scenarios that a step may miss.
    static let atInstants = KillScenario.atInstants.count * InstantKillTests.leastKills
    /// At random instants of a long crawl, of resumed ones, and of exports.
    static let ofLongCrawls = CrawlCrashTests.kills + CrawlCrashTests.alternatingKills + ExportCrashTests.leastKills
    static let total = atSteps + atInstants + ofLongCrawls
}

@Suite("Sudden death is tried often enough")
struct KillCountTests {
    @Test("at least 200 kills and 60 restored copies in a normal run")
    func enough() {
        #expect(Kills.total >= 200)
        #expect(PowerLossTests.restores * PowerLossScenario.allCases.count + PowerLossTests.cuts >= 60)
    }
}
