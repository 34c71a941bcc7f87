import CrawlCore
import TestSupport
import Testing

@testable import CrawlHTTP

@Suite("Proxies", .timeLimit(Sanitizer.limit(minutes: 5)))
struct ProxyTests {
    @Test(
        "The environment names the proxy as it does for curl",
        arguments: [
            (["http_proxy": "p:1"], "http://a.example/", "p:1"),
            (["HTTP_PROXY": "p:1"], "http://a.example/", nil),
            (["http_proxy": "p:1"], "https://a.example/", nil),
            (["HTTPS_PROXY": "p:2"], "https://a.example/", "p:2"),
            (["https_proxy": "p:1", "HTTPS_PROXY": "p:2"], "https://a.example/", "p:1"),
            (["ALL_PROXY": "socks5://p:3"], "http://a.example/", "socks5://p:3"),
            (["http_proxy": ""], "http://a.example/", nil),
            (["http_proxy": "p:1"], "http://127.0.0.1:8080/", nil),
            (["http_proxy": "p:1"], "http://localhost/", nil),
            (["http_proxy": "p:1"], "http://[::1]/", nil),
            (["http_proxy": "p:1", "no_proxy": "*"], "http://a.example/", nil),
            (["http_proxy": "p:1", "NO_PROXY": "b.example, a.example"], "http://a.example/", nil),
            (["http_proxy": "p:1", "no_proxy": ".example"], "http://a.example/", nil),
            (["http_proxy": "p:1", "no_proxy": "example"], "http://a.example/", nil),
            (["http_proxy": "p:1", "no_proxy": "ample"], "http://a.example/", "p:1"),
            (["http_proxy": "p:1", "no_proxy": "A.EXAMPLE"], "http://a.example/", nil),
            (["http_proxy": "p:1", "no_proxy": "10.0.0.0/8"], "http://10.9.8.7/", nil),
            (["http_proxy": "p:1", "no_proxy": "10.0.0.0/8"], "http://11.9.8.7/", "p:1"),
            (["http_proxy": "p:1", "no_proxy": "[2001:db8::1]"], "http://[2001:db8::1]/", nil),
            (["http_proxy": "p:1", "no_proxy": "2001:db8::/32"], "http://[2001:db8::2]/", nil),
            (["http_proxy": "p:1", "no_proxy": "10.0.0.1/x"], "http://10.0.0.1/", "p:1"),
        ] as [([String: String], String, String?)])
    func environment(variables: [String: String], address: String, proxy: String?) throws {
        let url = try #require(HTTPURL(address))
        #expect(ProxySettings(environment: variables).proxy(for: url) == proxy)
    }

    @Test("A request goes through the proxy, and says where it wants to go")
    func throughProxy() async throws {
        try await ScriptedServer.run([.answer(text: "from afar")]) { proxy in
            let environment = ["http_proxy": "http://me:pw@127.0.0.1:\(proxy.port)"]
            try await withClient(environment: environment) { client in
                let text = try await client.text(HTTPRequest(url: "http://far.example/users"))
                #expect(text == "from afar")
                let request = try #require(proxy.requests.first)
                #expect(request.line == "GET http://far.example/users")
                #expect(request.field("Proxy-Authorization") == "Basic bWU6cHc=")
            }
        }
    }

    @Test("A proxy that refuses to connect is named as such", arguments: [403, 407, 502])
    func refuses(status: Int) async throws {
        try await ScriptedServer.run([.answer("\(status) No")]) { proxy in
            let environment = ["https_proxy": "http://me:hunter2@127.0.0.1:\(proxy.port)"]
            try await withClient(environment: environment) { client in
                let outcome = await fetch(HTTPRequest(url: "https://far.example/"), with: client)
                #expect(outcome.fault == .proxy)
                #expect(outcome.detail == "the proxy refused to connect to far.example, with status \(status)")
            }
        }
    }

    @Test(
        "A proxy that cannot be reached is named as such",
        arguments: ["http://me:hunter2@127.0.0.1:1", "http://me:hunter2@nosuch.invalid:1", "nonsense://127.0.0.1"])
    func unreachable(proxy: String) async throws {
        try await withClient(environment: ["all_proxy": proxy]) { client in
            let outcome = await fetch(HTTPRequest(url: "http://far.example/"), with: client)
            #expect(outcome.fault == .proxy, "\(outcome)")
            #expect(!outcome.detail.contains("hunter2"))
        }
    }
}
