import CrawlCore
import TestSupport
import Testing

@testable import CrawlHTTP

@Suite("Redirects", .timeLimit(Sanitizer.limit(minutes: 5)))
struct RedirectTests {
    private static func redirect(to location: String, status: Int = 302) -> [ScriptedServer.Step] {
        [.answer("\(status) Moved", fields: ["Location: \(location)"], text: "moved")]
    }

    @Test(
        "A redirect is followed to its place",
        arguments: [
            (301, "/b?x=1", "/b?x=1"), (302, "b", "/a/b"), (303, "../c", "/c"), (307, "?y=2", "/a/list?y=2"),
            (308, "/with blank/é", "/with%20blank/%c3%a9"), (302, "/c#part", "/c"),
        ])
    func followed(status: Int, location: String, target: String) async throws {
        try await withClient { client in
            try await ScriptedServer.run(Self.redirect(to: location, status: status), [.answer(text: "there")]) {
                server in
                let response = try await client.send(HTTPRequest(url: server.url("/a/list?x=0")))
                #expect(response.text == "there")
                #expect(response.finalURL == server.url(target))
                #expect(server.requests.map(\.target) == ["/a/list?x=0", target])
            }
        }
    }

    @Test("Statuses that lead nowhere are answers", arguments: ["300 X", "304 X", "305 X", "302 X"])
    func answers(status: String) async throws {
        try await withClient { client in
            let fields = status.hasPrefix("302") ? [] : ["Location: /b"]
            try await ScriptedServer.run([.answer(status, fields: fields)]) { server in
                let response = try await client.send(HTTPRequest(url: server.url()))
                #expect(String(response.status) == status.prefix(3))
                #expect(server.requests.count == 1)
            }
        }
    }

    @Test("Ten redirects are followed, an eleventh is not")
    func limit() async throws {
        let server = try ScriptedServer { request in
            let left = Int(request.target.dropFirst()) ?? 0
            return left == 0 ? [.answer(text: "there")] : Self.redirect(to: "/\(left - 1)")
        }
        defer { server.stop() }
        try await withClient { client in
            let text = try await client.text(HTTPRequest(url: server.url("/10")))
            #expect(text == "there")
            let outcome = await fetch(HTTPRequest(url: server.url("/11")), with: client)
            #expect(outcome.fault == .tooManyRedirects)
            #expect(outcome.detail == "127.0.0.1:\(server.port) redirected more than 10 times")
        }
    }

    @Test("A circle of redirects ends")
    func circle() async throws {
        try await withClient { client in
            try await ScriptedServer.run(Self.redirect(to: "/again")) { server in
                let outcome = await fetch(HTTPRequest(url: server.url()), with: client)
                #expect(outcome.fault == .tooManyRedirects)
                #expect(server.requests.count == 11)
            }
        }
    }

    @Test("Redirects count towards the time of the request")
    func timeout() async throws {
        try await withClient { client in
            let slow = [ScriptedServer.Step.pause(.milliseconds(150))] + Self.redirect(to: "/again")
            try await ScriptedServer.run(slow) { server in
                let request = HTTPRequest(url: server.url(), timeout: .milliseconds(400))
                #expect(await fetch(request, with: client).fault == .timedOut)
                #expect(server.requests.count <= 3)
            }
        }
    }

    @Test(
        "Places that are no http or https address are refused",
        arguments: [
            "ftp://a.example/x", "file:///etc/passwd", "http://", "javascript:alert(1)", "data:text/json,[]",
            #"http:\\127.0.0.1/"#, "file:/etc/passwd",
        ])
    func otherSchemes(location: String) async throws {
        try await withClient { client in
            try await ScriptedServer.run(Self.redirect(to: location)) { server in
                let outcome = await fetch(HTTPRequest(url: server.url()), with: client)
                #expect(outcome.fault == .unsafeRedirect)
            }
        }
    }

    private static let secrets: HTTPHeaders = [
        "Authorization": "Bearer hunter2", "cookie": "hunter2", "X-API-Key": "hunter2", "Accept": "application/json",
    ]

