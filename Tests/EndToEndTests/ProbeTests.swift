import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl probe", .fewAtOnce)
struct ProbeTests {
    static let styles = [
        "cursor", "cursor-header", "link", "offset", "page", "list", "starting-after", "jsonapi", "odata", "results",
        "hits",
    ]

    @Test("writes a source file that loads every record of every style", arguments: styles)
    func everyStyle(style: String) async throws {
        let scene = try Scene()
        let probe = try await scene.crawl(
            "probe", "\(scene.server.baseURL)/pages/\(style)", "--name", "things", "-o", "things.json")
        #expect(probe.exitCode == 0, "\(probe)")
        #expect(probe.output.isEmpty)
        #expect(scene.requests.count <= 8, "\(scene.requests.map(\.target))")
        let before = scene.requests.count
        let crawl = try await scene.crawl("--source", "things.json")
        #expect(crawl.exitCode == 0, "\(crawl)")
        let key = style == "hits" ? "_id" : "id"
        #expect(try await scene.query("SELECT count(*), count(DISTINCT \(key)) FROM things") == "250|250")
        #expect(try await scene.query("SELECT count(*) FROM things WHERE extra IS NOT NULL") == "0")
        #expect(try await scene.query("SELECT count(*) FROM crawl_rejects") == "0")
        #expect(scene.requests.count - before <= 12)
        try await scene.expectVerified()
    }

