import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl verify", .fewAtOnce)
struct VerifyTests {
    /// Twenty-five users; one record of page 2 was rejected.
    private static func filled() async throws -> Scene {
        let scene = try Scene { $0.faults = [Fault(.missingKey, in: 2...2)] }
        let result = try await scene.crawl("--count", "25", "--page-size", "8")
        #expect(result.exitCode == 0, "\(result)")
        return scene
    }

    @Test("finds nothing in a good database, and changes nothing", arguments: [false, true])
    func good(isJSON: Bool) async throws {
        let scene = try await Self.filled()
        let before = scene.bytes("output/crawl.db")
        let result = try await scene.crawl(["verify"] + (isJSON ? ["--json"] : []))
        #expect(result.exitCode == 0)
        #expect(result.errors == "")
        #expect(scene.bytes("output/crawl.db") == before)
        let sums = try await scene.query("SELECT count(*), sum(received) FROM crawl_pages")
        if isJSON {
            let object = try #require(EventLines(result.output).objects.first)
            #expect(object["ok"] as? Bool == true && (object["problems"] as? [String]) == [])
            #expect(object["runs"] as? Int == 1)
            #expect("\(object["pages"] ?? 0)|\(object["received"] ?? 0)" == sums)
        } else {
            let parts = sums.split(separator: "|")
            let expected =
                "output/crawl.db is in order: 1 run, \(parts[0]) pages, \(parts[1]) records received and accounted for\n"
            #expect(result.output == expected)
        }
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var sql: String
        var says: String
    }

    static let damages = [
        Damage(
            testDescription: "a record is gone", sql: "DELETE FROM users WHERE rowid = 3",
            says: "Page 1 (run 1) of users brought 8 new records, but 7 of its records stand in the table."),
        Damage(
            testDescription: "a record too many",
            sql: "INSERT INTO users (uid, page) VALUES ('forged', 1)",
            says: "The table users holds 26 records, but its pages brought 25."),
        Damage(
            testDescription: "a record of no page", sql: "UPDATE users SET page = 99 WHERE rowid = 3",
            says: "1 records of users come from page 99, which is not in the ledger."),
        Damage(
            testDescription: "a ledger row is gone", sql: "DELETE FROM crawl_pages WHERE id = 1",
            says: "8 records of users come from page 1, which is not in the ledger."),
        Damage(
            testDescription: "a count is wrong", sql: "UPDATE crawl_pages SET duplicate = duplicate + 1 WHERE id = 3",
            says: "Page 3 (run 1, number 3) does not balance: received 8, but 8 new + 1 duplicate"),
        Damage(
            testDescription: "counts are wrong together",
            sql: "UPDATE crawl_pages SET received = received + 1, new = new + 1 WHERE id = 3",
            says: "Page 3 (run 1) of users brought 9 new records, but 8"),
        Damage(
            testDescription: "a reject is gone", sql: "DELETE FROM crawl_rejects",
            says: "Page 2 (run 1) rejected 1 records, but 0 of them stand in crawl_rejects."),
        Damage(
            testDescription: "a run is gone", sql: "DELETE FROM crawl_runs",
            says: "Page 1 belongs to run 1, which is not in crawl_runs."),
        Damage(
            testDescription: "the table is gone", sql: "DROP TABLE users",
            says: "The table of the source users is missing."),
        Damage(
            testDescription: "a run says that it is running and has ended",
            sql: "UPDATE crawl_runs SET state = 'running'", says: "Run 1 has the state running"),
    ]

    @Test("finds what somebody changed: exit 74 with what is wrong", arguments: damages)
    func tampered(_ damage: Damage) async throws {
        let scene = try await Self.filled()
        try await scene.alter(damage.sql)
        let result = try await scene.crawl("verify")
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.output.contains(damage.says), "\(result)")
        #expect(result.errors.hasPrefix("Error: output/crawl.db is not in order: "), "\(result)")
        let json = try await scene.crawl("verify", "--json")
        #expect(json.exitCode == 74)
        let object = try #require(EventLines(json.output).objects.first)
        #expect(object["ok"] as? Bool == false)
        #expect((object["problems"] as? [String])?.contains { $0.contains(damage.says) } == true, "\(json)")
    }

    @Test("finds a damaged file, wherever the damage lies", arguments: [1, 3, 6, 9])
    func damagedFile(_ page: Int) async throws {
        let scene = try await Self.filled()
        var bytes = scene.bytes("output/crawl.db")
        let size = 4096
        #expect(bytes.count > (page + 1) * size)
        for offset in page * size..<page * size + 600 { bytes[offset] = UInt8(truncatingIfNeeded: offset &* 31) }
        try scene.write(bytes, to: "output/crawl.db")
        let result = try await scene.crawl("verify")
        #expect(result.exitCode == 74, "\(result)")
        #expect((result.output + result.errors).contains("damaged"), "\(result)")
        #expect(scene.bytes("output/crawl.db") == bytes, "it is left as it is")
    }
}
