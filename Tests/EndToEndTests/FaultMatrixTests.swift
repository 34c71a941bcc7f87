import Foundation
import StandInAPI
import TestSupport
import Testing

/// Every fault that the stand-in knows, and pairs of them, crossed with numbers of lanes and sizes of pages.
///
/// A crawl under a fault ends with exactly N records or with the exit code of the contract, and in both cases with
/// everything stored that arrived; the same command without the fault then completes to exactly N.
@Suite("The fault matrix", .fewAtOnce)
struct FaultMatrixTests {
    /// What a crawl comes to under a fault.
    enum Outcome: Sendable, Equatable {
        /// Exactly N, after so many retries at the least.
        case whole(retries: Int = 0)
        /// Exactly N, and records set aside.
        case rejects
        /// This exit code, and what arrived before is stored.
        case ends(Int32)
    }

    /// A row of the matrix.
    struct Row: Sendable {
        /// The faults, as the stand-in reads them, with a blank between.
        var faults: String
        var outcome: Outcome
        var arguments: [String] = []
        /// How many people there are; nil is no end.
        var people: Int?
        /// What it comes to where the record is the whole answer, if that differs.
        var alone: Outcome?

        var kinds: Set<String> {
            Set(faults.split(separator: " ").map { String($0.prefix { $0 != ":" && $0 != "=" }) })
        }
    }

    /// A row with lanes and page size.
    struct Combination: Sendable, CustomTestStringConvertible {
        var row: Row
        var lanes: Int
        var pageSize: Int

        /// Three pages are served well before a fault that stays, and two or more come after.
        var count: Int { pageSize == 1 ? 12 : 450 }
        var outcome: Outcome { pageSize == 1 ? row.alone ?? row.outcome : row.outcome }
        var testDescription: String { "\(row.faults), \(lanes) lanes, \(pageSize) a page" }
    }

    private static let quickly = ["--timeout", "1s", "--retries", "1"]

    /// Faults that stay from the fourth request on, and how the crawl ends.
    static let staying: [Row] = [
        ("400", 69), ("401", 77), ("402", 69), ("403", 77), ("404", 69), ("408", 69), ("410", 69), ("425", 69),
        ("429", 69), ("500", 69), ("502", 69), ("503", 69), ("504", 69), ("429-seconds=0", 69), ("429-date=-5", 69),
        ("429-seconds=3600", 75), ("429-date=3600", 75), ("503-seconds=3600", 75), ("503-date=3600", 75),
        ("retry-after=120junk", 69), ("html", 65), ("error-object", 65), ("no-content", 69), ("empty", 65),
        ("not-json", 65), ("truncated", 69), ("truncated-json", 65), ("close", 69), ("reset", 69),
        ("gzip-truncated", 69), ("gzip-lie", 69), ("gzip-bomb=80", 65), ("deflate-bomb=80", 65), ("brotli-bomb=80", 65),
        ("invalid-utf8", 65), ("deep", 65), ("redirect-loop", 69), ("redirect-file", 69), ("huge", 65),
        ("headers", 69), ("not-http", 69),
    ].map { Row(faults: $0 + ":1@4", outcome: .ends($1)) }

    /// The same, where the crawl has to wait for what does not come.
    static let stalling: [Row] = ["hang", "slow", "drip"].map {
        Row(faults: $0 + ":1@4", outcome: .ends(69), arguments: quickly)
    }

    /// Faults that come and go; retries get over them.
    static let passing: [Row] = [
        "408:3", "425:3", "500:3", "502:3", "503:3", "504:3", "503-seconds=0:3", "503-date=-5:3", "html:3", "empty:3",
        "not-json:3", "truncated:3", "truncated=99:3", "truncated-json:3", "gzip-truncated:3", "gzip-lie:3",
        "invalid-utf8:3", "429:1@2-2", "429-seconds=0:1@3-4", "429-date=-5:1@2-2", "retry-after=-5:1@2-2",
        "retry-after=:1@2-2",
    ].map { Row(faults: $0, outcome: .whole(retries: 1), arguments: ["--retries", "10"]) }

