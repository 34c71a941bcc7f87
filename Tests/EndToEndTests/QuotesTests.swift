import StandInAPI
import TestSupport
import Testing

@Suite("crawl --source quotes", .fewAtOnce)
struct QuotesTests {
    /// The variables that point every address of quotes at the scene's server.
    private static func addresses(_ scene: Scene) -> [String: String?] {
        var variables: [String: String?] = [:]
        for (name, path) in StandInAPI.paths where name.hasPrefix("quotes") {
            variables["CRAWL_ENDPOINT_" + name.uppercased().replacing(".", with: "_")] = scene.server.baseURL + path
        }
        return variables
    }

    private static func endpoints(_ scene: Scene) -> [String] {
        StandInAPI.paths.filter { $0.name.hasPrefix("quotes") }.flatMap {
            ["--endpoint", "\($0.name)=\(scene.server.baseURL)\($0.path)"]
        }
    }

    private static func targets(_ scene: Scene) -> [String] {
        scene.requests.map { String($0.target.prefix { $0 != "?" }) }
    }

    @Test("loads the whole source without a network, and says that the data are made up")
    func offline() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--source", "quotes", "--offline", environment: Scene.outOfReach)
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("6 quotes stored") && result.output.contains("made up"), "\(result)")
        let symbols = try await scene.query("SELECT group_concat(symbol) FROM quotes")
        #expect(symbols == "AAPL,GOOG,LYFT,MSFT,TSLA,UBER")
        try await scene.expectVerified()
    }

    @Test("--set chooses the symbols; the server gets what was meant")
    func symbols() async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            "--source", "quotes", "--set", "symbols=BTC-USD, VOD.L,^NOPE", environment: Self.addresses(scene))
        #expect(result.exitCode == 3)
        #expect(result.errors.contains("quotes: ^NOPE was asked for and not answered"), "\(result)")
        #expect(scene.requests.last?.target.contains("symbols=BTC-USD,VOD.L,%5ENOPE&crumb=") == true)
        let again = try await scene.crawl("resume", environment: Self.addresses(scene))
        #expect(again.exitCode == 3, "the symbols are the same again: \(again)")
        let other = try await scene.crawl(
            "resume", "--set", "symbols=SAP.DE", environment: Self.addresses(scene))
        #expect(other.exitCode == 0, "\(other)")
        #expect(try await scene.query("SELECT group_concat(symbol) FROM quotes") == "BTC-USD,SAP.DE,VOD.L")
        try await scene.expectVerified()
    }

    @Test("a misspelt placeholder is a mistake of the command line")
    func misspelt() async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            "--source", "quotes", "--set", "symbol=AAPL", environment: Self.addresses(scene))
        #expect(result.exitCode == 64)
        #expect(result.errors.contains("Did you mean 'symbols'?"), "\(result)")
        #expect(scene.requests.isEmpty && !scene.exists("output/crawl.db"))
    }

    @Test("renews cookie and crumb together, once")
    func renewal() async throws {
        let scene = try Scene { $0.faults = [Fault(.unauthorized, in: 1...1, source: "quotes")] }
        let result = try await scene.crawl(["--source", "quotes"] + Self.endpoints(scene))
        #expect(result.exitCode == 0, "\(result)")
        let handshake = ["/cookie", "/v1/test/getcrumb", "/v7/finance/quote"]
        #expect(Self.targets(scene) == handshake + handshake)
        #expect(result.errors.contains("Note:") == false)
    }

    @Test("falls back to one request a symbol, says so, and names what nobody answers")
    func fallback() async throws {
        let scene = try Scene { $0.quotes.refused = true }
        let result = try await scene.crawl(
            ["--source", "quotes", "--set", "symbols=AAPL,NOPE,LYFT", "--verbose"] + Self.endpoints(scene))
        #expect(result.exitCode == 3, "\(result)")
        #expect(result.errors.contains("Note: quotes: 127.0.0.1:\(scene.server.port) answered 401 Unauthorized"))
        #expect(result.errors.contains("with one request for each of 3 values"))
        #expect(result.errors.contains("quotes: NOPE was asked for and not answered"))
        #expect(Self.targets(scene).suffix(3).map { $0.split(separator: "/").last } == ["AAPL", "NOPE", "LYFT"])
        #expect(scene.requests.last?.target.hasSuffix("?range=1d&interval=1d") == true)
        let stored = try await scene.query("SELECT group_concat(symbol), count(regularMarketPrice) FROM quotes")
        #expect(stored == "AAPL,LYFT|2")
        try await scene.expectVerified()
    }

    @Test("a refusal without a fallback ends with 77 and nothing stored")
    func refused() async throws {
        let scene = try Scene { $0.faults = [Fault(.unauthorized)] }
        let result = try await scene.crawl(["--source", "quotes"] + Self.endpoints(scene))
        #expect(result.exitCode == 77, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM quotes") == "0")
        #expect(try await scene.query("SELECT state FROM crawl_runs") == "failed")
    }

    @Test("another server alone never leads back to the public hosts")
    func namedAlone() async throws {
        let scene = try Scene()
        let server = try ScriptedServer([.answer("401 Unauthorized", text: #"{"finance":{"error":"no"}}"#)])
        defer { server.stop() }
        var environment = Scene.outOfReach
        // A proxy that notes what would have gone to the world.
        let proxy = try ScriptedServer([.answer("502 Bad Gateway", text: "")])
        defer { proxy.stop() }
        environment["https_proxy"] = proxy.url("")
        environment["http_proxy"] = proxy.url("")
        let result = try await scene.crawl(
            "--source", "quotes", "--endpoint", "quotes=\(server.url("/mine"))", environment: environment)
        #expect(result.exitCode == 77, "\(result)")
        #expect(server.requests.map(\.target) == ["/mine?symbols=AAPL,GOOG,MSFT,TSLA,UBER,LYFT"])
        #expect(proxy.requests.isEmpty)
    }

    @Test("a token from the environment stands nowhere, and resume looks it up again")
    func token() async throws {
        let secret = "hush-t0ken/1"
        let scene = try Scene()
        scene.server.replaceFaults([Fault(.notFound, in: 3...3)])
        let address = "users=\(scene.usersURL)?access=${MY_TOKEN}"
        let environment: [String: String?] = ["CRAWL_ENDPOINT_USERS": nil, "MY_TOKEN": secret]
        let unset = try await scene.crawl("--count", "30", "--endpoint", address)
        #expect(unset.exitCode == 78, "\(unset)")
        #expect(unset.errors.contains("MY_TOKEN") && unset.errors.contains("export MY_TOKEN="), "\(unset)")
        #expect(scene.requests.isEmpty)
        #expect(try await scene.query("SELECT count(*) FROM crawl_runs") == "0")
        let failed = try await scene.crawl(
            ["--count", "30", "-v", "--endpoint", address], environment: environment)
        #expect(failed.exitCode == 69, "\(failed)")
        let resumed = try await scene.crawl(["resume", "--json"], environment: environment)
        #expect(resumed.exitCode == 0, "\(resumed)")
        #expect(scene.requests.allSatisfy { $0.target.contains("access=hush-t0ken%2F1&size=") })
        let told = [failed.output, failed.errors, resumed.output, resumed.errors].joined()
        #expect(told.contains("access=***") && !told.contains("hush-t0ken"), "\(told)")
        for name in scene.names() { #expect(!scene.contents("output/" + name).contains("hush-t0ken"), "\(name)") }
        try await scene.expectUsers(30)
    }

    @Test("headers of a source file come from the environment and stand nowhere")
    func headers() async throws {
        let secret = "hush-t0ken/1"
        let scene = try Scene()
        let server = try ScriptedServer { request in
            let isFirst = request.number == 1
            return [
                isFirst
                    ? .answer(fields: ["Link: </items?page=2>; rel=\"next\""], text: #"[{"id":1}]"#)
                    : .answer("403 Forbidden", text: "no entry with \(request.field("Authorization") ?? "")")
            ]
        }
        defer { server.stop() }
        let file = #"""
            {
              "name": "items", "url": "\#(server.url("/items"))", "pagination": { "style": "link" }, "key": "id",
              "headers": { "Authorization": "Bearer ${MY_TOKEN}", "Accept": "application/json" },
              "columns": { "id": "integer!" }
            }
            """#
        try scene.write(file.utf8, to: "items.json")
        let unset = try await scene.crawl("--source", "items.json")
        #expect(unset.exitCode == 78, "\(unset)")
        #expect(unset.errors.contains("the header Authorization from the environment variable MY_TOKEN"), "\(unset)")
        #expect(server.requests.isEmpty)
        for option in ["--verbose", "--json"] {
            let result = try await scene.crawl(
                ["--source", "items.json", option], environment: ["MY_TOKEN": secret])
            #expect(result.exitCode == 77, "\(result)")
            #expect(result.errors.contains("no entry with ***"), "\(result)")
            #expect(!(result.output + result.errors).contains("hush-t0ken"), "\(result)")
        }
        #expect(server.requests.allSatisfy { $0.field("Authorization") == "Bearer " + secret })
        #expect(server.requests.allSatisfy { $0.field("Accept") == "application/json" })
        for name in scene.names() { #expect(!scene.contents("output/" + name).contains("hush-t0ken"), "\(name)") }
        try await scene.expectVerified()
    }
}
