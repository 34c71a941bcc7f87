import Foundation
import TestSupport
import Testing

@Suite("A server that leads elsewhere", .fewAtOnce)
struct HostileRedirectTests {
    static let noAddresses = [
        "file:///etc/passwd", "file:/etc/passwd", "FILE:///etc/passwd", "ftp://127.0.0.1/x", "gopher://127.0.0.1:25/x",
        "dict://127.0.0.1/", "data:application/json,[]", "javascript:alert(1)", "ldap://127.0.0.1/", "scp://a/",
    ]

    /// Ways to write an address that the internet cannot reach; PORT is that of a server that waits there.
    static let privateAddresses = [
        "http://127.0.0.1:PORT/", "http://2130706433:PORT/", "http://0x7f000001:PORT/", "http://017700000001:PORT/",
        "http://127.1:PORT/", "http://0x7f.0.0.1:PORT/", "http://0.0.0.0:PORT/", "http://0:PORT/",
        "http://[::1]:PORT/", "http://[::ffff:127.0.0.1]:PORT/", "http://[::ffff:7f00:1]:PORT/", "http://[::]:PORT/",
        "http://[::127.0.0.1]:PORT/", "http://[64:ff9b::7f00:1]:PORT/", "http://[2002:7f00:1::]:PORT/",
        "http://localhost:PORT/", "http://LOCALHOST.:PORT/", "http://x.localhost:PORT/", "http://127.0.0.1.:PORT/",
        "http://127%2e0.0.1:PORT/", "//127.0.0.1:PORT/", "http://user@127.0.0.1:PORT/", "http:\\\\127.0.0.1:PORT/",
        "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/",
        "http://100.64.0.1/", "http://[fd00::1]/", "http://[fe80::1]/", "https://127.0.0.1:PORT/",
    ]

    private func redirect(to location: String) -> [ScriptedServer.Step] {
        [.answer("302 Found", fields: ["Location: \(location)"], text: "elsewhere")]
    }

    @Test("Redirects to what is no web address are refused, also on this machine", arguments: noAddresses)
    func schemes(location: String) async throws {
        let scene = try HostileScene { [self] _ in redirect(to: location) }
        try scene.writeSource()
        let result = try await scene.crawl(["--source", "things.json", "--count", "1"])
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains("redirects to something that is no http or https address"), "\(result)")
        #expect(scene.server.requests.count == 1)
    }

    @Test("A redirect that leads nowhere is named as such", arguments: ["301", "302", "303", "307", "308"])
    func nowhere(status: String) async throws {
        let scene = try HostileScene { _ in [.answer("\(status) Elsewhere", text: "elsewhere")] }
        try scene.writeSource()
        let result = try await scene.crawl(["--source", "things.json", "--count", "1"])
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains("The redirect names no address (Location)"), "\(result)")
    }

    @Test("A public server's redirect to a private address is refused, and nothing is sent there")
    func privateRedirects() async throws {
        try await expectRefused { [self] location in redirect(to: location) }
    }

    @Test("A public server's next link to a private address is not followed, and nothing is sent there")
    func privateNextLinks() async throws {
        try await expectRefused { location in
            [.answer(fields: ["Link: <\(location)>; rel=\"next\""], text: #"[{"id":"a"}]"#)]
        }
    }

    /// A proxy stands for the public internet; whatever is asked of this machine itself goes past it.
    private func expectRefused(_ answer: @escaping @Sendable (String) -> [ScriptedServer.Step]) async throws {
        let inner = try ScriptedServer { _ in [.answer(text: #"[{"id":"inner"}]"#)] }
        defer { inner.stop() }
        let locations = Self.privateAddresses.map { $0.replacing("PORT", with: "\(inner.port)") }
        let scene = try HostileScene { request in
            let number = request.target.split(separator: "/").last.flatMap { Int($0) } ?? 0
            return answer(locations[min(number, locations.count - 1)])
        }
        for (number, location) in locations.enumerated() {
            try scene.writeSource(
                at: "http://api.example.com/things/\(number)", pagination: #"{ "style": "link" }"#)
            let result = try await scene.crawl(
                ["--source", "things.json", "--fresh", "--retries", "0"],
                environment: ["http_proxy": "http://127.0.0.1:\(scene.server.port)"])
            #expect(result.exitCode != 0, "\(location): \(result)")
            let names = ["no public address", "on another host", "no http or https address", "https to http"]
            #expect(names.contains { result.errors.contains($0) }, "\(location): \(result)")
        }
        #expect(inner.connectionCount == 0)
        #expect(scene.server.requests.count == locations.count)
    }

    @Test("A server of this machine may lead to another one of this machine")
    func local() async throws {
        let inner = try ScriptedServer { _ in [.answer(text: #"[{"id":"inner"}]"#)] }
        defer { inner.stop() }
        let scene = try HostileScene { [self] _ in redirect(to: "http://localhost:\(inner.port)/") }
        try scene.writeSource()
        let result = try await scene.crawl(["--source", "things.json", "--count", "1"])
        #expect(result.exitCode == 0, "\(result)")
        #expect(inner.requests.count == 1)
    }
}
