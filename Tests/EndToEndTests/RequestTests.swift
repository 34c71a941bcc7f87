import CrawlCore
import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("What goes over the wire", .fewAtOnce)
struct RequestTests {
    private static let page = Data(#"[{"uid": "a"}, {"uid": "b"}]"#.utf8)

    private static func crawl(
        _ scene: Scene, _ url: String, _ environment: [String: String?] = [:]
    ) async throws -> Program.Result {
        try await scene.crawl(
            ["--count", "2", "--page-size", "2", "--retries", "0"],
            environment: Scene.users(at: url).merging(environment) { $1 })
    }

    @Test("a plain request: its name, what it accepts, how many it wants")
    func form() async throws {
        let server = try ScriptedServer([.answer(body: Self.page)])
        defer { server.stop() }
        let scene = try Scene()
        let result = try await Self.crawl(scene, server.url("/people?sort=name#part"))
        #expect(result.exitCode == 0, "\(result)")
        let request = try #require(server.requests.first)
        #expect(request.line == "GET /people?sort=name&size=2")
        let version = try await scene.crawl("--version").output.trimmingCharacters(in: .newlines)
        #expect(request.field("User-Agent") == "crawl/\(version)")
        #expect(request.field("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.field("Accept-Encoding")?.contains("br") == true)
        #expect(request.field("Host") == "127.0.0.1:\(server.port)")
    }

    @Test("one user at a time asks for one; lanes share connections", arguments: [1, 4])
    func connections(lanes: Int) async throws {
        let people = Locked(0)
        let server = try ScriptedServer { request in
            let number = people.withLock { people in
                people += 1
                return people
            }
            return [.answer(text: #"{"uid": "\#(number)"}"#)]
        }
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl(
            ["--count", "30", "--page-size", "1", "--concurrency", "\(lanes)"],
            environment: Scene.users(at: server.url("/")))
        #expect(result.exitCode == 0, "\(result)")
        #expect(server.requests.allSatisfy { $0.line == "GET /?size=1" })
        #expect(server.connectionCount <= lanes)
        try await scene.expectUsers(30)
    }

    /// A server that redirects so many times before it answers.
    private static func redirecting(_ times: Int, _ status: String = "302 Found") throws -> ScriptedServer {
        try ScriptedServer { request in
            request.number > times
                ? [.answer(body: page)]
                : [.answer(status, fields: ["Location: /step/\(request.number)"])]
        }
    }

    @Test("follows up to ten redirects", arguments: [1, 10, 11])
    func redirects(_ times: Int) async throws {
        let server = try Self.redirecting(times)
        defer { server.stop() }
        let scene = try Scene()
        let result = try await Self.crawl(scene, server.url("/"))
        #expect(result.exitCode == (times > 10 ? 69 : 0), "\(result)")
        #expect(server.requests.count == 11 || times == 1)
        if times > 10 { #expect(result.errors.contains("redirected more than 10 times"), "\(result)") }
    }

    @Test(
        "follows every kind of redirect",
        arguments: [
            "301 Moved Permanently", "302 Found", "303 See Other", "307 Temporary Redirect", "308 Permanent Redirect",
        ])
    func redirectKinds(_ status: String) async throws {
        let server = try Self.redirecting(1, status)
        defer { server.stop() }
        let scene = try Scene()
        #expect(try await Self.crawl(scene, server.url("/")).exitCode == 0)
        #expect(server.requests.map(\.target) == ["/?size=2", "/step/1"])
    }

    @Test(
        "follows no redirect out of HTTP, and none without an address",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "http://", ""])
    func badRedirects(_ location: String) async throws {
        let server = try ScriptedServer([.answer("302 Found", fields: ["Location: \(location)"])])
        defer { server.stop() }
        let scene = try Scene()
        let result = try await Self.crawl(scene, server.url("/"))
        #expect(result.exitCode == 69, "\(result)")
        #expect(!(result.errors + result.output).contains("root:"))
        try await scene.expectUsers(0)
    }

    @Test("goes through the proxy of the environment, but not to the hosts of no_proxy", arguments: [false, true])
    func proxy(isExcepted: Bool) async throws {
        let proxy = try ScriptedServer([.answer(body: Self.page)])
        defer { proxy.stop() }
        let scene = try Scene()
        let result = try await Self.crawl(
            scene, "http://people.invalid/",
            ["http_proxy": proxy.url(""), "no_proxy": isExcepted ? "example.org,.invalid" : nil])
        #expect(result.exitCode == (isExcepted ? 69 : 0), "\(result)")
        #expect(proxy.requests.map(\.line) == (isExcepted ? [] : ["GET http://people.invalid/?size=2"]))
    }

    @Test("the option goes before the environment, and several endpoints may be named")
    func endpoints() async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            "--count", "2", "--endpoint", "posts=http://127.0.0.1:9/", "--endpoint", "users=\(scene.usersURL)",
            environment: Scene.users(at: "http://127.0.0.1:9/"))
        #expect(result.exitCode == 0, "\(result)")
        #expect(scene.requests.count > 0)
    }

    @Test("an answer of many parts, and one in chunks, are whole", arguments: [1, 7, 1000])
    func pieces(_ size: Int) async throws {
        let server = try ScriptedServer { _ in
            var steps: [ScriptedServer.Step] = [
                .text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n")
            ]
            var rest = Array(Self.page)[...]
            while !rest.isEmpty {
                let part = rest.prefix(size)
                rest = rest.dropFirst(size)
                steps.append(.bytes(Array("\(String(part.count, radix: 16))\r\n".utf8) + part + Array("\r\n".utf8)))
            }
            return steps + [.text("0\r\n\r\n")]
        }
        defer { server.stop() }
        let scene = try Scene()
        let result = try await Self.crawl(scene, server.url("/"))
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(2)
    }
}
