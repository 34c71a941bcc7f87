import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Exports killed at any instant")
struct ExportCrashTests {
    static let leastKills = 8

    @Test("the file is the old one or the new one, never a part of it")
    func export() async throws {
        let scene = try CrashScene(people: 5000, latency: .zero)
        #expect(try await scene.crawl("--count", "4000", "--page-size", "100", "--concurrency", "4").exitCode == 0)
        let arguments = ["export", "users", "--format", "ndjson"]
        let file = scene.folder.file("output/users.ndjson")
        let start = ContinuousClock.now
        let first = try await scene.start(arguments).end()
        #expect(first.exitCode == 0, "\(first)")
        let usual = ContinuousClock.now - start
        let whole = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(whole.split(separator: 0x0A).count == 4000)
        let old = Data("the old file\n".utf8)

        var spread = EvenSpread()
        var killed = 0
        for number in 0..<100 where killed < 12 {
            // By turns over an old file and where there is none.
            if number.isMultiple(of: 2) {
                try old.write(to: URL(fileURLWithPath: file))
            } else {
                try? FileManager.default.removeItem(atPath: file)
            }
            let result = try await scene.kill(arguments, after: usual * (spread.next() ?? 0))
            killed += result.signal == SIGKILL ? 1 : 0
            let left = FileManager.default.contents(atPath: file)
            let before = number.isMultiple(of: 2) ? old : nil
            #expect(left == before || left == whole, "kill \(number) left \(left?.count ?? 0) bytes")
        }
        #expect(killed >= Self.leastKills, "most of the kills came too late")
        try await scene.expectInOrder("at the end")
        let last = try await scene.start(arguments).end()
        #expect(last.exitCode == 0)
        #expect(FileManager.default.contents(atPath: file) == whole)
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.folder.file("output"))
        #expect(names.sorted() == ["crawl.db", "users.ndjson"], "the kills left something behind")
    }

    @Test("a crawl that is killed while it exports has its records, and no part of the file")
    func crawlAndExport() async throws {
        let scene = try CrashScene(people: 5000, latency: .zero)
        let arguments = ["--count", "3000", "--page-size", "100", "--concurrency", "4", "--csv", "users.csv"]
        #expect(try await scene.crawl("--count", "3000", "--page-size", "100").exitCode == 0)
        let whole = try await scene.start(["export", "users", "-o", "-"]).end().output
        let file = scene.folder.file("users.csv")
        for number in 0..<8 {
            _ = try await scene.kill(arguments, after: .milliseconds(8) * number)
            let left = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) }
            #expect(left == nil || left == whole, "kill \(number)")
            try? FileManager.default.removeItem(atPath: file)
        }
        #expect(try await scene.start(arguments).end().exitCode == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == whole)
        #expect(try await scene.storedCount() == 3000)
        try await scene.expectInOrder("at the end")
    }
}
