import Foundation
import StandInAPI
import TestSupport
import Testing

/// The whole of what the program says at each end, as files in `Snapshots`; with `CRAWL_WRITE_SNAPSHOTS=1` they are
/// written anew.
@Suite("What the program says", .fewAtOnce)
struct MessageTests {
    struct Ending: Sendable, CustomTestStringConvertible {
        /// The name of the snapshot.
        var name: String
        var exitCode: Int32
        /// A shell line before the last command; `$CRAWL` is the program.
        var before = ":"
        /// The command whose words are kept.
        var command: String
        var faults: [Fault] = []
        var people: Int?

        var testDescription: String { name }
    }

    private static let crawl = "\"$CRAWL\" --count 50 --page-size 10 --concurrency 1"

    static let endings = [
        Ending(name: "0-complete", exitCode: 0, command: crawl),
        Ending(name: "0-nothing-to-do", exitCode: 0, before: "\(crawl) -q", command: crawl),
        Ending(name: "0-csv-on-stdout", exitCode: 0, command: "\"$CRAWL\" --count 3 --csv - | head -c 8"),
        Ending(
            name: "0-offline-with-endpoint", exitCode: 0, command: "\"$CRAWL\" --count 5 --page-size 5 --offline"),
        Ending(name: "1-open-files", exitCode: 1, before: "ulimit -n 12", command: crawl),
        Ending(name: "3-stalled", exitCode: 3, command: crawl, people: 31),
        Ending(
            name: "3-exhausted", exitCode: 3,
            command: "\"$CRAWL\" --source posts --count 500 --endpoint \"posts=${CRAWL_ENDPOINT_USERS%/api*}/posts\""),
        Ending(name: "64-option", exitCode: 64, command: "\"$CRAWL\" --cuont 50"),
        Ending(name: "64-csv-and-json", exitCode: 64, command: "\(crawl) --csv - --json"),
        Ending(name: "65-html", exitCode: 65, command: "\(crawl) --retries 1", faults: [Fault(.html, in: 4...Int.max)]),
        Ending(
            name: "69-unavailable", exitCode: 69, command: "\(crawl) --retries 1",
            faults: [Fault(.unavailable, in: 4...Int.max)]),
        Ending(
            name: "69-secret-in-address", exitCode: 69,
            command: "\"$CRAWL\" --count 50 --endpoint \"users=$CRAWL_ENDPOINT_USERS?api_key=abc123\"",
            faults: [Fault(.notFound, in: 1...Int.max)]),
        Ending(
            name: "69-refused", exitCode: 69, command: "\(crawl) --retries 0 --endpoint users=http://127.0.0.1:9/users"),
        Ending(name: "73-csv", exitCode: 73, before: "echo text > file", command: "\(crawl) --csv file/users.csv"),
        Ending(name: "73-database", exitCode: 73, command: "\(crawl) --db /proc/nowhere/crawl.db"),
        Ending(name: "74-no-database", exitCode: 74, command: "\"$CRAWL\" export users"),
        Ending(
            name: "74-not-a-database", exitCode: 74, before: "mkdir output; echo my notes > output/crawl.db",
            command: crawl),
        Ending(
            name: "74-damaged", exitCode: 74,
            before: "\(crawl) -q; printf XXXX | dd of=output/crawl.db bs=1 seek=100 conv=notrunc status=none",
            command: crawl),
        Ending(
            name: "74-verify", exitCode: 74,
            before: "\(crawl) -q; sqlite3 output/crawl.db 'DELETE FROM users WHERE rowid = 3'",
            command: "\"$CRAWL\" verify"),
        Ending(
            name: "74-changed-tables", exitCode: 74,
            before: "\(crawl) -q; sqlite3 output/crawl.db 'ALTER TABLE crawl_pages DROP COLUMN bytes'",
            command: "\"$CRAWL\" --count 60"),
        Ending(
            name: "74-full", exitCode: 74, command: "(ulimit -f 700; exec \(crawl.replacing("50", with: "900")))"),
        Ending(
            name: "75-retry-after", exitCode: 75, command: crawl,
            faults: [Fault(.tooManySeconds, parameter: "3600", in: 4...Int.max)]),
        Ending(
            name: "76-circle", exitCode: 76, before: Self.circle, command: "\"$CRAWL\" --source ./ring.json"),
        Ending(name: "77-forbidden", exitCode: 77, command: crawl, faults: [Fault(.forbidden, in: 4...Int.max)]),
        Ending(
            name: "78-source-file", exitCode: 78, before: "echo '{\"name\": \"mine\", \"url\": 5}' > mine.json",
            command: "\"$CRAWL\" --source ./mine.json"),
        Ending(
            name: "141-closed-pipe", exitCode: 0,
            command: "{ \"$CRAWL\" export users -o -; echo \"exit $?\" >&2; } | head -n 1"),
    ]

    /// A source whose page number the server does not know, so that the same page comes again and again.
    private static let circle = """
        printf '{"name": "ring", "url": "%s/posts?_limit=10", "records": "$", "key": "id",
          "pagination": {"style": "page", "parameter": "nobody_reads_this", "maxSize": 10},
          "columns": {"id": "integer!"}}' "${CRAWL_ENDPOINT_USERS%/api*}" > ring.json
        """

