import CrawlHTTP
import Testing

@testable import CrawlKit

struct NextAddressCase: Sendable, CustomTestStringConvertible {
    var name: String
    var reference: String
    var asked = "https://a.example/posts?page=1"
    var endpoint = "https://a.example/posts"
    var home: String?
    /// The address that is followed, nil where none is.
    var expected: String?
    var testDescription: String { name }
}

@Suite("Next addresses")
struct NextAddressTests {
    static let cases = [
        NextAddressCase(
            name: "absolute", reference: "https://a.example/p?page=2", expected: "https://a.example/p?page=2"),
        NextAddressCase(name: "a query alone", reference: "?page=2", expected: "https://a.example/posts?page=2"),
        NextAddressCase(name: "from the root", reference: "/other?page=2", expected: "https://a.example/other?page=2"),
        NextAddressCase(name: "beside", reference: "p,1;2", expected: "https://a.example/p,1;2"),
        NextAddressCase(
            name: "no scheme", reference: "//a.example/p?page=2", expected: "https://a.example/p?page=2"),
        NextAddressCase(name: "http again", reference: "http://a.example/p", expected: "https://a.example/p"),
        NextAddressCase(
            name: "http at a name behind the proxy", reference: "http://10.0.0.1:8080/p?page=2",
            expected: "https://a.example/p?page=2"),
        NextAddressCase(
            name: "the proxy's port is lost", reference: "http://a.example/p?page=2",
            asked: "http://a.example:8080/posts", endpoint: "http://a.example:8080/posts",
            expected: "http://a.example:8080/p?page=2"),
        NextAddressCase(
            name: "https where http was asked", reference: "https://a.example/p", asked: "http://a.example/posts",
            endpoint: "http://a.example/posts", expected: "http://a.example/p"),
        NextAddressCase(name: "another port", reference: "https://a.example:8443/p"),
        NextAddressCase(name: "another host", reference: "https://b.example/p?page=2"),
        NextAddressCase(name: "a host that begins alike", reference: "https://a.example.b.example/p?page=2"),
        NextAddressCase(name: "user information is no host", reference: "https://a.example@b.example/p"),
        NextAddressCase(
            name: "user information is left out", reference: "https://x:y@a.example/p", expected: "https://a.example/p"),
        NextAddressCase(name: "another scheme", reference: "ftp://a.example/"),
        NextAddressCase(name: "a script", reference: "javascript:alert(1)"),
        NextAddressCase(
            name: "back from a redirect", reference: "https://a.example/p", asked: "https://cdn.example/posts",
            expected: "https://a.example/p"),
        NextAddressCase(
            name: "on where a redirect led", reference: "?page=2", asked: "https://cdn.example/posts",
            expected: "https://cdn.example/posts?page=2"),
        NextAddressCase(
            name: "the source's own host means the endpoint", reference: "https://api.example/posts?page=2",
            asked: "http://127.0.0.1:8090/mirror", endpoint: "http://127.0.0.1:8090/mirror",
            home: "https://api.example/posts?limit=9", expected: "http://127.0.0.1:8090/mirror?page=2"),
        NextAddressCase(
            name: "another path at the source's own host", reference: "https://api.example/v2/posts?page=2",
            asked: "http://127.0.0.1:8090/posts", endpoint: "http://127.0.0.1:8090/posts",
            home: "https://api.example/posts", expected: "http://127.0.0.1:8090/v2/posts?page=2"),
        NextAddressCase(
            name: "the secret of the endpoint is left out", reference: "/posts?page=2&api_key=hunter2",
            endpoint: "https://a.example/posts?api_key=hunter2", expected: "https://a.example/posts?page=2"),
        NextAddressCase(
            name: "a page token is no secret of ours", reference: "/posts?pageToken=abc",
            endpoint: "https://a.example/posts?api_key=hunter2", expected: "https://a.example/posts?pageToken=abc"),
    ]

    @Test("where a next address leads", arguments: cases)
    func resolve(_ row: NextAddressCase) throws {
        let addresses = NextAddress(
            endpoint: Endpoint(kind: .live, Filling.Text(sent: row.endpoint, shown: row.endpoint)),
            home: row.home ?? row.endpoint)
        let asked = try #require(HTTPURL(row.asked))
        let resolved = try? addresses.resolve(row.reference, from: asked)
        #expect(resolved == row.expected)
    }

    @Test("a refusal names both hosts and no secret")
    func refusal() throws {
        let addresses = NextAddress(
            endpoint: Endpoint(
                kind: .live,
                Filling.Text(sent: "https://a.example/?key=hunter2", shown: "https://a.example/?key=hunter2")),
            home: "https://a.example/")
        let asked = try #require(HTTPURL("https://a.example/?key=hunter2"))
        let refusal = #expect(throws: NextAddress.Refusal.self) {
            try addresses.resolve("https://b.example/?key=hunter2", from: asked)
        }
        let evidence = try #require(refusal?.evidence)
        #expect(evidence.contains("b.example") && evidence.contains("a.example") && !evidence.contains("hunter2"))
    }
}
