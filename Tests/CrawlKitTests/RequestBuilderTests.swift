import CrawlCore
import CrawlHTTP
import Testing

@testable import CrawlKit

@Suite("Requests")
struct RequestBuilderTests {
    static let environment = ["TOKEN": "t0p/s3cret&more", "KEY": "k3y value", "EMPTY": "", "LINES": "a\nb"]

    static func access(
        url: String = "https://a.test/items?q={q}", headers: [String: String] = [:], set: [String: String] = [:],
        endpoint: String? = nil, authentication: Authentication? = nil
    ) throws -> SourceAccess {
        let source = Source(
            name: "items", url: url, pagination: .link(), key: ["id"], columns: [Column("id", .text, isRequired: true)],
            headers: headers, authentication: authentication)
        var options = CrawlOptions()
        options.environment = environment
        options.set = set
        if let endpoint { options.endpoints["items"] = endpoint }
        return try SourceAccess(SourceAddresses(of: source, options), Filling(source, options), options)
    }

    static let values: [(value: String, sent: String)] = [
        ("AAPL,SAP.DE", "AAPL,SAP.DE"), ("a b", "a%20b"), ("a&b=c", "a%26b%3Dc"), ("#?/+%", "%23%3F%2F%2B%25"),
        ("ä", "%C3%A4"), ("^GSPC", "%5EGSPC"), ("BTC-USD_~.", "BTC-USD_~."), ("{x}", "%7Bx%7D"),
    ]

    @Test("values are percent-encoded, but for the comma of a list", arguments: values)
    func encoding(value: String, sent: String) throws {
        let endpoint = try Self.access(set: ["q": value]).endpoint
        #expect(endpoint.url == "https://a.test/items?q=\(sent)")
        #expect(endpoint.shown == endpoint.url)
        #expect(HTTPURL(endpoint.url)?.pathAndQuery == "/items?q=\(sent)")
    }

    @Test("a placeholder without a value is a mistake of the command line")
    func missingValue() {
        let error = #expect(throws: CrawlError.self) { try Self.access() }
        #expect(error?.exitCode == .usage)
        #expect(error?.remedy?.contains("--set q=VALUE") == true)
    }

    static let unset: [(headers: [String: String], url: String, set: [String: String], words: [String])] = [
        (["Authorization": "Bearer ${NONE}"], "https://a.test/", [:], ["the header Authorization", "NONE"]),
        (["X-Key": "${EMPTY}"], "https://a.test/", [:], ["the header X-Key", "EMPTY", "not set"]),
        (["X-Key": "${LINES}"], "https://a.test/", [:], ["the header X-Key", "LINES", "line break"]),
        ([:], "https://a.test/?key=${NONE}", [:], ["its address", "NONE"]),
        ([:], "https://a.test/?q={q}", ["q": "${NONE}"], ["{q}", "NONE"]),
    ]

    @Test("a variable that is not set is a mistake before the first request", arguments: unset)
    func missingVariable(headers: [String: String], url: String, set: [String: String], words: [String]) {
        let error = #expect(throws: CrawlError.self) { try Self.access(url: url, headers: headers, set: set) }
        #expect(error?.exitCode == .badSource)
        for word in words { #expect(error?.message.contains(word) == true, "\(String(describing: error))") }
        #expect(error?.remedy != nil)
    }

    @Test("secrets go to the source's own origin only, plain headers everywhere")
    func headers() throws {
        let access = try Self.access(
            url: "https://a.test/items",
            headers: ["Authorization": "Bearer ${TOKEN}", "X-Api-Key": "literal", "Accept": "text/json"])
        let own = access.requests.page(PageRequest(sequence: 1, size: 1), at: access.endpoint)
        #expect(own.http.headers["authorization"] == "Bearer t0p/s3cret&more")
        #expect(own.http.headers["X-Api-Key"] == "literal")
        #expect(own.http.secretHeaderNames == ["authorization", "x-api-key"])
        let next = PageRequest(sequence: 2, size: 1, address: "https://a.test/items?page=2")
        #expect(access.requests.page(next, at: access.endpoint).http.headers["authorization"] != nil)
        for address in ["https://b.test/items?page=2", "http://a.test/items?page=2", "https://a.test:444/"] {
            let other = PageRequest(sequence: 2, size: 1, address: address)
            let request = access.requests.page(other, at: access.endpoint)
            #expect(request.http.headers.fields.map(\.name) == ["Accept"], "\(address)")
        }
    }

    @Test("secrets in an address are sent, never shown")
    func address() throws {
        let access = try Self.access(
            url: "https://a.test/items?t=${TOKEN}&region=eu&api_key=literal&q={q}", set: ["q": "${KEY}"])
        let request = access.requests.page(
            PageRequest(sequence: 1, size: 5, query: [QueryItem("n", "5")]), at: access.endpoint)
        #expect(
            request.http.url
                == "https://a.test/items?t=t0p%2Fs3cret%26more&region=eu&api_key=literal&q=k3y%20value&n=5")
        #expect(request.shown == "https://a.test/items?t=***&region=eu&api_key=***&q=***&n=5")
        #expect(access.endpoint.label == "https://a.test/items?t=***&region=eu&api_key=***&q=***")
        #expect(request.cacheKey == request.shown)
    }

