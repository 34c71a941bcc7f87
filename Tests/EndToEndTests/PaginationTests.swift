import StandInAPI
import TestSupport
import Testing

@Suite("Pagination", .fewAtOnce)
struct PaginationTests {
    /// A scene whose folder holds the source file `things.json`.
    static func scene(
        _ source: CollectionSource, _ configure: (inout StandInConfiguration) -> Void = { _ in }
    ) throws -> Scene {
        let scene = try Scene { configuration in configure(&configuration) }
        try scene.write(source.json(at: scene.server).utf8, to: "things.json")
        return scene
    }

    /// Expects the whole collection, every record once and as the server has it.
    static func expectWhole(
        _ scene: Scene, size: Int = 250, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let stored = try await scene.query(
            """
            SELECT count(*), count(DISTINCT CAST(id AS INTEGER)), min(CAST(id AS INTEGER)), max(CAST(id AS INTEGER)),
                sum(name = 'Thing ' || id), count(DISTINCT country || '-' || code), sum(typeof(price) = 'real')
            FROM things
            """)
        let size = String(size)
        #expect(
            stored == [size, size, "1", size, size, size, size].joined(separator: "|"), sourceLocation: sourceLocation)
        try await scene.expectVerified(sourceLocation: sourceLocation)
    }

    @Test("every style is loaded whole, each page once", arguments: CollectionSource.all, [1, 4])
    func whole(source: CollectionSource, lanes: Int) async throws {
        let scene = try Self.scene(source)
        let result = try await scene.crawl("--source", "./things.json", "--concurrency", "\(lanes)")
        #expect(result.exitCode == 0, "\(result)")
        try await Self.expectWhole(scene)
        let targets = scene.requests.map(\.target)
        #expect(Set(targets).count == targets.count, "no page is asked for twice")
        // Where nothing tells the end, an empty page does; further lanes may have asked for as many beyond it.
        #expect(targets.count == 10 || (source.name == "list" && targets.count <= 10 + lanes), "\(targets)")
    }

    struct EndCase: Sendable, CustomTestStringConvertible {
        var source: CollectionSource
        var end: CollectionBehaviour.End
        var addresses: CollectionBehaviour.Addresses
        var testDescription: String { "\(source.name) ends with \(end), addresses \(addresses)" }
    }

    static let ends = CollectionSource.withField.flatMap { source in
        CollectionBehaviour.End.allCases.flatMap { end in
            CollectionBehaviour.Addresses.allCases.map { EndCase(source: source, end: end, addresses: $0) }
        }
    }

    @Test("ends where the next page is absent, null, empty or false", arguments: ends)
    func end(_ row: EndCase) async throws {
        let scene = try Self.scene(row.source) {
            $0.collection.end = row.end
            $0.collection.addresses = row.addresses
            $0.collection.size = 60
        }
        let result = try await scene.crawl("--source", "./things.json")
        #expect(result.exitCode == 0, "\(result)")
        try await Self.expectWhole(scene, size: 60)
        #expect(scene.requests.count == 3)
    }

    struct SizeCase: Sendable, CustomTestStringConvertible {
        var source: CollectionSource
        var size: Int
        var testDescription: String { "\(source.name), \(size) records" }
    }

    static let sizes = CollectionSource.all.flatMap { source in
        [0, 1, 25, 26].map { SizeCase(source: source, size: $0) }
    }

    @Test("empty, short and full last pages", arguments: sizes)
    func lastPage(_ row: SizeCase) async throws {
        let scene = try Self.scene(row.source) { $0.collection.size = row.size }
        let result = try await scene.crawl("--source", "./things.json")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "\(row.size)")
        let pages = max(1, (row.size + 24) / 25)
        // Where nothing tells the end, only a page without records does.
        let mayProbe = row.source.name == "list" && row.size > 0
        #expect(scene.requests.count == pages + (mayProbe ? 1 : 0))
    }

    struct LoopCase: Sendable, CustomTestStringConvertible {
        var source: CollectionSource
        var loop: CollectionBehaviour.Loop
        /// The page that closes the circle.
        var page: Int
        var testDescription: String { "\(source.name), \(loop)" }
    }

    static let loops =
        CollectionSource.following.flatMap { source in
            [
                LoopCase(source: source, loop: .same, page: 2),
                LoopCase(source: source, loop: .alternating, page: 3),
                LoopCase(source: source, loop: .firstPage, page: 2),
            ]
        }
        + CollectionSource.all.filter { source in !CollectionSource.following.contains { $0.name == source.name } }
        .map { LoopCase(source: $0, loop: .firstPage, page: 2) }

    @Test("a circle ends with exit 76 and names the page", arguments: loops)
    func loop(_ row: LoopCase) async throws {
        let scene = try Self.scene(row.source) { $0.collection.loop = row.loop }
        let result = try await scene.crawl("--source", "./things.json")
        #expect(result.exitCode == 76, "\(result)")
        #expect(result.errors.contains("on page \(row.page) "), "\(result.errors)")
        #expect(scene.requests.count <= 4)
        #expect(try await scene.query("SELECT count(*) <= 50 FROM things") == "1")
        try await scene.expectVerified()
    }

    @Test("killed in the middle, goes on at the next page", arguments: CollectionSource.all, [1, 4])
    func killed(source: CollectionSource, lanes: Int) async throws {
        let scene = try Self.scene(source) { $0.latency = .milliseconds(40) }
        let line = ["--source", "./things.json", "--concurrency", "\(lanes)"]
        let program = try scene.start(line)
        #expect(await program.end(by: 9, when: { scene.requests.count >= 6 }).signal == 9)
        let before = scene.requests.count
        let pages = try await scene.query("SELECT count(*) FROM crawl_pages")
        let stored = try #require(Int(pages))
        #expect(stored >= 1)

        let result = try await scene.crawl(lanes == 1 ? ["resume"] : line)
        #expect(result.exitCode == 0, "\(result)")
        try await Self.expectWhole(scene)
        let first = try #require(scene.requests.first?.target)
        let after = scene.requests.dropFirst(before).map(\.target)
        #expect(!after.contains(first), "the first page is not asked for again")
        // One page beyond the end where only that shows it, and as many as there are further lanes.
        #expect(after.count <= 10 - stored + lanes, "stored \(stored), asked \(after)")
    }

    @Test("a limit is kept across pages, and a later one goes on")
    func limited() async throws {
        for name in ["cursor", "link", "offset", "starting-after"] {
            let scene = try Self.scene(CollectionSource.named(name))
            #expect(try await scene.crawl("--source", "./things.json", "--count", "60").exitCode == 0)
            #expect(try await scene.query("SELECT count(*) FROM things") == "60")
            #expect(try await scene.crawl("--source", "./things.json", "--count", "100").exitCode == 0)
            #expect(try await scene.query("SELECT count(*) FROM things") == "100")
            let result = try await scene.crawl("--source", "./things.json", "--count", "999")
            #expect(result.exitCode == 3, "\(result)")
            try await Self.expectWhole(scene)
        }
    }

    @Test("a server that sends fewer records than asked loses none", arguments: ["offset", "page, number of records"])
    func lessThanAsked(name: String) async throws {
        for lanes in [1, 4] {
            var source = try CollectionSource.named(name)
            source.pagination = source.pagination.replacing("\"maxSize\":25", with: "\"maxSize\":100")
            let scene = try Self.scene(source)
            let result = try await scene.crawl("--source", "./things.json", "--concurrency", "\(lanes)")
            #expect(result.exitCode == 0, "\(result)")
            try await Self.expectWhole(scene)
        }
    }

    @Test("100,000 records over 1,000 pages", arguments: ["offset", "cursor"])
    func large(name: String) async throws {
        var source = try CollectionSource.named(name)
        source.pagination = source.pagination.replacing("\"maxSize\":25", with: "\"maxSize\":100")
        let scene = try Self.scene(source) {
            $0.collection.size = 100_000
            $0.collection.pageSize = 100
        }
        let result = try await scene.crawl("load", "things.json", "--concurrency", "4", "--quiet")
        #expect(result.exitCode == 0, "\(result)")
        try await Self.expectWhole(scene, size: 100_000)
        #expect(scene.requests.count == 1_000)
    }

    @Test(
        "pages that have not changed lead on as they did",
        arguments: [#""pages":"pages""#, #""more":"more""#, #""total":"total""#])
    func unchanged(end: String) async throws {
        let server = try ScriptedServer { request in
            guard request.field("If-None-Match") == nil else { return [.answer("304 Not Modified")] }
            let page = ["page=2", "page=3"].firstIndex { request.target.contains($0) }.map { $0 + 2 } ?? 1
            let body =
                #"{"pages":3,"total":6,"more":\#(page < 3),"rows":[{"id":\#(page * 2)},{"id":\#(page * 2 + 1)}]}"#
            return [.answer(fields: ["ETag: \"p\(page)\""], text: body)]
        }
        defer { server.stop() }
        let scene = try Scene()
        try scene.write(
            """
            {"name":"things","url":"\(server.url("/things"))","records":"rows","key":"id","columns":{"id":"integer"},
             "pagination":{"style":"page","parameter":"page","maxSize":2,\(end)}}
            """.utf8, to: "things.json")
        #expect(try await scene.crawl("load", "things.json").exitCode == 0)
        let again = try await scene.crawl("load", "things.json")
        #expect(again.exitCode == 0, "\(again)")
        #expect(server.requests.count == 6)
        #expect(server.requests.suffix(3).allSatisfy { $0.field("If-None-Match") != nil })
        #expect(try await scene.query("SELECT count(*) FROM things") == "6")
        try await scene.expectVerified()
    }

    @Test("a key of several columns, integer keys")
    func severalColumns() async throws {
        var source = try CollectionSource.named("list")
        source.key = #"["country", "code"]"#
        let scene = try Self.scene(source)
        #expect(try await scene.crawl("load", "./things.json").exitCode == 0)
        try await Self.expectWhole(scene)
        let key =
            "SELECT group_concat(name) FROM (SELECT name FROM pragma_table_info('things') WHERE pk > 0 ORDER BY pk)"
        #expect(try await scene.query(key) == "country,code")
        let again = try await scene.crawl("load", "./things.json")
        #expect(again.exitCode == 0, "\(again)")
        try await Self.expectWhole(scene)
    }

    @Test("whole numbers and fractions in one column are all kept; in an integer column fractions are rejected, told")
    func mixedNumbers() async throws {
        var source = try CollectionSource.named("list")
        let scene = try Self.scene(source)
        #expect(try await scene.crawl("load", "./things.json").exitCode == 0)
        #expect(
            try await scene.query(
                "SELECT sum(price = round(price)) >= 83, sum(price <> round(price)) > 100 FROM things")
                == "1|1")
        source.types = ["price": "integer"]
        try scene.write(
            source.json(at: scene.server).replacing("\"things\"", with: "\"whole\"").utf8, to: "whole.json")
        let result = try await scene.crawl("load", "./whole.json")
        #expect(try await scene.query("SELECT count(*) FROM whole") == "84", "\(result)")
        #expect(
            try await scene.query("SELECT DISTINCT substr(reason, 1, 6) FROM crawl_rejects") == "price:")
        try await scene.expectVerified()
    }
}