    /// Faults that libcurl itself may get over on a connection that it has used before.
    static let closing: [Row] = ["close:3", "reset:3"].map {
        Row(faults: $0, outcome: .whole(), arguments: ["--retries", "10"])
    }

    /// What is odd and no fault.
    static let odd: [Row] = [
        "200-retry-after:3", "empty-list:3", "bom:2", "gzip:2", "slow=20:2", "drip=0:3", "redirect:2",
        "duplicate-page:3", "extra-field:2", "nul:2", "control:2", "long-text=300:3", "numbers:2",
    ].map { Row(faults: $0, outcome: .whole()) }

    /// Bad records, which must not spoil their pages.
    static let spoilt: [Row] = [
        "missing-uid:3", "null-uid:3", "wrong-type:3", "wrong-column:3", "big-integer:3", "lone-surrogate:3",
    ].map { Row(faults: $0, outcome: .rejects) }

    /// A number in place of a record; where it is the whole answer, nothing can be read.
    static let noRecord = [Row(faults: "not-an-object:1@4-5", outcome: .rejects, alone: .ends(65))]

    /// Two at once: on the same request, or by turns.
    static let pairs: [Row] = [
        Row(faults: "gzip:1 bom:2", outcome: .whole()),
        Row(faults: "gzip:1 invalid-utf8:3", outcome: .whole(retries: 1), arguments: ["--retries", "10"]),
        Row(faults: "slow=20:1 truncated:3", outcome: .whole(retries: 1), arguments: ["--retries", "10"]),
        Row(faults: "drip=0:2 gzip-truncated:4", outcome: .whole(retries: 1), arguments: ["--retries", "10"]),
        Row(faults: "500:3 reset:4", outcome: .whole(retries: 1), arguments: ["--retries", "10"]),
        Row(faults: "503:1@2-2 429:1@3-3", outcome: .whole(retries: 2), arguments: ["--retries", "10"]),
        Row(faults: "html:3 truncated=30:3", outcome: .whole(retries: 1), arguments: ["--retries", "10"]),
        Row(faults: "503-seconds=0:3 gzip-lie:3", outcome: .whole(retries: 1), arguments: ["--retries", "10"]),
        Row(faults: "duplicate-page:2 close:5", outcome: .whole(), arguments: ["--retries", "10"]),
        Row(faults: "200-retry-after:1 extra-field:2", outcome: .whole()),
        Row(faults: "control:2 nul:2", outcome: .whole()),
        Row(faults: "missing-uid:3 gzip:1", outcome: .rejects),
        Row(faults: "wrong-column:3 lone-surrogate:4", outcome: .rejects),
        Row(faults: "wrong-type:3 500:5", outcome: .rejects, arguments: ["--retries", "10"]),
        Row(faults: "big-integer:3 slow=10:1", outcome: .rejects),
        Row(faults: "redirect:1 404:1@7", outcome: .ends(69)),
        Row(faults: "deep:1@4 gzip:1@4", outcome: .ends(65)),
        Row(faults: "401:1@4 drip=0:1@4", outcome: .ends(77)),
        Row(faults: "huge:1@4 bom:1@4", outcome: .ends(65)),
        Row(faults: "error-object:1@4 gzip:1@4", outcome: .ends(65)),
    ]

    /// Fewer people than are asked for, and hardly more, under faults as well.
    static let scarce: [Row] = [
        Row(faults: "", outcome: .ends(3), people: 6), Row(faults: "duplicate-page:2", outcome: .ends(3), people: 6),
        Row(faults: "", outcome: .whole(), people: 480), Row(faults: "reset:5", outcome: .whole(), people: 480),
        Row(
            faults: "missing-uid:4 truncated:5", outcome: .rejects, arguments: ["--retries", "10"], people: 480),
    ]

    static let rows = staying + stalling + passing + closing + odd + spoilt + noRecord + pairs + scarce