    @Test("--run goes straight on, with the count; repeated, it goes on with the same file")
    func run() async throws {
        let scene = try Scene()
        let line = ["probe", scene.usersURL, "--name", "folk", "--run", "--count", "200"]
        let result = try await scene.crawl(line)
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("200"))
        #expect(try await scene.query("SELECT count(*), count(DISTINCT uid) FROM folk") == "200|200")
        #expect(scene.names().contains("folk.source.json"))
        let again = try await scene.crawl(line)
        #expect(again.exitCode == 0, "\(again)")
        #expect(try await scene.query("SELECT count(*) FROM folk") == "200")
        #expect(try await scene.crawl("--source", "output/folk.source.json", "--count", "250").exitCode == 0)
        #expect(try await scene.query("SELECT count(*) FROM folk") == "250")
        try await scene.expectVerified()
    }

    @Test("a crawl that --run began is resumed with its file")
    func resumed() async throws {
        let scene = try Scene { $0.latency = .milliseconds(40) }
        let program = try scene.start("probe", "\(scene.server.baseURL)/pages/cursor", "--name", "things", "--run")
        _ = await program.end(by: 9, when: { scene.requests.count >= 9 })
        let result = try await scene.crawl("resume")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(DISTINCT id) FROM things") == "250")
    }

    @Test("standard output holds the source file alone, what was found goes to standard error")
    func streams() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("probe", "\(scene.server.baseURL)/posts")
        #expect(result.exitCode == 0, "\(result)")
        let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        #expect(object?["key"] as? String == "id")
        #expect((object?["notes"] as? [String])?.isEmpty == false)
        #expect(result.errors.contains("Key: id") && result.errors.contains("Looking at"))
        let quiet = try await scene.crawl("probe", "\(scene.server.baseURL)/posts", "-q", "-o", "-")
        #expect(quiet.output == result.output)
        #expect(quiet.errors.isEmpty)
    }

    @Test("a file that says something else is left alone; one that says the same is no hindrance")
    func existing() async throws {
        let scene = try Scene()
        let url = "\(scene.server.baseURL)/pages/list"
        try scene.write("{}".utf8, to: "things.json")
        let refused = try await scene.crawl("probe", url, "-o", "things.json")
        #expect(refused.exitCode == 73, "\(refused)")
        #expect(scene.contents("things.json") == "{}")
        #expect(try await scene.crawl("probe", url, "-o", "new/things.json").exitCode == 0)
        #expect(try await scene.crawl("probe", url, "-o", "new/things.json").exitCode == 0)
        #expect(try await scene.crawl("probe", url, "-o", "new/things.json", "--key", "name").exitCode == 73)
    }

    @Test("headers are sent, variables are filled and stand nowhere but in the request")
    func headers() async throws {
        let server = try ScriptedServer { request in
            request.field("authorization") == "Bearer hunter2-token" && request.field("Accept") == "text/json"
                ? [.answer(text: #"[{"id":1},{"id":2}]"#)] : [.answer("401 Unauthorized", text: "no hunter2-token")]
        }
        defer { server.stop() }
        let scene = try Scene()
        let line = [
            "probe", server.url("/things"), "--header", "Authorization: Bearer ${MY_TOKEN}", "--header",
            "Accept: text/json", "-v",
        ]
        let result = try await scene.crawl(line, environment: ["MY_TOKEN": "hunter2-token"])
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("${MY_TOKEN}"))
        #expect(!result.output.contains("hunter2") && !result.errors.contains("hunter2"))
        let wrong = try await scene.crawl(line, environment: ["MY_TOKEN": "other"])
        #expect(wrong.exitCode == 77, "\(wrong)")
        let unset = try await scene.crawl(line)
        #expect(unset.exitCode == 78, "\(unset)")
        #expect(unset.errors.contains("MY_TOKEN"))
    }

    @Test("Ctrl-C ends it at once, with nothing written")
    func interrupted() async throws {
        let server = try ScriptedServer { _ in [.hang] }
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start("probe", server.url("/things"), "-o", "things.json")
        let isAsking = await Program.wait { !server.requests.isEmpty }
        #expect(isAsking)
        program.send(SIGINT)
        let result = await program.end()
        #expect(result.exitCode == 130, "\(result)")
        #expect(!scene.exists("things.json"))
        #expect(!result.errors.contains("Error"), "\(result.errors)")
    }

    @Test("a server cannot ask for variables of the environment")
    func injection() async throws {
        let server = try ScriptedServer { _ in
            [.answer(text: #"{"next":"?page=2&x=${MY_TOKEN}${HOME}","rows":[{"id":1},{"id":2}]}"#)]
        }
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl(["probe", server.url("/things")], environment: ["MY_TOKEN": "hunter2"])
        #expect(result.exitCode == 0, "\(result)")
        #expect(server.requests.allSatisfy { !$0.target.contains("hunter2") && !$0.target.contains(scene.folder.path) })
    }

    @Test(
        "what is wrong ends with its exit code and the mend",
        arguments: [
            (["ftp://a/"], 64, "no http or https"), (["things"], 64, "https://things"),
            (["https://u:p@a.test/"], 64, "--header"), (["BASE/posts", "--name", "a b"], 64, "a_b"),
            (["BASE/posts", "--key", "idd"], 64, "Did you mean 'id'?"), (["BASE/posts", "--count", "5"], 64, "--run"),
            (["BASE/posts", "--header", "Cookie: a=b"], 64, "${MY_SECRET}"), (["BASE/nowhere"], 69, "404"),
            (["http://127.0.0.1:9/"], 69, "refuse"), (["BASE/posts", "-o", "/dev/null/x.json"], 73, "/dev/null"),
            ([], 64, "url"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], code: Int32, words: String) async throws {
        let scene = try Scene()
        let line = ["probe"] + arguments.map { $0.replacing("BASE", with: scene.server.baseURL) }
        let result = try await scene.crawl(line, environment: ["no_proxy": "*"])
        #expect(result.exitCode == code, "\(result)")
        #expect(result.errors.contains(words), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test(
        "answers that are no API's",
        arguments: [
            ("<html><body>hello</body></html>", 65, "HTML"), ("", 65, "content"), ("[1,2,3]", 65, "list of objects"),
            (#"{"results":[]}"#, 65, "empty list"),
        ] as [(String, Int32, String)])
    func noAPI(body: String, code: Int32, words: String) async throws {
        let server = try ScriptedServer { _ in [.answer(text: body)] }
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl("probe", server.url("/things"))
        #expect(result.exitCode == code, "\(result)")
        #expect(result.errors.lowercased().contains(words.lowercased()), "\(result.errors)")
    }

    @Test("a server that cannot be reached: the remedy names no option that probe lacks")
    func remedy() async throws {
        let scene = try Scene()
        let address = scene.server.baseURL + "/posts"
        scene.server.stop()
        let result = try await scene.crawl("probe", address)
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains("Check the address"), "\(result)")
        #expect(!result.errors.contains("--endpoint"), "\(result)")
    }

    @Test("names with quotes, line breaks and escape sequences reach neither the terminal nor SQL")
    func hostileNames() async throws {
        let keys = #""id\u001b[2J\n\"; DROP TABLE crawl_runs; --":"KEY","extra":"e","page":7,"rowid":8,"a\u0000b":"n""#
        let server = try ScriptedServer { _ in
            [
                .answer(
                    text: "[" + (1...3).map { "{" + keys.replacing("KEY", with: "k\($0)") + "}" }.joined(separator: ",")
                        + "]")
            ]
        }
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl("probe", server.url("/order"), "--run")
        #expect(result.exitCode == 0, "\(result)")
        #expect(!result.errors.contains("\u{1b}") && !result.output.contains("\u{1b}"))
        #expect(
            try await scene.query(#"SELECT group_concat(extra_value || page_value || rowid_value) FROM "order""#)
                == "e78,e78,e78")
        let shown = try await scene.crawl("export", "order", "-o", "-")
        #expect(shown.exitCode == 0, "\(shown)")
        try await scene.expectVerified()
    }
}
