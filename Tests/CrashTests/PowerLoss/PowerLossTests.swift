import CrawlKit
import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlStore

@Suite("Power lost at any write", .serialized)
struct PowerLossTests {
    /// Instants in each recording, besides those among its first writes, which make or migrate the database.
    static let instants = 8
    static let firstWrites = 16
    /// How many copies of each recording are restored.
    static let restores = (instants + firstWrites / 2) * Disk.Loss.allCases.count

    @Test(
        "what was synced opens, verifies, has what was reported, and is completed",
        arguments: PowerLossScenario.allCases)
    func powerLost(_ scenario: PowerLossScenario) async throws {
        let recording = try await PowerLossRecording(scenario)
        let count = recording.entries.count
        #expect(recording.writes > 20, "\(recording.writes) writes only were noted")
        var random = SeededGenerator(state: 7)
        var restores: [PowerLossRecording.Restore] = []
        for number in 0..<Self.instants + Self.firstWrites {
            // The first writes by turns in two ways each; then to the last one, in all ways.
            let later = number - Self.firstWrites + 1
            let instant = later <= 0 ? number : count * later / Self.instants
            let losses =
                later > 0 ? Disk.Loss.allCases : number.isMultiple(of: 2) ? [.torn, .some] : [.torn, .everything]
            var disk = Disk(recording.before)
            for entry in recording.entries.prefix(instant) { disk.apply(entry) }
            restores += losses.map { loss in
                PowerLossRecording.Restore(
                    contents: disk.contents(after: loss, using: &random), reported: recording.reported(after: instant),
                    note: "\(scenario.rawValue): \(loss) lost after \(instant) of \(count) writes")
            }
        }
        #expect(restores.count == Self.restores)
        try await recording.expectGood(restores)
    }

    /// How many logs are cut off.
    static let cuts = 30

    @Test("a log that is cut off anywhere, or ends in anything, has every commit before that place")
    func cutLog() async throws {
        let recording = try await PowerLossRecording(.first)
        // Before the database is closed, which carries the log over and removes it.
        let last = try #require(recording.entries.lastIndex { if case .reported = $0 { true } else { false } })
        var disk = Disk(recording.before)
        var marks: [(length: Int, instant: Int)] = []
        for (instant, entry) in recording.entries.prefix(last + 1).enumerated() {
            disk.apply(entry)
            if case .reported = entry { marks.append((disk.length(of: "crawl.db-wal"), instant + 1)) }
        }
        var random = SeededGenerator(state: 9)
        let contents = disk.contents(after: .nothing, using: &random)
        let log = try #require(contents["crawl.db-wal"])
        var restores: [PowerLossRecording.Restore] = []
        for number in 0..<Self.cuts {
            let length = number == 0 ? 0 : Int.random(in: 0...log.count, using: &random)
            var cut = Array(log.prefix(length))
            switch number % 3 {
            case 1: cut += [UInt8](repeating: 0, count: Int.random(in: 1...9_000, using: &random))
            case 2:
                cut += (0..<Int.random(in: 1...9_000, using: &random)).map { _ in
                    UInt8.random(in: 0...255, using: &random)
                }
            default: break
            }
            var restored = contents
            restored["crawl.db-wal"] = cut
            let mark = marks.last { $0.length <= length }
            restores.append(
                PowerLossRecording.Restore(
                    contents: restored, reported: recording.reported(after: mark?.instant ?? 0),
                    note: "the log cut off after \(length) of \(log.count) bytes"))
        }
        try await recording.expectGood(restores)
    }
}

/// A crawl whose writes were noted, and the truth about it.
private struct PowerLossRecording: Sendable {
    let scenario: PowerLossScenario
    let server: StandInServer
    /// The files before it.
    let before: [String: [UInt8]]
    let rowsBefore: StoredRows
    let entries: [WriteLog.Entry]
    /// The rows after it.
    let truth: StoredRows

    init(_ scenario: PowerLossScenario) async throws {
        self.scenario = scenario
        server = try StandInServer(configuration: scenario.configuration())
        let folder = try TemporaryFolder()
        let database = folder.file("crawl.db")
        try await scenario.prepare(database)
        if FileManager.default.fileExists(atPath: database) {
            before = ["crawl.db": [UInt8](try Data(contentsOf: URL(fileURLWithPath: database)))]
            rowsBefore = StoredRows(database, scenario.tables)
        } else {
            before = [:]
            rowsBefore = StoredRows()
        }
        entries = try await scenario.record(folder, server).entries
        truth = StoredRows(database, scenario.tables)
        #expect(!entries.isEmpty && !truth.tables.isEmpty)
    }

    /// How often a file was written to.
    var writes: Int { entries.count { if case .wrote = $0 { true } else { false } } }

    /// The files that a loss of power left, and what was reported before it.
    struct Restore: Sendable {
        var contents: [String: [UInt8]]
        var reported: [String: Int]
        var note: String
    }

    /// How many records of each source were reported as stored by then.
    func reported(after instant: Int) -> [String: Int] {
        var reported: [String: Int] = [:]
        for case .reported(let source, let stored) in entries.prefix(instant) { reported[source] = stored }
        return reported
    }

    /// Restores the copies, a few at once: each waits for the disk most of the time.
    func expectGood(_ restores: [Restore]) async throws {
        // Under a sanitizer every fourth, for everything takes several times as long there.
        let restores =
            Sanitizer.isWatching ? restores.enumerated().filter { $0.offset % 4 == 1 }.map(\.element) : restores
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, restore) in restores.enumerated() {
                if number >= 6 { try await group.next() }
                group.addTask { try await expectGood(restore) }
            }
            try await group.waitForAll()
        }
    }

    /// Puts the files into a fresh folder and expects all of a database there that is promised.
    private func expectGood(_ restore: Restore) async throws {
        let (contents, reported, note) = (restore.contents, restore.reported, restore.note)
        let folder = try TemporaryFolder()
        let database = folder.file("crawl.db")
        for (name, bytes) in contents { try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name))) }
        do {
            let reader = try await StoreReader.open(path: database)
            #expect(try await reader.verify() == [], "\(note)")
            await reader.close()
        } catch let error as CrawlError {
            // Nothing was stored yet.
            #expect(error.message.hasPrefix("There is no database") && reported.isEmpty, "\(note): \(error)")
        }
        let rows = StoredRows(database, scenario.tables)
        for table in scenario.tables {
            #expect(rows[table].count >= reported[table] ?? 0, "\(note): \(table) lost what was reported")
            let known = Set(rowsBefore[table]).union(truth[table])
            #expect(rows[table].allSatisfy(known.contains), "\(note): \(table) has records that nobody sent")
        }
        switch scenario {
        case .fresh:
            let isOld = rows == rowsBefore
            #expect(isOld || Set(rowsBefore["users"]).isDisjoint(with: rows["users"]), "\(note): old beside new")
            #expect(reported.isEmpty || !isOld, "\(note): the replacement was reported")
        case .markets:
            #expect(rows == rowsBefore || rows == truth, "\(note): one is new and the other old")
            #expect(reported.isEmpty || rows == truth, "\(note): the new ones were reported")
        default: break
        }
        try await scenario.complete(database, server)
        #expect(StoredRows(database, scenario.tables) == truth, "\(note): other records in the end")
        let reader = try await StoreReader.open(path: database)
        #expect(try await reader.verify() == [], "\(note), in the end")
        await reader.close()
    }
}
