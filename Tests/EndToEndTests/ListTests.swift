import StandInAPI
import TestSupport
import Testing

@Suite("crawl list", .fewAtOnce)
struct ListTests {
    /// Runs `crawl` on a terminal and returns its lines.
    private func onTerminal(
        _ scene: Scene, _ arguments: [String], columns: UInt16 = 80, environment: [String: String?] = [:]
    ) async throws -> [String] {
        let terminal = try PseudoTerminal(columns: columns)
        let result = try await scene.start(
            arguments, environment: ["TERM": "xterm"].merging(environment) { $1 }, terminal: terminal
        ).end()
        #expect(result.exitCode == 0, "\(result)")
        return terminal.written().replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
    }

    @Test("off a terminal: a heading and tab-separated lines in all columns of the source, uncut")
    func piped() async throws {
        let scene = try Scene()
        _ = try await scene.crawlEverywhere("load", "posts")
        let result = try await scene.crawl("list", "posts")
        #expect(result.exitCode == 0, "\(result)")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 22)
        #expect(lines.first == "id\tuserId\ttitle\tbody")
        #expect(lines.last == "")
        #expect(lines[1...20].allSatisfy { $0.split(separator: "\t").count == 4 && $0.contains("\\n") })
        #expect(result.errors == "20 of 100 posts; --limit 0 shows all\n")
        let all = try await scene.crawl("list", "posts", "--limit", "0")
        #expect(all.output.split(separator: "\n").count == 101)
        #expect(all.errors == "")
        let few = try await scene.crawl("list", "posts", "-n", "2", "--columns", "page,id")
        #expect(few.output.hasPrefix("page\tid\n"))
        #expect(few.output.split(separator: "\n").count == 3)
    }

    @Test("on a terminal: no line is wider, the key comes first, the heading is bold", arguments: [20, 80, 200])
    func terminal(columns: Int) async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "30")
        let lines = try await onTerminal(scene, ["list", "users"], columns: UInt16(columns))
        #expect(lines.count == 22)
        #expect(lines.first?.hasPrefix("\u{1B}[1muid") == true)
        let first = try await scene.query("SELECT uid FROM users ORDER BY rowid LIMIT 1")
        #expect(lines[1].hasPrefix(first.prefix(columns - 1)))
        for line in lines.dropLast() {
            let plain = line.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
            #expect(plain.count <= columns, "\(line)")
        }
        #expect(!lines.joined().contains(try await scene.query("SELECT password FROM users ORDER BY rowid LIMIT 1")))
        #expect(lines.last?.contains("20 of 30 users") == true)
        #expect(lines.last?.hasPrefix("\u{1B}[2m") == true)
    }

    @Test(
        "colour by the rules",
        arguments: [
            (["--color", "never"], [:], false), ([], ["NO_COLOR": "1"], false), ([], [:], true),
            (["--color", "always"], ["NO_COLOR": "1"], true),
        ] as [([String], [String: String], Bool)])
    func color(arguments: [String], environment: [String: String], isColored: Bool) async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "3")
        let lines = try await onTerminal(scene, ["list", "users"] + arguments, environment: environment)
        #expect(lines.joined().contains("\u{1B}") == isColored)
    }

    @Test("what a server sent cannot reach the terminal")
    func controlCharacters() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "3")
        try await scene.alter("UPDATE users SET first_name = char(27) || '[2J' || char(10, 9, 0, 155)")
        let lines = try await onTerminal(scene, ["list", "users", "--columns", "first_name", "--color", "never"])
        #expect(lines[1] == "\\e[2J\\n\\t\\0\\u{9b}")
        let piped = try await scene.crawl("list", "users", "--columns", "first_name,uid")
        #expect(piped.output.split(separator: "\n").count == 4)
        #expect(piped.output.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" })
    }

    @Test("an empty table gives the heading")
    func empty() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "3")
        try await scene.alter("DELETE FROM users")
        let result = try await scene.crawl("list", "users")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.hasPrefix("id\tuid\t"))
        #expect(result.output.split(separator: "\n").count == 1)
        let lines = try await onTerminal(scene, ["list", "users", "--color", "never"])
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix("0 users") == true)
    }

    @Test(
        "what is unknown is named, with what was meant",
        arguments: [
            (["list", "user"], 64, "Did you mean 'users'?"),
            (["list", "users", "--columns", "uid,emial"], 64, "Did you mean 'email'?"),
            (["list", "users", "--limit", "-1"], 64, "--limit"),
            (["list"], 64, "<name>"),
            (["list", "users", "--db", "other.db"], 74, "other.db"),
        ] as [([String], Int32, String)])
    func unknown(arguments: [String], code: Int32, words: String) async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "3")
        let result = try await scene.crawl(arguments)
        #expect(result.exitCode == code, "\(result)")
        #expect(result.errors.contains(words), "\(result)")
        #expect(result.output == "")
        #expect(!scene.exists("other.db"))
    }

    @Test("a reader that goes ends it quietly; a full disk does not pass for success")
    func output() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "1000", "--page-size", "100")
        let head = try await scene.shell("\"$CRAWL\" list users --limit 0 | head -1")
        #expect(head.output.hasPrefix("id\tuid\t"))
        #expect(head.errors == "", "\(head)")
        let full = try await scene.shell("\"$CRAWL\" list users > /dev/full")
        #expect(full.exitCode == 74, "\(full)")
        #expect(full.errors.contains("No space left"))
    }

    @Test("reads while a crawl writes")
    func meanwhile() async throws {
        let scene = try Scene { $0.latency = .milliseconds(20) }
        _ = try await scene.crawl("--count", "30")
        let crawl = try scene.start("--count", "5000", "--page-size", "50")
        let result = try await scene.crawl("list", "users", "--limit", "0")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.split(separator: "\n").count > 30)
        crawl.send(2)
        _ = await crawl.end()
    }
}
