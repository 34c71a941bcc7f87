import StandInAPI
import TestSupport
import Testing

@Suite("Source files", .fewAtOnce)
struct SourceFileTests {
    private func scene() throws -> Scene {
        try PaginationTests.scene(CollectionSource.named("list")) { $0.collection.size = 60 }
    }

    private func write(_ scene: Scene, _ change: (inout CollectionSource) -> Void) throws {
        var source = try CollectionSource.named("list")
        change(&source)
        try scene.write(source.json(at: scene.server).utf8, to: "things.json")
    }

    @Test("new columns are added to the table")
    func newColumns() async throws {
        let scene = try scene()
        try write(scene) { $0.without = ["zip", "stock"] }
        #expect(try await scene.crawl("--source", "things.json").exitCode == 0)
        #expect(
            try await scene.query("SELECT count(*), sum(json_extract(extra, '$.zip') IS NOT NULL) FROM things")
                == "60|60")
        try write(scene) { _ in }
        let result = try await scene.crawl("--source", "things.json")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*), count(zip), count(stock) FROM things") == "60|60|60")
        try await scene.expectVerified()
    }

    @Test("a changed type or key is refused with the way out, and nothing is changed")
    func changed() async throws {
        let scene = try scene()
        #expect(try await scene.crawl("--source", "things.json").exitCode == 0)
        let before = scene.requests.count
        try write(scene) { $0.types = ["stock": "text"] }
        let type = try await scene.crawl("--source", "things.json")
        #expect(type.exitCode == 78, "\(type)")
        #expect(type.errors.contains("stock") && type.errors.contains("--db"))
        try write(scene) { $0.key = #"["country", "code"]"# }
        let key = try await scene.crawl("load", "things.json")
        #expect(key.exitCode == 78, "\(key)")
        #expect(key.errors.contains("key"))
        #expect(scene.requests.count == before)
        #expect(try await scene.query("SELECT count(*) FROM things") == "60")
    }

    @Test(
        "mistakes end with exit 78, the place and the mend",
        arguments: [
            (
                #"{"name":"things","url":"http://a/","pagination":{"style":"single"},"key":"id","columns":{"id":"int"}}"#,
                "columns.id: unknown type 'int', use integer"
            ),
            ("{", "things.json: line 1, column"),
            (
                #"{"name":"things","url":"http://a/","pagination":{"style":"curser"},"key":"id","columns":{"id":"text"}}"#,
                "did you mean 'cursor'?"
            ),
        ])
    func mistakes(text: String, message: String) async throws {
        let scene = try scene()
        try scene.write(text.utf8, to: "things.json")
        for line in [
            ["--source", "things.json"], ["load", "./things.json"], ["--source", "things.json", "--dry-run"],
        ] {
            let result = try await scene.crawl(line)
            #expect(result.exitCode == 78, "\(result)")
            #expect(result.errors.contains(message), "\(result.errors)")
        }
        #expect(scene.requests.isEmpty)
    }

    @Test("a file that is not there, or a folder")
    func missing() async throws {
        let scene = try scene()
        let missing = try await scene.crawl("--source", "./other.json")
        #expect(missing.exitCode == 78, "\(missing)")
        #expect(missing.errors.contains("./other.json"))
        #expect(try await scene.crawl("--source", "./").exitCode == 78)
    }

    @Test("crawl resume finds the file again, and says where it is gone or changed")
    func resume() async throws {
        let scene = try scene()
        scene.server.stop()
        #expect(try await scene.crawl("--source", "./things.json", "--retries", "0").exitCode == 69)
        let original = scene.contents("things.json")
        try write(scene) { $0.without = ["zip"] }
        let changed = try await scene.crawl("resume")
        #expect(changed.exitCode == 78, "\(changed)")
        #expect(changed.errors.contains("has changed since run 1"))
        try scene.write("".utf8, to: "elsewhere.json")
        let moved = try await scene.shell("mv things.json elsewhere.json")
        #expect(moved.exitCode == 0)
        let gone = try await scene.crawl("resume")
        #expect(gone.exitCode == 78, "\(gone)")
        #expect(gone.errors.contains("which is gone"))
        try scene.write(original.utf8, to: "things.json")
        #expect(try await scene.crawl("resume", "--retries", "0").exitCode == 69)
    }

    @Test("an unfinished run does not go on in the pages of another file")
    func changedPagination() async throws {
        let scene = try PaginationTests.scene(CollectionSource.named("page, number of records")) {
            $0.latency = .milliseconds(40)
        }
        let program = try scene.start("--source", "./things.json")
        _ = await program.end(by: 9, when: { scene.requests.count >= 5 })
        try scene.write(try CollectionSource.named("cursor").json(at: scene.server).utf8, to: "things.json")
        let result = try await scene.crawl("--source", "./things.json")
        #expect(result.exitCode == 0, "\(result)")
        try await PaginationTests.expectWhole(scene)
    }

    @Test("several files are loaded side by side; an endpoint is named by the source's name")
    func several() async throws {
        let scene = try scene()
        let other = try CollectionSource.named("cursor").json(at: scene.server)
            .replacing("\"things\"", with: "\"others\"").replacing(scene.server.baseURL, with: "http://127.0.0.1:9")
        try scene.write(other.utf8, to: "others.json")
        let result = try await scene.crawl(
            "load", "things.json", "./others.json", "--endpoint", "others=\(scene.server.baseURL)/pages/cursor")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT (SELECT count(*) FROM things), (SELECT count(*) FROM others)") == "60|60")
        let twice = try await scene.crawl("load", "things.json", "./things.json")
        #expect(twice.exitCode == 64)
    }

    @Test("next addresses that name the host of the source file stay at the endpoint that stands in for it")
    func endpoint() async throws {
        let pagination = #"{"style":"link","next":"next"}"#
        let first = #"{"next":"https://api.example.test/things?page=2","rows":[{"id":1}]}"#
        let server = try ScriptedServer { request in
            [request.target.contains("page=2") ? .answer(text: #"{"rows":[{"id":2}]}"#) : .answer(text: first)]
        }
        defer { server.stop() }
        let scene = try scene()
        try scene.write(
            """
            {"name":"things","url":"https://api.example.test/things","pagination":\(pagination),"records":"rows",
             "key":"id","columns":{"id":"integer"}}
            """.utf8, to: "things.json")
        let result = try await scene.crawl(
            "--source", "things.json", "--endpoint", "things=\(server.url("/mirror"))")
        #expect(result.exitCode == 0, "\(result)")
        #expect(server.requests.map(\.target) == ["/mirror", "/mirror?page=2"])
    }

    @Test("a next address on another host is refused; what came is stored")
    func foreign() async throws {
        let server = try ScriptedServer { _ in
            [.answer(text: #"{"next":"http://other.example.test/things?page=2","rows":[{"id":1}]}"#)]
        }
        defer { server.stop() }
        let scene = try scene()
        try scene.write(
            """
            {"name":"things","url":"\(server.url("/things?api_key=hunter2"))",
             "pagination":{"style":"link","next":"next"},"records":"rows","key":"id","columns":{"id":"integer"}}
            """.utf8, to: "things.json")
        let result = try await scene.crawl("--source", "things.json")
        #expect(result.exitCode == 65, "\(result)")
        #expect(result.errors.contains("other.example.test"))
        #expect(try await scene.query("SELECT count(*) FROM things") == "1")
        try await scene.expectVerified()
    }

    @Test("a key in the address goes with every page and stands nowhere in the database")
    func secretInAddress() async throws {
        let server = try ScriptedServer { request in
            guard !request.target.contains("page=2") else { return [.answer(text: #"{"rows":[{"id":2}]}"#)] }
            return [
                .answer(text: #"{"next":"/things?api_key=hunter2&page=2","rows":[{"id":1}]}"#)
            ]
        }
        defer { server.stop() }
        let scene = try scene()
        try scene.write(
            """
            {"name":"things","url":"\(server.url("/things?api_key=hunter2"))",
             "pagination":{"style":"link","next":"next"},"records":"rows","key":"id","columns":{"id":"integer"}}
            """.utf8, to: "things.json")
        let result = try await scene.crawl("--source", "things.json", "-v")
        #expect(result.exitCode == 0, "\(result)")
        #expect(server.requests.last?.target == "/things?page=2&api_key=hunter2")
        #expect(!result.errors.contains("hunter2") && !result.output.contains("hunter2"))
        #expect(!scene.bytes("output/crawl.db").contains("hunter2".utf8))
    }
}

extension Sequence<UInt8> {
    fileprivate func contains(_ other: String.UTF8View) -> Bool {
        Array(self).firstRange(of: Array(other)) != nil
    }
}