    @Test("next addresses are stored without secrets, and asked with them")
    func nextAddress() throws {
        let access = try Self.access(url: "https://a.test/items?t=${TOKEN}&q=1")
        let named = "https://a.test/items?q=1&t=t0p%2fs3cret%26more&page=2"
        let stored = access.endpoint.removingSecretItems(from: named)
        #expect(stored == "https://a.test/items?q=1&page=2")
        let request = access.requests.page(PageRequest(sequence: 2, size: 1, address: stored), at: access.endpoint)
        #expect(request.http.url == "https://a.test/items?q=1&page=2&t=t0p%2Fs3cret%26more")
        #expect(request.shown == "https://a.test/items?q=1&page=2")
        let elsewhere = PageRequest(sequence: 2, size: 1, address: "https://b.test/items?page=2")
        #expect(access.requests.page(elsewhere, at: access.endpoint).http.url == "https://b.test/items?page=2")
        let forged = PageRequest(sequence: 2, size: 1, address: "https://b.test/?x=${TOKEN}")
        #expect(access.requests.page(forged, at: access.endpoint).http.url == "https://b.test/?x=${TOKEN}")
    }

    @Test("user and password of an address become a field that next addresses get as well")
    func userInfo() throws {
        let access = try Self.access(url: "https://a.test/items", endpoint: "http://me:p%40ss@h:81/x?y=1#top")
        #expect(access.endpoint.label == "http://h:81/x?y=1")
        let request = access.requests.page(PageRequest(sequence: 1, size: 1), at: access.endpoint)
        #expect(request.http.url == "http://h:81/x?y=1")
        #expect(request.http.headers["Authorization"] == "Basic bWU6cEBzcw==")
        let next = PageRequest(sequence: 2, size: 1, address: "http://h:81/x?y=2")
        #expect(access.requests.page(next, at: access.endpoint).http.headers["Authorization"] != nil)
        let other = PageRequest(sequence: 2, size: 1, address: "http://h:82/x?y=2")
        #expect(access.requests.page(other, at: access.endpoint).http.headers["Authorization"] == nil)
        let hidden = access.secrets.hide(in: "p@ss p%40ss bWU6cEBzcw== me")
        #expect(hidden == "*** *** *** me", "two letters are no secret that could be hidden")
    }

    @Test("the crumb is percent-encoded in the address and masked in what is shown")
    func crumb() throws {
        let access = try Self.access(
            url: "https://a.test/items?x=1",
            authentication: .cookieCrumb(
                CookieCrumb(
                    cookie: "https://c.test", crumb: "https://a.test/c", parameter: "crumb", userAgent: "Mozilla/5.0")))
        let credentials = Credentials(cookie: "A3=1", crumb: "a/b+c=", parameter: "crumb")
        let request = access.requests.page(
            PageRequest(sequence: 1, size: 1), at: access.endpoint, with: credentials)
        #expect(request.http.url == "https://a.test/items?x=1&crumb=a%2Fb%2Bc%3D")
        #expect(request.shown == "https://a.test/items?x=1&crumb=***")
        #expect(request.http.headers["Cookie"] == "A3=1")
        #expect(request.http.headers["User-Agent"] == "Mozilla/5.0")
        let other = PageRequest(sequence: 2, size: 1, address: "https://b.test/items")
        let elsewhere = access.requests.page(other, at: access.endpoint, with: credentials)
        #expect(elsewhere.http.url == "https://b.test/items" && elsewhere.http.headers["Cookie"] == nil)
    }
}
