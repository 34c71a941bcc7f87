import TestSupport
import Testing

/// A first page that is shorter than asked for, of a server that does not tell whether there is more: it may send no
/// larger pages, or have no more records.
@Suite("A short first page", .fewAtOnce)
struct ShortPageTests {
    /// What a server does with a page behind its last one.
    enum Beyond: String, CaseIterable, Sendable {
        case emptyList
        case notFound
        case noContent
        case rangeNotSatisfiable
        case firstPageAgain
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var style: String
        var records: Int
        var beyond: Beyond
        var testDescription: String { "\(style), \(records) records, then \(beyond)" }
    }

    /// The server sends seven records at a time, whatever is asked for.
    static let cases = ["page", "offset"].flatMap { style in
        Beyond.allCases.flatMap { beyond in
            // Behind a full page that is not the first, only an empty one is the end.
            (beyond == .emptyList ? [95, 7, 3] : [95, 3]).map { Case(style: style, records: $0, beyond: beyond) }
        }
    }

    private static func server(_ row: Case) throws -> ScriptedServer {
        try ScriptedServer { request in
            let place = request.number("place") ?? 0
            let start = row.style == "page" ? (place - 1) * 7 : place
            let page = start < row.records ? start..<min(start + 7, row.records) : 0..<0
            func list(_ range: Range<Int>) -> String {
                "[\(range.map { "{\"id\":\($0)}" }.joined(separator: ","))]"
            }
            guard page.isEmpty else { return [.answer(text: list(page))] }
            return switch row.beyond {
            case .emptyList: [.answer(text: "[]")]
            case .notFound: [.answer("404 Not Found")]
            case .noContent: [.answer("204 No Content")]
            case .rangeNotSatisfiable: [.answer("416 Range Not Satisfiable")]
            case .firstPageAgain: [.answer(text: list(0..<min(7, row.records)))]
            }
        }
    }

    private static func scene(_ row: Case, _ server: ScriptedServer) throws -> Scene {
        let scene = try Scene()
        try scene.writeThings(
            server, pagination: #""style":"\#(row.style)","parameter":"place","sizeParameter":"size","maxSize":10"#)
        return scene
    }

    @Test("the whole source is loaded, and only one page too many is asked for", arguments: cases, [1, 4])
    func whole(_ row: Case, lanes: Int) async throws {
        // Several lanes meet the first page more than once, which is a circle.
        if row.beyond == .firstPageAgain, row.records > 7, lanes > 1 { return }
        let server = try Self.server(row)
        defer { server.stop() }
        let scene = try Self.scene(row, server)
        let result = try await scene.crawl("--source", "./things.json", "--concurrency", "\(lanes)")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "\(row.records)")
        #expect(try await scene.query("SELECT state FROM crawl_runs") == "complete")
        if row.records <= 7 { #expect(server.requests.count == 2, "\(server.requests.map(\.target))") }
        try await scene.expectVerified()
    }

    @Test("stopped behind it, the crawl goes on to the same end", arguments: Beyond.allCases)
    func goesOn(_ beyond: Beyond) async throws {
        let row = Case(style: "page", records: 3, beyond: beyond)
        let whole = try Self.server(row)
        defer { whole.stop() }
        let scene = try Self.scene(row, whole)
        // More than there is: exhausted, each time, and nothing is lost or doubled.
        for _ in 0..<2 {
            let result = try await scene.crawl("--source", "./things.json", "--count", "50", "--page-size", "10")
            #expect(result.exitCode == 3, "\(result)")
            #expect(try await scene.query("SELECT count(*) FROM things") == "3")
        }
        try await scene.expectVerified()
    }

    @Test("a page that is missing before the last is an error, whatever the lanes", arguments: [1, 4])
    func hole(lanes: Int) async throws {
        let server = try ScriptedServer { request in
            let place = request.number("place") ?? 0
            let records = (0..<(place == 9 ? 4 : 10)).map { "{\"id\":\(place * 10 + $0)}" }
            return place == 4 || place > 9
                ? [.answer("404 Not Found")] : [.answer(text: "[\(records.joined(separator: ","))]")]
        }
        defer { server.stop() }
        let scene = try Self.scene(Case(style: "page", records: 0, beyond: .notFound), server)
        for _ in 0..<2 {
            let result = try await scene.crawl("--source", "./things.json", "--concurrency", "\(lanes)")
            #expect(result.exitCode == 69, "\(result)")
            #expect(result.errors.contains("404") && result.errors.contains("place=4"), "\(result)")
            #expect(try await scene.query("SELECT count(*) >= 30 FROM things") == "1")
        }
        try await scene.expectVerified()
    }

    @Test("a page that is missing elsewhere is an error as ever")
    func missing() async throws {
        let server = try ScriptedServer { request in
            request.target.contains("place=3")
                ? [.answer("404 Not Found")]
                : [.answer(text: "[\((0..<10).map { "{\"id\":\(request.number * 10 + $0)}" }.joined(separator: ","))]")]
        }
        defer { server.stop() }
        let scene = try Self.scene(Case(style: "page", records: 0, beyond: .notFound), server)
        let result = try await scene.crawl("--source", "./things.json", "--concurrency", "1")
        #expect(result.exitCode == 69, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "20")
        try await scene.expectVerified()
    }

    @Test(
        "a next page that is named in no form that can be followed is an error, and no end",
        arguments: [
            ("cursor", #"{"after":1}"#, 65), ("cursor", "[1]", 65), ("cursor", "true", 65), ("cursor", "{}", 0),
            ("cursor", "[]", 0), ("cursor", "null", 0), ("cursor", "false", 0), ("cursor", #""""#, 0),
            ("link", #"{"href":"/x"}"#, 65), ("link", #"["/x"]"#, 65), ("link", "null", 0), ("link", "{}", 0),
        ])
    func next(_ style: String, _ next: String, _ exitCode: Int32) async throws {
        let server = try ScriptedServer { _ in [.answer(text: #"{"next":\#(next),"items":[{"id":1},{"id":2}]}"#)] }
        defer { server.stop() }
        let scene = try Scene()
        let parameter = style == "cursor" ? #""parameter":"after","# : ""
        try scene.writeThings(
            server, records: "items", pagination: #""style":"\#(style)",\#(parameter)"next":"next""#)
        let result = try await scene.crawl("load", "./things.json")
        #expect(result.exitCode == exitCode, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "2", "what came is stored")
        if exitCode == 65 { #expect(result.errors.contains("names the next page by"), "\(result)") }
        try await scene.expectVerified()
    }
}
