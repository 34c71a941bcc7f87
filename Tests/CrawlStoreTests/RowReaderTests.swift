import CrawlCore
import CrawlJSON
import TestSupport
import Testing

@testable import CrawlStore

@Suite("Rows read in batches")
struct RowReaderTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("crawl.db") }

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A database with so many people, numbered by their age.
    private func fill(_ count: Int) async throws -> Store {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        try await store.commit(page(1, (0..<count).map { person("p\($0)", age: .integer(Int64($0))) }), by: writer)
        return store
    }

    private func ages(_ rows: [[RecordValue]]) -> [Int] {
        rows.compactMap { row in row.first?.number.map { Int($0) } }
    }

    @Test func batchesComeInTheOrderOfStoring() async throws {
        _ = try await fill(25)
        let reader = try await RowReader.open(RowQuery(source: "people", columns: ["age"]), path: path)
        var batches: [[Int]] = []
        while true {
            let rows = try await reader.next(10)
            if rows.isEmpty { break }
            batches.append(ages(rows))
        }
        #expect(batches.map(\.count) == [10, 10, 5])
        #expect(batches.flatMap { $0 } == Array(0..<25))
        #expect(await reader.total == 25)
        #expect(try await reader.next(10) == [])
    }

    @Test(
        arguments: [
            (limit: nil, offset: 0, rows: 0..<25), (limit: 3, offset: 0, rows: 0..<3),
            (limit: 0, offset: 0, rows: 0..<0),
            (limit: 5, offset: 22, rows: 22..<25), (limit: nil, offset: 40, rows: 0..<0),
        ] as [(limit: Int?, offset: Int, rows: Range<Int>)])
    func limitAndOffset(limit: Int?, offset: Int, rows: Range<Int>) async throws {
        _ = try await fill(25)
        var query = RowQuery(source: "people", columns: ["age"], limit: limit)
        query.offset = offset
        let reader = try await RowReader.open(query, path: path)
        #expect(ages(try await reader.next(100)) == Array(rows))
        #expect(await reader.total == 25, "the whole table, whatever the limit")
    }

    @Test func laterWritesAreNotSeen() async throws {
        let store = try await fill(20)
        let reader = try await RowReader.open(RowQuery(source: "people", columns: ["age"]), path: path)
        try await store.execute("DELETE FROM people WHERE age > 5")
        #expect(ages(try await reader.next(8)) == Array(0..<8))
        try await store.execute("DELETE FROM people")
        #expect(ages(try await reader.next(100)) == Array(8..<20))
    }

    @Test func columnsAreTheSourcesOwnUnlessNamed() async throws {
        _ = try await fill(1)
        let own = try await RowReader.open(RowQuery(source: "people"), path: path)
        #expect(await own.columns.map(\.name) == ["uid", "age", "height", "active", "tags"])
        #expect(await own.columns.map(\.type) == [.text, .integer, .real, .boolean, .json])
        #expect(await own.columns.filter(\.isKey).map(\.name) == ["uid"])
        #expect(try await own.next(1) == [[.text("p0"), .integer(0), .null, .null, .null]])
        var query = RowQuery(source: "people")
        query.includesOthers = true
        let all = try await RowReader.open(query, path: path)
        #expect(await all.columns.suffix(2).map(\.name) == ["extra", "page"])
        let named = try await RowReader.open(RowQuery(source: "people", columns: ["page", "uid"]), path: path)
        #expect(try await named.next(1) == [[.integer(1), .text("p0")]])
    }

    @Test(arguments: [
        (RowQuery(source: "peopel"), "Did you mean 'people'?"),
        (RowQuery(source: "people", columns: ["aeg"]), "Did you mean 'age'?"),
        (RowQuery(source: "people", columns: []), "No column"),
        (RowQuery(source: "crawl_runs"), "no source 'crawl_runs'"),
    ])
    func unknownNames(query: RowQuery, words: String) async throws {
        _ = try await fill(1)
        let error = await crawlError { try await RowReader.open(query, path: path) }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains(words) == true)
    }

    @Test(
        arguments: [
            (longest: nil, text: "aé€😀z"), (longest: 11, text: "aé€😀z"), (longest: 10, text: "aé€😀"),
            (longest: 9, text: "aé€"), (longest: 6, text: "aé€"), (longest: 5, text: "aé"), (longest: 2, text: "a"),
            (longest: 0, text: ""),
        ] as [(longest: Int?, text: String)])
    func longTextsAreCutBetweenCharacters(longest: Int?, text: String) async throws {
        let store = try await Store.open(path: path)
        try await store.commit(page(1, [person("aé€😀z")]), by: try await store.start())
        var query = RowQuery(source: "people", columns: ["uid"])
        query.longestText = longest
        let reader = try await RowReader.open(query, path: path)
        #expect(try await reader.next(1) == [[.text(text)]])
    }

    @Test func aTextWithNULIsReadWhole() async throws {
        let store = try await Store.open(path: path)
        try await store.commit(page(1, [person("a\0b")]), by: try await store.start())
        let reader = try await RowReader.open(RowQuery(source: "people", columns: ["uid"]), path: path)
        #expect(try await reader.next(1) == [[.text("a\0b")]])
    }

    @Test func aBatchOfLongTextsEndsEarly() async throws {
        let store = try await Store.open(path: path)
        let long = String(repeating: "x", count: 400_000)
        try await store.commit(page(1, (0..<10).map { person("\(long)\($0)") }), by: try await store.start())
        let reader = try await RowReader.open(RowQuery(source: "people"), path: path)
        var counts: [Int] = []
        while let rows = Optional(try await reader.next(100)), !rows.isEmpty { counts.append(rows.count) }
        #expect(counts == [3, 3, 3, 1])
    }
}
