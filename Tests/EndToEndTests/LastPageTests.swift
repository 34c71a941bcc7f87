import CrawlCore
import Foundation
import TestSupport
import Testing

/// Where a source of numbered pages ends, however many lanes ask, and whenever the crawl was interrupted.
@Suite("The last page", .fewAtOnce)
struct LastPageTests {
    /// A server with records 1 to `records`, ten a page.
    struct Server: Sendable {
        var records: Int
        /// What the answers tell: `more`, `pages`, `total`, or nothing.
        var tells: String?
        /// The status behind the last page; nil for an empty list.
        var beyond: String?
        /// Records that it leaves out.
        var hidden: Set<Int> = []

        func start(holding page: Int? = nil) throws -> ScriptedServer {
            try ScriptedServer { request in
                let number = request.number("page") ?? 1
                let ids = ((number - 1) * 10 + 1..<number * 10 + 1).filter { $0 <= records && !hidden.contains($0) }
                if ids.isEmpty, let beyond { return [.answer(beyond)] }
                let pages = (records + 9) / 10
                let body = """
                    {"rows":[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))],
                     "more":\(number < pages),"pages":\(pages),"total":\(records)}
                    """
                return number == page ? [.waitForRelease, .answer(text: body)] : [.answer(text: body)]
            }
        }

        func scene(_ server: ScriptedServer) throws -> Scene {
            let scene = try Scene()
            let end = tells.map { ",\"\($0)\":\"\($0)\"" } ?? ""
            try scene.writeThings(
                server, records: "rows", pagination: #""style":"page","parameter":"page","maxSize":10\#(end)"#)
            return scene
        }
    }

    static let tells: [String?] = [nil, "more", "pages", "total"]

    @Test(
        "a run that stored the last page before an earlier one knows the end when it goes on", arguments: tells,
        ["404 Not Found", "400 Bad Request", "403 Forbidden", "500 Internal Server Error"])
    func ahead(_ tells: String?, _ beyond: String) async throws {
        let row = Server(records: 37, tells: tells, beyond: beyond)
        let server = try row.start(holding: 2)
        defer { server.stop() }
        let scene = try row.scene(server)
        let line = ["load", "./things.json", "--concurrency", "4", "--retries", "0"]
        let program = try scene.start(line)
        _ = await program.end(
            by: SIGKILL,
            when: {
                // The pages around the one that is held are stored.
                let stored = try? Program(
                    "/usr/bin/sqlite3", ["-readonly", scene.database, "SELECT count(*) FROM crawl_pages"],
                    workingFolder: scene.folder.path
                ).waitForEnd(30).output
                return stored == "3\n"
            })
        #expect(try await scene.query("SELECT count(*) FROM things") == "27")
        server.release()
        for _ in 0..<2 {
            let again = try await scene.crawl(line)
            #expect(again.exitCode == 0, "\(again)")
            #expect(try await scene.query("SELECT count(*), min(id), max(id) FROM things") == "37|1|37")
        }
        try await scene.expectVerified()
    }

    @Test(
        "what fails behind the last page fails no load, whatever the lanes", arguments: tells,
        [
            "204 No Content", "400 Bad Request", "403 Forbidden", "404 Not Found", "410 Gone",
            "416 Range Not Satisfiable",
            "422 Unprocessable Content", "500 Internal Server Error",
        ])
    func beyond(_ tells: String?, _ status: String) async throws {
        for lanes in ["1", "4", "16"] {
            let row = Server(records: 37, tells: tells, beyond: status)
            let server = try row.start()
            defer { server.stop() }
            let scene = try row.scene(server)
            let result = try await scene.crawl(
                ["load", "./things.json", "--concurrency", lanes, "--retries", "0"])
            #expect(result.exitCode == 0, "\(lanes) lanes: \(result)")
            #expect(try await scene.query("SELECT count(*), min(id), max(id) FROM things") == "37|1|37")
        }
    }

    @Test("a page that is short in the middle ends nothing, whatever the lanes", arguments: ["1", "4", "16", "auto"])
    func shortInTheMiddle(_ lanes: String) async throws {
        // On page 4, on the first, on two in a row, and on the last.
        for hidden: Set<Int> in [[35], [3], [44, 55, 56], [97], [1, 11, 21, 31, 41, 51, 61, 71, 81, 91]] {
            let row = Server(records: 100, tells: nil, beyond: nil, hidden: hidden)
            let server = try row.start()
            defer { server.stop() }
            let scene = try row.scene(server)
            let result = try await scene.crawl(["load", "./things.json", "--concurrency", lanes])
            #expect(result.exitCode == 0, "\(result)")
            let stored = try await scene.query("SELECT count(*) FROM things")
            #expect(stored == "\(100 - hidden.count)", "without \(hidden.sorted())")
        }
    }

    @Test(
        "records that are added behind a full last page are found, although no page before has changed",
        arguments: [true, false], [23, 30, 40])
    func grows(_ isTotalOnUnchanged: Bool, _ size: Int) async throws {
        let grown = Locked(20)
        let server = try ScriptedServer { request in
            let records = grown.withLock { $0 }
            let number = request.number("page") ?? 1
            let ids = ((number - 1) * 10 + 1..<number * 10 + 1).filter { $0 <= records }
            let tag = "\"\(ids)\"".replacing(" ", with: "")
            let total = "X-Total-Count: \(records)"
            if request.field("If-None-Match") == tag {
                return [.answer("304 Not Modified", fields: isTotalOnUnchanged ? [total] : [])]
            }
            let text = "[\(ids.map { "{\"id\":\($0)}" }.joined(separator: ","))]"
            return [.answer(fields: ["ETag: \(tag)", total], text: text)]
        }
        defer { server.stop() }
        let scene = try Scene()
        try scene.writeThings(server, pagination: #""style":"page","parameter":"page","maxSize":10"#)
        #expect(try await scene.crawl("load", "things.json").exitCode == 0)
        #expect(try await scene.query("SELECT count(*) FROM things") == "20")
        grown.withLock { $0 = size }
        for _ in 0..<2 {
            let again = try await scene.crawl("load", "things.json")
            #expect(again.exitCode == 0, "\(again)")
            #expect(try await scene.query("SELECT count(*) FROM things") == "\(size)")
        }
    }

    @Test("a chain that a Link field leads on is followed when it has grown, although its pages have not changed")
    func linkGrows() async throws {
        let pages = Locked(2)
        let server = try ScriptedServer { request in
            let number = request.number("page") ?? 1
            let isLast = number >= pages.withLock { $0 }
            if request.field("If-None-Match") == "\"\(number)\"" { return [.answer("304 Not Modified")] }
            let link = isLast ? [] : ["Link: </things?page=\(number + 1)>; rel=\"next\""]
            return [.answer(fields: ["ETag: \"\(number)\""] + link, text: "[{\"id\":\(number)}]")]
        }
        defer { server.stop() }
        let scene = try Scene()
        try scene.writeThings(server, pagination: #""style":"link""#)
        #expect(try await scene.crawl("load", "things.json").exitCode == 0)
        pages.withLock { $0 = 4 }
        let again = try await scene.crawl("load", "things.json")
        #expect(again.exitCode == 0, "\(again)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "4")
    }
}
