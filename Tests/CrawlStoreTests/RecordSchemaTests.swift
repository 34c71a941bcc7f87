import CrawlCore
import CrawlJSON
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct RecordSchemaTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() async throws {
        folder = try TemporaryFolder()
        store = try await Store.open(path: folder.file("crawl.db"))
    }

    private func source(named name: String = "things", key: [String] = ["id"], _ columns: [Column]) -> Source {
        Source(name: name, url: "http://127.0.0.1", pagination: .single, key: key, columns: columns)
    }

    private func columns(of table: String = "things") async throws -> [String] {
        try await store.rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)') ORDER BY cid")
    }

    @Test func tableHasTheSourcesColumns() async throws {
        try await store.prepare(people)
        #expect(
            try await columns(of: "people") == [
                "uid|TEXT|1|1", "age|INTEGER|0|0", "height|REAL|0|0", "active|INTEGER|0|0", "tags|TEXT|0|0",
                "extra|TEXT|0|0", "page|INTEGER|1|0",
            ])
        #expect(try await store.rows("SELECT strict, wr FROM pragma_table_list('people')") == ["1|0"])
        #expect(try await store.storedCount(of: "people") == 0)
        #expect(try await store.storedCount(of: "never heard of") == 0)
    }

    @Test func keyOfSeveralColumnsKeepsItsOrder() async throws {
        try await store.prepare(source(key: ["b", "a"], [Column("a", .text), Column("b", .integer)]))
        #expect(try await columns() == ["a|TEXT|1|2", "b|INT|1|1", "extra|TEXT|0|0", "page|INTEGER|1|0"])
    }

    @Test func integerKeyKeepsTheOrderInWhichRecordsCame() async throws {
        let things = source([Column("id", .integer)])
        let writer = try await store.start(things)
        let rows: [[CellValue]] = [[.integer(9), .absent], [.integer(-3), .absent], [.integer(9), .absent]]
        let committed = try await store.commit(page(1, rows, columns: 2), by: writer)
        #expect(committed.first?.counts.new == 2)
        #expect(try await store.rows("SELECT id FROM things ORDER BY rowid") == ["9", "-3"])
    }

    @Test(arguments: [
        "a\"b", "\"", "line\nbreak", "tab\t", "'); DROP TABLE crawl_runs; --", "select", "a b", "ä", "\u{1}", "[x]",
        "`x`", "?1", "🙂",
    ])
    func anyNameIsSafe(name: String) async throws {
        let things = source(named: name, key: [name], [Column(name, .text), Column("x\(name)", .integer)])
        let writer = try await store.start(things)
        try await store.commit(page(1, [[.text("a"), .integer(1), .absent]], columns: 3), by: writer)
        #expect(try await store.storedCount(of: name) == 1)
        let reader = try await StoreReader.open(path: store.path)
        #expect(try await reader.verify() == [])
        let result = try await reader.export(
            Export(source: name, format: .ndjson), to: .file(folder.file("out.ndjson")))
        #expect(result.columns == [name, "x\(name)", "extra"])
    }

    @Test func columnsThatTheSourceGainsAreAddedAndLostOnesStay() async throws {
        try await store.prepare(source([Column("id", .integer), Column("old", .text)]))
        let later = source([
            Column("id", .integer), Column("needed", .real, isRequired: true), Column("flag", .boolean),
        ])
        let writer = try await store.start(later)
        try await store.commit(
            page(1, [[.integer(1), .real(0.5), .integer(1), .text("{}")]], columns: 4), by: writer)
        #expect(
            try await columns() == [
                "id|INT|1|1", "old|TEXT|0|0", "extra|TEXT|0|0", "page|INTEGER|1|0", "needed|REAL|0|0",
                "flag|INTEGER|0|0",
            ])
        #expect(try await store.rows("SELECT id, old, extra, page, needed, flag FROM things") == ["1|NULL|{}|1|0.5|1"])
        let reader = try await StoreReader.open(path: store.path)
        let result = try await reader.export(Export(source: "things"), to: .file(folder.file("out.csv")))
        #expect(result.columns == ["id", "old", "needed", "flag", "extra"])
    }

    /// What a source may have become since its table was made, and what is said to it.
    @Test(arguments: [
        ("type", ["id"], [Column("id", .integer), Column("a", .integer)], "column \"a\" is integer, but text"),
        ("json for text", ["id"], [Column("id", .integer), Column("a", .json)], "column \"a\" is json, but text"),
        ("boolean", ["id"], [Column("id", .boolean), Column("a", .text)], "column \"id\" is boolean, but integer"),
        ("key", ["a"], [Column("id", .integer), Column("a", .text)], "its key is (a), but the table's is (id)"),
        ("longer key", ["id", "a"], [Column("id", .integer), Column("a", .text)], "its key is (id, a)"),
        ("case", ["id"], [Column("id", .integer), Column("A", .text)], "written \"a\" in the table"),
        ("no key", [], [Column("id", .integer)], "it has no key"),
        ("key without column", ["ib"], [Column("id", .integer)], "Did you mean \"id\"?"),
        ("key twice", ["id", "id"], [Column("id", .integer)], "names \"id\" twice"),
        ("extra", ["id"], [Column("id", .integer), Column("extra", .text)], "column \"extra\""),
        ("Page", ["id"], [Column("id", .integer), Column("Page", .text)], "column \"Page\""),
        ("rowid", ["id"], [Column("id", .integer), Column("ROWID", .text)], "column \"ROWID\""),
        ("twice", ["id"], [Column("id", .integer), Column("x", .text), Column("X", .text)], "two columns \"X\""),
        ("empty", ["id"], [Column("id", .integer), Column("", .text)], "has no name"),
        ("NUL", ["id"], [Column("id", .integer), Column("a\0b", .text)], "NUL"),
        ("required no more", ["id"], [Column("id", .integer), Column("must", .text)], "\"must\" may be missing"),
    ])
    func contradictionsAreRefused(name: String, key: [String], columns: [Column], message: String) async throws {
        try await store.prepare(
            source([Column("id", .integer), Column("a", .text), Column("must", .text, isRequired: true)]))
        let before = try await self.columns()
        let error = await crawlError { try await store.prepare(source(key: key, columns)) }
        #expect(error?.exitCode == .badSource)
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(try await self.columns() == before)
    }

    @Test(arguments: ["crawl_runs", "CRAWL_x", "sqlite_master", "Sqlite_x", "", "a\0"])
    func takenTableNamesAreRefused(name: String) async throws {
        let error = await crawlError { try await store.prepare(source(named: name, [Column("id", .text)])) }
        #expect(error?.exitCode == .badSource)
    }

    @Test func namesOfOtherThingsAreRefused() async throws {
        try await store.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY); CREATE VIEW look AS SELECT 1")
        for (name, message) in [("notes", "no crawl made"), ("Notes", "table \"notes\""), ("look", "view \"look\"")] {
            let error = await crawlError { try await store.prepare(source(named: name, [Column("id", .integer)])) }
            #expect(error?.exitCode == .badSource)
            #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        }
    }
}