    static let combinations = rows.flatMap { row in
        [1, 4, 16].flatMap { lanes in
            [1, 100].map { Combination(row: row, lanes: lanes, pageSize: $0) }
        }
    }

    @Test("the matrix has every fault, and is no smaller than is said of it")
    func isWhole() {
        let kinds = Self.rows.reduce(into: Set<String>()) { $0.formUnion($1.kinds) }
        #expect(kinds.isSuperset(of: FaultKind.allCases.map(\.rawValue)), "\(kinds)")
        #expect(Self.combinations.count >= 620)
    }

    /// Under a sanitizer every fifth: each fault once or twice, and all lanes and sizes in their turn.
    static let tried = combinations.enumerated().filter { $0.offset % 5 == 0 || !Sanitizer.isWatching }.map(\.element)

    @Test("exactly N or the right exit code, all that arrived stored; then exactly N", arguments: tried)
    func crawl(_ combination: Combination) async throws {
        let (row, count) = (combination.row, combination.count)
        let scene = try Scene { configuration in
            configuration.people = row.people
            configuration.faults = try row.faults.split(separator: " ").map { try Fault(parsing: String($0)) }
        }
        let command = [
            "--count", "\(count)", "--page-size", "\(combination.pageSize)", "--concurrency", "\(combination.lanes)",
        ]
        let result = try await scene.crawl(command + ["--json"] + row.arguments)
        let events = try EventLines(result.output)
        let finished = events.last("finished")
        let stored = try #require(finished["stored"] as? Int, "\(result)")
        switch combination.outcome {
        case .whole(let retries):
            #expect(result.exitCode == 0, "\(result)")
            #expect(stored == count)
            #expect(finished["rejected"] as? Int == 0)
            #expect(finished["retries"] as? Int ?? 0 >= retries, "\(result)")
        case .rejects:
            #expect(result.exitCode == 0, "\(result)")
            #expect(stored == count)
            #expect(finished["rejected"] as? Int ?? 0 > 0)
        case .ends(let code):
            #expect(result.exitCode == code, "\(result)")
            #expect(result.errors.contains("Error: "), "\(result)")
            try expectArrived(stored, scene, combination)
        }
        #expect(events.all("page").last?["stored"] as? Int ?? 0 == stored, "the last page says what is stored")
        try await expectInOrder(scene, stored)

        guard result.exitCode != 0, row.people ?? count >= count else { return }
        scene.server.replaceFaults([])
        // The server asked to wait, and the database remembers; the time is up.
        if result.exitCode == 75 { try await scene.alter("DELETE FROM crawl_hosts") }
        let again = try await scene.crawl(command)
        #expect(again.exitCode == 0, "\(again)")
        #expect(try await scene.query("SELECT count(*), min(state) FROM crawl_runs") == "1|complete")
        try await expectInOrder(scene, count)
    }

    /// Expects that all of the pages that were served well are stored.
    private func expectArrived(_ stored: Int, _ scene: Scene, _ combination: Combination) throws {
        let handedOut = scene.server.statistics.distinctPeople
        if let people = combination.row.people { return #expect(stored == people) }
        if combination.lanes == 1 {
            #expect(stored == 3 * combination.pageSize, "three good pages came before the faults")
        } else {
            // Others are under way when a request fails for good.
            #expect(stored <= handedOut && stored <= combination.count)
        }
    }

    /// Expects so many users in a database whose ledger balances.
    private func expectInOrder(_ scene: Scene, _ count: Int) async throws {
        let sums = try await scene.query(
            """
            SELECT (SELECT count(*) FROM users), (SELECT count(DISTINCT uid) FROM users), sum(new),
                sum(received - new - duplicate - updated - rejected - surplus)
            FROM crawl_pages
            """)
        #expect(sums == (count == 0 && sums.hasPrefix("0|0||") ? "0|0||" : "\(count)|\(count)|\(count)|0"))
        try await scene.expectVerified()
    }
}
