import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Tables that somebody has changed", .fewAtOnce)
struct DiskTablesTests {
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var sql: String
        /// What `verify` says of it.
        var says: String
        /// The exit code of the crawl that would go on; 0 where it can.
        var exitCode: Int32 = 74
        /// What mends it, in place of another --db.
        var mend: [String] = []
    }

    static let changes = [
        Change(
            testDescription: "a table of the ledger is dropped", sql: "DROP TABLE crawl_rejects",
            says: "The table crawl_rejects is missing."),
        Change(
            testDescription: "a table of the ledger is renamed", sql: "ALTER TABLE crawl_pages RENAME TO old_pages",
            says: "The table crawl_pages is missing."),
        Change(
            testDescription: "a column of the ledger is dropped", sql: "ALTER TABLE crawl_pages DROP COLUMN bytes",
            says: "The table crawl_pages lacks the column bytes."),
        Change(
            testDescription: "a column of the ledger is renamed",
            sql: "ALTER TABLE crawl_runs RENAME COLUMN reason TO why",
            says: "The table crawl_runs lacks the column reason."),
        Change(
            testDescription: "a table of the ledger lost its key",
            sql:
                "CREATE TABLE h AS SELECT * FROM crawl_hosts; DROP TABLE crawl_hosts; ALTER TABLE h RENAME TO crawl_hosts",
            says: "The PRIMARY KEY of the table crawl_hosts is another."),
        Change(
            testDescription: "a view in place of a table of the ledger",
            sql: "ALTER TABLE crawl_cache RENAME TO c; CREATE VIEW crawl_cache AS SELECT * FROM c",
            says: "crawl_cache is a view, not a table."),
        Change(
            testDescription: "an index of the ledger is gone", sql: "DROP INDEX crawl_pages_by_run",
            says: "The index crawl_pages_by_run is missing."),
        Change(
            testDescription: "a trigger refuses records",
            sql: "CREATE TRIGGER guard BEFORE INSERT ON users BEGIN SELECT raise(ABORT, 'no more people'); END",
            says: "The table users has a trigger guard, which no crawl made."),
        Change(
            testDescription: "a trigger refuses pages",
            sql: "CREATE TRIGGER guard BEFORE INSERT ON crawl_pages BEGIN SELECT raise(ROLLBACK, 'no'); END",
            says: "The table crawl_pages has a trigger guard, which no crawl made."),
        Change(
            testDescription: "the records' table is dropped", sql: "DROP TABLE users",
            says: "The table of the source users is missing.", exitCode: 0, mend: ["--fresh"]),
        Change(
            testDescription: "the records' table is renamed", sql: "ALTER TABLE users RENAME TO people",
            says: "The table of the source users is missing.", exitCode: 0, mend: ["--fresh"]),
        Change(
            testDescription: "the records' table lost a column", sql: "ALTER TABLE users DROP COLUMN email",
            says: "The table users lacks the column email.", exitCode: 0, mend: ["--fresh"]),
        Change(
            testDescription: "the records' table lost its key",
            sql: "CREATE TABLE u AS SELECT * FROM users; DROP TABLE users; ALTER TABLE u RENAME TO users",
            says: "The table users has no PRIMARY KEY.", exitCode: 78),
        Change(
            testDescription: "the records' table has a column that must be filled",
            sql: """
                CREATE TABLE u (note TEXT NOT NULL, uid TEXT NOT NULL PRIMARY KEY, page INTEGER NOT NULL, extra TEXT);
                DROP TABLE users; ALTER TABLE u RENAME TO users;
                """, says: "The table users has a column note, which no crawl fills."),
        Change(
            testDescription: "a view in place of the records' table",
            sql: "ALTER TABLE users RENAME TO u; CREATE VIEW users AS SELECT * FROM u",
            says: "users is a view, not a table.", exitCode: 78),
    ]

    @Test("verify names what differs; a crawl says so too, changes nothing and tells the way out", arguments: changes)
    func changed(_ change: Change) async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "20").exitCode == 0)
        try await scene.alter(change.sql)
        let before = scene.bytes("output/crawl.db")
        let verified = try await scene.crawl("verify")
        #expect(verified.exitCode == 74, "\(verified)")
        #expect(verified.output.contains(change.says), "\(verified)")
        #expect(!verified.output.contains("no such"), "\(verified)")
        for arguments in [["status"], ["list", "users"], ["export", "users"]] {
            let result = try await scene.crawl(arguments)
            #expect([0, 64, 74].contains(result.exitCode), "\(arguments): \(result)")
            #expect(!result.errors.contains("check the disk"), "\(arguments): \(result)")
        }
        #expect(scene.bytes("output/crawl.db") == before)

        let again = try await scene.crawl(["--count", "30"] + change.mend)
        #expect(again.exitCode == change.exitCode, "\(again)")
        if change.exitCode == 0 {
            try await scene.expectUsers(30)
        } else {
            #expect(!again.errors.contains("check the disk") && again.errors.contains("--db"), "\(again)")
            if change.exitCode == 74 {
                #expect(again.errors.contains("not as crawl made them"), "\(again)")
                #expect(again.errors.contains("crawl verify"), "\(again)")
            }
            #expect(try await scene.crawl("--count", "30", "--db", "new.db").exitCode == 0)
        }
    }

    @Test("what takes nothing away is no difference: an index, a view, a column that may be empty")
    func harmless() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "20").exitCode == 0)
        try await scene.alter(
            """
            CREATE INDEX mine ON users (email); CREATE VIEW names AS SELECT first_name FROM users;
            ALTER TABLE users ADD COLUMN note TEXT; CREATE TABLE mine_too (a);
            """)
        try await scene.expectVerified()
        #expect(try await scene.crawl("--count", "30").exitCode == 0)
        try await scene.expectUsers(30)
    }
}