    /// The thread sanitizer itself cannot start under the limit of file sizes.
    static let tried = endings.filter { $0.name != "74-full" || !Sanitizer.isWatchingThreads }

    @Test("is the same as ever, at each exit code", arguments: tried)
    func snapshot(_ ending: Ending) async throws {
        let scene = try Scene {
            $0.faults = ending.faults
            $0.people = ending.people
        }
        if ending.name.hasPrefix("141") {
            #expect(try await scene.crawl("--count", "100", "--page-size", "100", "-q").exitCode == 0)
            try await scene.multiplyUsers(by: 50)
        }
        let result = try await scene.shell("{ \(ending.before); } >/dev/null 2>&1; \(ending.command)")
        #expect(result.exitCode == ending.exitCode, "\(result)")
        var shown = Self.shown(result)
        if ending.name == "74-full" {
            // How far it comes depends on how many pages are stored together.
            shown = shown.replacing(#/\d+ (users|new|requests|of 900)/#) { "N \($0.output.1)" }
        }
        if ending.name == "3-stalled" {
            shown = shown.replacing(#/\d+ (duplicates|requests|pages|records)/#) { "N \($0.output.1)" }
        }
        try Self.expectSnapshot(shown, ending.name)
        if ending.exitCode != 0 {
            #expect(result.errors.contains("Error: "), "\(result)")
            let lines = result.errors.split(separator: "\n").drop { !$0.hasPrefix("Error: ") }
            #expect(lines.count >= 2, "what to do next is missing: \(result)")
        }
    }

    @Test("is the same as ever after a signal", arguments: [SIGINT, SIGTERM])
    func signal(_ signal: Int32) async throws {
        let server = try GatedServer.start(free: 31)
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start(GatedServer.arguments(50), environment: Scene.users(at: server.url("/")))
        let result = await program.end(by: signal, when: { server.requests.count == 32 })
        #expect(result.exitCode == 128 + signal, "\(result)")
        try Self.expectSnapshot(Self.shown(result), "\(128 + signal)-signal")
    }

    @Test("--verbose: a line for each request with its status, size and time, and for each retry")
    func verbose() async throws {
        let scene = try Scene { $0.faults = [Fault(.unavailable, in: 2...2), Fault(.reset, in: 4...4)] }
        let result = try await scene.crawl(
            "--count", "20", "--page-size", "10", "--concurrency", "1", "--verbose")
        #expect(result.exitCode == 0, "\(result)")
        let answered = #/GET http:\/\/127\.0\.0\.1:\d+\/api\/v2\/users\?size=10: (200|503), [\d.]+ K?B, \d\.\d{3} s/#
        let lines = result.errors.split(separator: "\n").map(String.init)
        let requests = lines.filter { $0.hasPrefix("GET ") }
        #expect(requests.count == scene.requests.count, "\(result)")
        #expect(requests.filter { $0.wholeMatch(of: answered) != nil }.count >= 2, "\(result)")
        #expect(lines.contains { $0.hasPrefix("Attempt 1 for http://") && $0.contains("answered 503") }, "\(result)")
    }

    @Test("status tells the last error of a failed run, as text and as JSON")
    func lastError() async throws {
        let scene = try Scene { $0.faults = [Fault(.forbidden, in: 3...Int.max)] }
        #expect(try await scene.crawl("--count", "50", "--page-size", "10", "--concurrency", "1").exitCode == 77)
        let reason = "users: 127.0.0.1:\(scene.server.port) answered 403 Forbidden"
        let text = try await scene.crawl("status")
        #expect(text.output.contains("Run 1 failed: \(reason)"), "\(text)")
        let json = try await scene.crawl("status", "--json")
        let runs = try #require(EventLines(json.output).objects.first?["runs"] as? [[String: Any]])
        #expect((runs[0]["reason"] as? String)?.hasPrefix(reason) == true, "\(json)")
        #expect(runs[0]["state"] as? String == "failed" && runs[0]["resumable"] as? Bool == true)

        scene.server.replaceFaults([])
        #expect(try await scene.crawl("--count", "50", "--fresh").exitCode == 0)
        let later = try await scene.crawl("status")
        #expect(!later.output.contains("Run 1 failed") && later.output.contains("\tovertaken\t"), "\(later)")
        #expect(!later.output.contains("Continue with"), "\(later)")
        let laterJSON = try await scene.crawl("status", "--json")
        let laterRuns = try #require(EventLines(laterJSON.output).objects.first?["runs"] as? [[String: Any]])
        #expect(laterRuns.map { $0["state"] as? String } == ["failed", "complete"])
        #expect(laterRuns.map { $0["resumable"] as? Bool } == [false, false])
    }

    @Test(
        "the command to go on with can be pasted, whatever the names in it",
        arguments: [
            "it's a.db", "$(touch x)`y`.db", "tab\t\u{1B}[31m.db", "new\nline\\n'.db", "\u{202E}ä\u{85}1.db", "-.db",
        ])
    func pasted(_ name: String) async throws {
        let scene = try Scene { $0.faults = [Fault(.forbidden, in: 3...3)] }
        let path = name == "-.db" ? "./" + name : name
        let first = try await scene.crawl(
            "--count", "20", "--page-size", "5", "--concurrency", "1", "--db", path)
        #expect(first.exitCode == 77, "\(first)")
        let command = try #require(first.errors.firstMatch(of: #/Continue with: crawl (.*)/#)).1
        let again = try await Program(
            "/bin/bash", ["-c", "\"$CRAWL\" " + command],
            environment: ["CRAWL": try Program.built("crawl"), "CRAWL_ENDPOINT_USERS": scene.usersURL],
            workingFolder: scene.folder.path
        ).end()
        #expect(again.exitCode == 0, "\(command): \(again)")
        #expect(scene.names(in: "").filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == [name])
        #expect(
            try await scene.query(
                "SELECT count(*), max(run) FROM users, crawl_pages WHERE page = crawl_pages.id", database: path)
                == "20|1")
    }

    @Test("a run tells who stopped it: the reader that went away, or the terminal")
    func whoStopped() async throws {
        let scene = try Scene { $0.latency = .milliseconds(5) }
        let line = "\"$CRAWL\" --count 400 --page-size 1 --concurrency 1 --json | head -n 3"
        #expect(try await scene.shell(line).exitCode == 0)
        var told = ""
        for _ in 0..<200 where !told.contains("interrupted") {
            told = try await scene.crawl("status").output
        }
        #expect(told.contains("Run 1 interrupted: whoever read standard output has gone"), "\(told)")
        let server = try GatedServer.start(free: 3)
        defer { server.stop() }
        let program = try scene.start(
            GatedServer.arguments(10) + ["--db", "other.db"], environment: Scene.users(at: server.url("/")))
        let result = await program.end(by: SIGHUP, when: { server.requests.count == 4 })
        #expect(result.exitCode == 129, "\(result)")
        let status = try await scene.crawl("status", "--db", "other.db")
        #expect(status.output.contains("Run 1 interrupted: the terminal was closed"), "\(status)")
    }

    @Test("another address begins a run of its own; a higher count moves the target of the one that stands")
    func runs() async throws {
        let scene = try Scene { $0.faults = [Fault(.forbidden, in: 3...Int.max)] }
        let arguments = ["--page-size", "10", "--concurrency", "1"]
        #expect(try await scene.crawl(["--count", "50"] + arguments).exitCode == 77)
        let other = try Scene { $0.seed = 8 }
        let moved = try await scene.crawl(
            ["--count", "30"] + arguments, environment: Scene.users(at: other.usersURL + "?other=1"))
        #expect(moved.exitCode == 0, "\(moved)")
        let runs = "SELECT id, state, target, endpoint LIKE '%other%' FROM crawl_runs"
        #expect(try await scene.query(runs) == "1|failed|50|0\n2|complete|30|1")
        scene.server.replaceFaults([Fault(.forbidden, in: 3...3)])
        try await scene.expectUsers(30)

        let raised = try Scene { $0.faults = [Fault(.forbidden, in: 3...Int.max)] }
        #expect(try await raised.crawl(["--count", "50"] + arguments).exitCode == 77)
        raised.server.replaceFaults([])
        #expect(try await raised.crawl(["--count", "80"] + arguments).exitCode == 0)
        #expect(try await raised.query(runs) == "1|complete|80|0")
        try await raised.expectUsers(80)
    }

    @Test("--csv - gives the records alone on standard output, and the summary on standard error")
    func csvOnOutput() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "30", "--csv", "-")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.split(separator: "\n").count == 31)
        #expect(result.output.hasPrefix("uid,") || result.output.hasPrefix("id,"))
        #expect(result.errors.contains("30 users stored in output/crawl.db"))
        #expect(!scene.exists("-"))
        let exported = try await scene.crawl("export", "users", "-o", "-")
        #expect(exported.output == result.output)
    }

    // MARK: - Snapshots

    /// The streams, with signs for what differs from run to run.
    private static func shown(_ result: Program.Result) -> String {
        func same(_ text: String) -> String {
            text.replacing(#/127\.0\.0\.1:\d{2,}/#, with: "HOST")
                .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#, with: "TIME")
                .replacing(#/[\d.]+ (B|KB|MB)\b/#, with: "SIZE")
                .replacing(#/\d+\.\d s\b/#, with: "SECONDS")
                .replacing(#/after \d+ ms/#, with: "after MS ms")
        }
        return """
            exit code \(result.exitCode.map(String.init) ?? "none")
            --- standard output
            \(same(result.output))--- standard error
            \(same(result.errors))
            """
    }

    private static func expectSnapshot(_ text: String, _ name: String) throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Snapshots")
        let file = folder.appendingPathComponent("\(name).txt")
        if ProcessInfo.processInfo.environment["CRAWL_WRITE_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try Data(text.utf8).write(to: file)
        }
        let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(text == expected, "\(name) differs")
    }
}
