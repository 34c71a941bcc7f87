import CrawlKit
import Foundation
import TestSupport
import Testing

@Suite("The library", .timeLimit(Sanitizer.limit(minutes: 5)))
struct LibraryTests {
    private let folder: TemporaryFolder
    private var database: CrawlDatabase { CrawlDatabase(folder.file("crawl.db")) }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func options(_ count: Int? = nil) -> CrawlOptions {
        var options = CrawlOptions(count: count)
        options.database = database.path
        options.origin = .offline
        return options
    }

    /// A source of numbered pages with two records each, at a server.
    private func things(at server: ScriptedServer, name: String = "things") throws -> Source {
        try Source(
            json: """
                { "name": "\(name)", "url": "\(server.url("/things"))", "key": "id", "columns": { "id": "integer" },
                  "pagination": { "style": "page", "parameter": "page", "sizeParameter": "size", "maxSize": 2 } }
                """)
    }

    @Test func completeReturnsTheSummary() async throws {
        let summary = try await Crawl(.users, options: options(20)).complete()
        #expect(summary.outcome == .complete)
        #expect(summary.stored == 20)
        #expect(summary.counts.isBalanced)
        #expect(try await Crawl(.users, options: options(20)).complete().outcome == .nothingToDo)
        #expect(try await database.count(of: User.self) == 20)
    }

    @Test func completeThrowsWhatStoppedIt() async throws {
        try await ScriptedServer.run([.answer("404 Not Found", text: "{}")]) { server in
            let source = try things(at: server)
            var options = options()
            options.origin = .live
            let error = await #expect(throws: CrawlError.self) { try await Crawl(source, options: options).complete() }
            #expect(error?.exitCode == .unavailable)
            options.endpoints["posts"] = server.url()
            let load = BulkLoad([.source(.posts), .source(source)], options: options)
            await #expect(throws: CrawlError.self) { try await load.complete() }
        }
    }

    @Test func cancellingTheTaskStopsPolitely() async throws {
        try await ScriptedServer.run([.answer(text: #"[{"id":1},{"id":2}]"#)], [.hang]) { server in
            let source = try things(at: server)
            var options = options()
            options.origin = .live
            let (stored, told) = AsyncStream.makeStream(of: Int.self)
            let task = Task { [options] in
                try await Crawl(source, options: options).complete { event in
                    if case .page(let page) = event { told.yield(page.stored) }
                }
            }
            #expect(await stored.first { _ in true } == 2)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await database.records(of: Thing.self).collect().map(\.id) == [1, 2])
        }
    }

    @Test func eventsEndWithFinished() async throws {
        var events: [CrawlEvent] = []
        for await event in Crawl(.users, options: options(30)).events { events.append(event) }
        guard case .started? = events.first, case .finished(let summary)? = events.last else {
            Issue.record("\(events)")
            return
        }
        let stored = events.compactMap { if case .page(let page) = $0 { page.stored } else { nil } }
        #expect(stored == stored.sorted())
        #expect(stored.last == 30)
        #expect(summary.stored == 30)
    }

    @Test func aReaderThatStopsReadingStopsTheCrawl() async throws {
        try await ScriptedServer.run([.answer(text: #"[{"id":1},{"id":2}]"#)], [.hang]) { server in
            var options = options()
            options.origin = .live
            for await event in Crawl(try things(at: server), options: options).events {
                if case .page = event { break }
            }
            // The database is free for the next crawl before long; on a busy machine that may be more than the five
            // seconds that a crawl waits.
            let deadline = Date(timeIntervalSinceNow: Sanitizer.patience)
            var stored: Int?
            while stored == nil {
                do {
                    stored = try await Crawl(.users, options: self.options(5)).complete().stored
                } catch let error as CrawlError where error.exitCode == .tryLater && Date() < deadline {}
            }
            #expect(stored == 5)
            #expect(try await database.count(of: Thing.self) == 2)
        }
    }

    @Test func aLoadIsASequenceOfEventsToo() async throws {
        var finished: Set<String> = []
        for await event in BulkLoad([.source(.posts), .source(.tickers)], options: options()).events {
            if case .finished(let summary) = event { finished.insert(summary.source) }
        }
        #expect(finished == ["posts", "tickers"])
    }

    @Test func aWatchIsASequenceOfEventsToo() async throws {
        var isLoaded = false
        for await event in Watch(BulkLoad([.source(.posts)], options: options()), every: .seconds(3600)).events {
            if case .finished = event {
                isLoaded = true
                break
            }
        }
        #expect(isLoaded)
    }

    @Test("a source goes into a source file and comes back the same", arguments: BuiltInSources.names)
    func sourceText(name: String) throws {
        let source = try #require(try BuiltInSources.source(named: name))
        #expect(try Source(json: source.json) == source)
    }

    @Test func theBuiltInSourcesHaveNames() throws {
        let sources: [Source] = [.users, .posts, .tickers, .quotes, .randomuser]
        #expect(sources.map(\.name) == BuiltInSources.names)
        #expect(BulkLoad.Item.markets.sources.map(\.name) == BuiltInSources.groups["markets"])
    }

    @Test func aSourceFileIsRead() throws {
        let path = folder.file("mine.json")
        try Data(Source.posts.json.replacing("\"posts\"", with: "\"mine\"").utf8).write(to: URL(filePath: path))
        #expect(try Source(contentsOfFile: path).name == "mine")
    }

    @Test(
        "a wrong source says where and what",
        arguments: [
            (
                #"{"name":"x","url":"http://h/","pagination":{"style":"single"},"key":"a","columns":{"a":"float"}}"#,
                "columns.a"
            ),
            ("{", "line 1"),
        ])
    func wrongSource(text: String, place: String) throws {
        let error = #expect(throws: CrawlError.self) { try Source(json: text, name: "mine") }
        #expect(error?.exitCode == .badSource)
        #expect(error?.message.contains(place) == true)
        #expect(error?.message.hasPrefix("mine") == true)
        let path = folder.file("wrong.json")
        try Data(text.utf8).write(to: URL(filePath: path))
        let inFile = #expect(throws: CrawlError.self) { try Source(contentsOfFile: path) }
        #expect(inFile?.message.contains("wrong.json") == true)
    }

    @Test("what is no file is told apart", arguments: ["missing.json", "."])
    func noSourceFile(name: String) throws {
        let error = #expect(throws: CrawlError.self) { try Source(contentsOfFile: folder.file(name)) }
        #expect(error?.exitCode == .badSource)
        #expect(error?.message.contains(name) == true)
    }
}

/// A record of the tests' own source.
private struct Thing: CrawledRecord {
    static let source = "things"
    var id: Int
}
