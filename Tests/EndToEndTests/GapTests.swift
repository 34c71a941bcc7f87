import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("What would be missed in silence", .fewAtOnce)
struct GapTests {
    /// A server with 100 things that counts them in each answer, and sends only ten at a time after the first page.
    private static func shrinkingServer() throws -> ScriptedServer {
        try ScriptedServer { request in
            let offset = parameter("offset", of: request)
            let size = request.number == 1 ? 25 : 10
            let things = (offset..<min(100, offset + size)).map { #"{"id": \#($0)}"# }
            return [.answer(text: #"{"total": 100, "items": [\#(things.joined(separator: ","))]}"#)]
        }
    }

    private static func parameter(_ name: String, of request: ScriptedServer.Request) -> Int {
        let items = URLComponents(string: request.target)?.queryItems
        return items?.first { $0.name == name }?.value.flatMap { Int($0) } ?? 0
    }

    @Test("pages that become shorter while the answers say there are more: said, with the way out")
    func shrinkingPages() async throws {
        let server = try Self.shrinkingServer()
        defer { server.stop() }
        let scene = try Scene()
        let source = """
            { "name": "things", "url": "\(server.url("/things"))", "records": "items", "key": "id",
              "pagination": { "style": "offset", "parameter": "offset", "sizeParameter": "limit", "maxSize": 25,
                "total": "total" }, "columns": { "id": "integer!" } }
            """
        try scene.write(source.utf8, to: "things.json")
        let result = try await scene.crawl("load", "./things.json", "--page-size", "25", "--concurrency", "1")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.errors.contains("there are 100 records, and 55 distinct ones are stored"), "\(result)")
        #expect(result.errors.contains("--fresh with a smaller --page-size"), "\(result)")
        let anew = try await scene.crawl("load", "./things.json", "--page-size", "10", "--fresh")
        #expect(anew.exitCode == 0, "\(anew)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "100")
        #expect(!anew.errors.contains("distinct ones are stored"), "\(anew)")
    }

    @Test("a source without an end is not loaded whole", arguments: ["users", "randomuser"])
    func endless(name: String) async throws {
        let scene = try Scene()
        let load = try await scene.crawl("load", name, "--offline")
        #expect(load.exitCode == 64, "\(load)")
        #expect(load.errors.contains("crawl --source \(name) --count 50"), "\(load)")
        let crawl = try await scene.crawl("--source", name, "--offline")
        #expect(crawl.exitCode == 0, "\(crawl)")
        #expect(try await scene.query("SELECT count(*) FROM \(name)") == "50")
    }

    @Test("resume goes on with the other runs where the source file of one is gone")
    func oneFileGone() async throws {
        let scene = try PaginationTests.scene(try .named("offset"))
        scene.server.replaceFaults([try Fault(parsing: "500:1@2")])
        #expect(try await scene.crawl("--source", "./things.json", "--retries", "0").exitCode == 69)
        scene.server.replaceFaults([try Fault(parsing: "500:1@5")])
        #expect(try await scene.crawl("--count", "30", "--page-size", "3", "--retries", "0").exitCode == 69)
        scene.server.replaceFaults([])
        try FileManager.default.removeItem(atPath: scene.folder.file("things.json"))
        let result = try await scene.crawl("resume")
        #expect(result.exitCode == 78, "\(result)")
        #expect(result.errors.contains("things.json"), "\(result)")
        try await scene.expectUsers(30)
    }
}
