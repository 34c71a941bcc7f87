import Foundation
import TestSupport
import Testing

@Suite("crawl sources", .fewAtOnce)
struct SourcesTests {
    private static let names = ["users", "posts", "tickers", "quotes", "randomuser"]

    @Test("lists sources and groups: name, style, key, whom it asks, what it holds")
    func list() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("sources")
        #expect(result.exitCode == 0, "\(result)")
        let rows = result.output.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.map { $0.first ?? "" } == ["NAME"] + Self.names.map { Substring($0) } + ["markets"])
        #expect(rows[1] == ["users", "repeat", "uid", "random-data-api.com", "Random people, no end"])
        #expect(rows[6] == ["markets", "group", "", "tickers, quotes", "Stored together"])
        #expect(rows.allSatisfy { $0.count == 5 })
        #expect(result.errors == "")
        #expect(!scene.exists("output/crawl.db"))
    }

    @Test("on a terminal no line is wider than it", arguments: [40, 80])
    func terminal(columns: Int) async throws {
        let scene = try Scene()
        let terminal = try PseudoTerminal(columns: UInt16(columns))
        let result = try await scene.start(
            ["sources", "--color", "never"], environment: ["TERM": "xterm"], terminal: terminal
        ).end()
        #expect(result.exitCode == 0)
        let lines = terminal.written().replacing("\r\n", with: "\n").split(separator: "\n")
        #expect(lines.count == 8)
        #expect(lines.dropLast().allSatisfy { $0.count <= columns })
        #expect(lines.last == "Print one with: crawl sources users")
    }

    @Test("prints a source's file as it is, ready to be saved", arguments: names)
    func file(name: String) async throws {
        let scene = try Scene()
        let result = try await scene.crawl("sources", name)
        #expect(result.exitCode == 0, "\(result)")
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CrawlKit/Sources/\(name).json")
        #expect(result.output == (try String(contentsOf: file, encoding: .utf8)))
        #expect(result.errors == "")
    }

    @Test("explains a group")
    func group() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("sources", "markets")
        #expect(result.exitCode == 0, "\(result)")
        for word in ["group", "tickers", "quotes", "together"] { #expect(result.output.contains(word)) }
        let json = try await scene.crawl("sources", "markets", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(object?["sources"] as? [String] == ["tickers", "quotes"])
    }

    @Test("--json tells the same to programs")
    func json() async throws {
        let result = try await Scene().crawl("sources", "--json")
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["version"] as? Int == 1)
        let sources = object?["sources"] as? [[String: Any]] ?? []
        #expect(sources.compactMap { $0["name"] as? String } == Self.names)
        #expect(sources.first?["key"] as? [String] == ["uid"])
        #expect(sources.allSatisfy { $0["style"] is String && $0["url"] is String && $0["columns"] is [String] })
        #expect((object?["groups"] as? [[String: Any]])?.first?["name"] as? String == "markets")
    }

    @Test("prints the schema")
    func schema() async throws {
        let result = try await Scene().crawl("sources", "--schema")
        #expect(result.exitCode == 0)
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test(
        "what is unknown is named, with what was meant",
        arguments: [
            (["sources", "post"], "Did you mean 'posts'?"), (["sources", "market"], "Did you mean 'markets'?"),
            (["sources", "posts", "--schema"], "--schema"), (["sources", "posts", "users"], "users"),
        ])
    func unknown(arguments: [String], words: String) async throws {
        let result = try await Scene().crawl(arguments)
        #expect(result.exitCode == 64, "\(result)")
        #expect(result.errors.contains(words), "\(result)")
        #expect(result.output == "")
    }
}