    @Test("Secrets stay with the origin: not sent to another port, nor when that one redirects back")
    func secretsStay() async throws {
        let home = Mailbox()
        let other = try ScriptedServer { _ in Self.redirect(to: home.address + "/back") }
        defer { other.stop() }
        let server = try ScriptedServer { request in
            switch request.target {
            case "/start": Self.redirect(to: "/same")
            case "/same": Self.redirect(to: other.url("/other"))
            default: [.answer(text: "there")]
            }
        }
        defer { server.stop() }
        home.address = "http://127.0.0.1:\(server.port)"
        try await withClient { client in
            let address = server.url("/start").replacing("127.0.0.1", with: "me:hunter2@127.0.0.1")
            let request = HTTPRequest(url: address, headers: Self.secrets, secretHeaderNames: ["x-api-key"])
            let text = try await client.text(request)
            #expect(text == "there")
        }
        let sent = server.requests.map { $0.head.contains("hunter2") }
        #expect(sent == [true, true, false])
        #expect(other.requests.map { $0.head.contains("hunter2") } == [false])
        #expect(other.requests.map { $0.field("Authorization") } == [nil])
        #expect(other.requests.map { $0.field("Accept") } == ["application/json"])
    }

    @Test("User and password in a Location are not taken over")
    func locationWithUser() async throws {
        try await withClient { client in
            try await ScriptedServer.run([.answer(text: "there")]) { target in
                let location = target.url("/x").replacing("127.0.0.1", with: "me:pw@127.0.0.1")
                try await ScriptedServer.run(Self.redirect(to: location)) { server in
                    let text = try await client.text(HTTPRequest(url: server.url()))
                    #expect(text == "there")
                    #expect(target.requests.map { $0.field("Authorization") } == [nil])
                }
            }
        }
    }

    @Test(
        "The decision about a redirect",
        arguments: [
            ("https://a.example/x", nil, "http://a.example/x", NetworkFault.unsafeRedirect),
            ("http://a.example/x", nil, "https://a.example/x", nil),
            ("https://a.example/x", nil, "//b.example/y", nil),
            ("https://a.example/x", nil, "https://127.0.0.1/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://127.1/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://0x7f000001/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://[::1]/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://[::ffff:10.0.0.1]/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://localhost./", .unsafeRedirect),
            ("https://a.example/x", nil, "https://[::10.0.0.1]/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://[2002:a00:1::]/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://[64:ff9b:1::1]/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://[2606:4700::1]/", nil),
            ("https://a.example/x", nil, "https://169.254.169.254/latest/meta-data", .unsafeRedirect),
            ("https://a.example/x", "203.0.113.7", "https://192.168.1.1/", .unsafeRedirect),
            ("https://a.example/x", "10.1.2.3", "https://192.168.1.1/", nil),
            ("http://192.168.1.9/x", nil, "http://192.168.1.1/", nil),
            ("http://localhost:8080/x", nil, "http://127.0.0.1:9090/", nil),
            ("https://a.example/x", nil, "gopher://a.example/", .unsafeRedirect),
            ("https://a.example/x", nil, "https://b.example/\u{0}/y", .unsafeRedirect),
        ] as [(String, String?, String, NetworkFault?)])
    func decision(from: String, address: String?, location: String, fault: NetworkFault?) throws {
        let origin = try #require(HTTPURL(from))
        let decision = Result { () throws(FetchFailure) in
            try RedirectPolicy().follow(location, from: origin, connectedAddress: address, followed: 0)
        }
        switch decision {
        case .success(let step):
            #expect(fault == nil)
            #expect(!step.keepsSecrets)
        case .failure(.network(let found, let detail)):
            #expect(found == fault)
            #expect(detail.hasPrefix("a.example redirects"))
        case .failure(let failure):
            Issue.record("unexpected \(failure)")
        }
    }

    @Test("A public host may not lead to a name that resolves to a private address; nothing is sent there")
    func resolvedAddress() async throws {
        try await ScriptedServer.run([.answer(text: "inner")]) { inner in
            // The proxy stands for the public internet; the inner host is reached without it.
            let location = "http://inner.example:\(inner.port)/"
            try await ScriptedServer.run(Self.redirect(to: location)) { proxy in
                let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "inner.example"]
                try await withClient(
                    environment: environment, adjust: { $0.fixedAddresses = ["inner.example:\(inner.port):127.0.0.1"] }
                ) { client in
                    let text = try await client.text(HTTPRequest(url: location))
                    #expect(text == "inner")
                    let outcome = await fetch(HTTPRequest(url: "http://public.example/"), with: client)
                    #expect(outcome.fault == .unsafeRedirect)
                    #expect(
                        outcome.detail
                            == "a redirect leads to inner.example:\(inner.port), which is at no public address")
                    #expect(inner.requests.count == 1)
                }
            }
        }
    }
}
