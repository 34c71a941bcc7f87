import Foundation
import TestSupport
import Testing

@testable import CrawlKit

@Suite("Stored records", .timeLimit(Sanitizer.limit(minutes: 5)))
struct RecordTests {
    private let folder: TemporaryFolder
    private var database: CrawlDatabase { CrawlDatabase(folder.file("crawl.db")) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func crawl(_ source: Source, _ count: Int? = nil, fresh: Bool = false) async throws {
        var options = CrawlOptions(count: count)
        options.database = database.path
        options.origin = .offline
        options.startsFresh = fresh
        options.pageSize = .records(100)
        try await Crawl(source, options: options).complete()
    }

    // MARK: The types that come along

    @Test func usersAreReadInTheOrderOfStoring() async throws {
        try await crawl(.users, 300)
        let users = try await database.records(of: User.self).collect()
        #expect(users.count == 300)
        #expect(Set(users.map(\.id)).count == 300)
        #expect(users.allSatisfy { $0.firstName?.isEmpty == false && $0.number != nil && $0.addressLatitude != nil })
        let part = try await database.records(of: User.self, limit: 20, offset: 290).collect()
        #expect(part == Array(users[290...]))
        #expect(try await database.records(of: User.self, limit: 0).collect() == [])
        #expect(try await database.records(of: User.self, offset: 300).collect() == [])
        #expect(try await database.count(of: User.self) == 300)
    }

    @Test func postsAndMarketsAreRead() async throws {
        for source in [Source.posts, .tickers, .quotes] { try await crawl(source) }
        let posts = try await database.records(of: Post.self).collect()
        #expect(posts.map(\.id).sorted() == Array(1...100))
        #expect(posts.allSatisfy { $0.body?.contains("\n") == true && $0.userID != nil })
        let tickers = try await database.records(of: Ticker.self, limit: 10).collect()
        #expect(tickers.allSatisfy { $0.priceUSD ?? 0 > 0 && $0.rank != nil })
        let quotes = try await database.records(of: Quote.self).collect()
        #expect(Set(quotes.map(\.id)) == ["AAPL", "GOOG", "MSFT", "TSLA", "UBER", "LYFT"])
        #expect(quotes.allSatisfy { $0.regularMarketPrice ?? 0 > 0 && $0.regularMarketTime > 1_000_000_000 })
    }

    @Test func theTypesHaveTheColumnsOfTheirSources() throws {
        func expect<Keys: CodingKey & CaseIterable, Record: CrawledRecord>(
            _ keys: Keys.Type, of type: Record.Type, _ source: Source
        ) throws {
            #expect(Record.source == source.name)
            #expect(keys.allCases.map(\.stringValue) == source.columns.map(\.name))
            let value: [ColumnType: Any] = [.text: "x", .integer: 7, .real: 1.5]
            let required = source.columns.filter(\.isRequired)
            let least = Dictionary(uniqueKeysWithValues: required.map { ($0.name, value[$0.type] ?? "") })
            _ = try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: least))
            let all = Dictionary(uniqueKeysWithValues: source.columns.map { ($0.name, value[$0.type] ?? "") })
            _ = try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: all))
            for column in required {
                let less = least.filter { $0.key != column.name }
                #expect(throws: DecodingError.self) {
                    try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: less))
                }
            }
        }
        try expect(User.CodingKeys.self, of: User.self, .users)
        try expect(Post.CodingKeys.self, of: Post.self, .posts)
        try expect(Ticker.CodingKeys.self, of: Ticker.self, .tickers)
        try expect(Quote.CodingKeys.self, of: Quote.self, .quotes)
    }

    @Test func recordsGoThroughJSONWithTheColumnsNames() async throws {
        try await crawl(.users, 3)
        let users = try await database.records(of: User.self).collect()
        let text = try JSONEncoder().encode(users)
        #expect(String(decoding: text, as: UTF8.self).contains(#""address_zip_code":"#))
        #expect(try JSONDecoder().decode([User].self, from: text) == users)
    }

    // MARK: One state of the database

    @Test func anIterationSeesOneStateOfTheDatabase() async throws {
        try await crawl(.users, 600)
        let before = Set(try await database.records(of: User.self).collect().map(\.id))
        var seen: Set<String> = []
        for try await user in database.records(of: User.self) {
            if seen.isEmpty { try await crawl(.users, 20, fresh: true) }
            seen.insert(user.id)
        }
        #expect(seen == before)
        let after = try await database.records(of: User.self).collect()
        #expect(after.count == 20)
        #expect(before.isDisjoint(with: after.map(\.id)))
    }

    @Test func anIterationThatStopsHoldsNothing() async throws {
        try await crawl(.users, 300)
        for try await _ in database.records(of: User.self) { break }
        try await crawl(.users, 310)
        #expect(try await database.count(of: User.self) == 310)
    }

    @Test func aCancelledTaskReadsNoFurther() async throws {
        try await crawl(.users, 300)
        let records = database.records(of: User.self)
        let task = Task {
            // Begins when it is cancelled already.
            while !Task.isCancelled { await Task.yield() }
            return try await records.collect()
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    // MARK: What cannot be read

    @Test func aMissingDatabaseStaysMissing() async throws {
        for read in [
            { _ = try await database.records(of: User.self).collect() },
            { _ = try await database.count(of: User.self) },
        ] as [() async throws -> Void] {
            let error = await #expect(throws: CrawlError.self) { try await read() }
            #expect(error?.exitCode == .database)
        }
        #expect(!FileManager.default.fileExists(atPath: database.path))
    }

    @Test func anUnknownSourceIsNamed() async throws {
        try await crawl(.users, 3)
        let error = await #expect(throws: CrawlError.self) { try await database.records(of: Post.self).collect() }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains("posts") == true)
    }

    @Test(arguments: [(-1, 0), (1, -1)])
    func aNegativeLimitIsRefused(limit: Int, offset: Int) async throws {
        try await crawl(.users, 3)
        await #expect(throws: CrawlError.self) {
            try await database.records(of: User.self, limit: limit, offset: offset).collect()
        }
    }
}
