import CrawlCore
import CrawlJSON
import Testing

@Suite("Requests as data")
struct SourceAccessFileTests {
    static let url = "https://q.test/quote?symbols={symbols}&token=${TOKEN}"
    static let auth =
        #"{"style":"cookie-crumb","cookie":"https://c.test","crumb":"https://q.test/crumb","parameter":"crumb","userAgent":"Mozilla/5.0"}"#
    static let fallback =
        #"{"url":"https://q.test/chart/{symbol}?range=1d","each":"symbols","as":"symbol","records":"chart.result.0.meta","columns":{"kind":"instrumentType"}}"#

    /// A source file that is right, with keys changed or, where the value is nil, left out.
    static func file(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "name": #""quotes""#, "url": "\"\(url)\"", "pagination": #"{"style":"single"}"#, "key": #""symbol""#,
            "set": #"{"symbols":"AAPL"}"#, "headers": #"{"Authorization":"Bearer ${TOKEN}","Accept":"text/json"}"#,
            "auth": auth, "fallback": fallback, "expect": #"{"column":"symbol","from":"symbols"}"#,
            "columns": #"{"symbol":"text!","kind":"text"}"#,
        ]
        members.merge(changes) { $1 }
        let lines = members.sorted { $0.key < $1.key }.compactMap { key, value in value.map { "\"\(key)\": \($0)" } }
        return "{" + lines.joined(separator: ",\n") + "}"
    }

    static func decode(_ text: String) throws -> Source {
        try SourceFile.source(from: Array(text.utf8), file: "quotes.json")
    }

    @Test("every key is decoded, and written as it was")
    func roundTrip() throws {
        let source = try Self.decode(Self.file())
        #expect(
            source.authentication
                == .cookieCrumb(
                    CookieCrumb(
                        cookie: "https://c.test", crumb: "https://q.test/crumb", parameter: "crumb",
                        userAgent: "Mozilla/5.0")))
        #expect(
            source.fallback
                == Fallback(
                    url: "https://q.test/chart/{symbol}?range=1d", each: "symbols", placeholder: "symbol",
                    records: JSONPath(["chart", "result", "0", "meta"]), paths: ["kind": JSONPath(["instrumentType"])]))
        #expect(source.expectation == Expectation(column: "symbol", placeholder: "symbols"))
        #expect(source.addressNames == ["quotes", "quotes.cookie", "quotes.crumb", "quotes.fallback"])
        #expect(source.placeholders == ["symbols"])
        #expect(source.asFallback?.columns.map(\.path) == [JSONPath(["symbol"]), JSONPath(["instrumentType"])])
        let text = SourceFile.text(of: source)
        #expect(try Self.decode(text) == source)
        #expect(SourceFile.text(of: try Self.decode(text)) == text)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 140 }, "\(text)")
    }

    @Test("all of them may be left out")
    func optional() throws {
        let source = try Self.decode(
            Self.file(["auth": nil, "fallback": nil, "expect": nil, "headers": nil]))
        #expect(source.authentication == nil && source.fallback == nil && source.expectation == nil)
        #expect(source.addressNames == ["quotes"])
        let fallback = try Self.decode(Self.file(["fallback": #"{"url":"https://q.test/{symbols}","each":"symbols"}"#]))
        #expect(fallback.fallback == Fallback(url: "https://q.test/{symbols}", each: "symbols"))
        let implied = try Self.decode(Self.file(["fallback": #"{"url":"https://q.test/{one}","each":"symbols"}"#]))
        #expect(implied.fallback == Fallback(url: "https://q.test/{one}", each: "symbols", placeholder: "one"))
    }

    static let mistakes: [(name: String, changes: [String: String], message: String)] = [
        ("auth as a text", ["auth": #""cookie-crumb""#], "auth: expected an object, got a text"),
        (
            "another style", ["auth": #"{"style":"oauth"}"#],
            "auth.style: unknown style 'oauth', allowed are cookie-crumb"
        ),
        (
            "a misspelt key", ["auth": auth.replacing("userAgent", with: "userAgnet")],
            "auth: unknown key 'userAgnet', did you mean 'userAgent'?"
        ),
        (
            "no crumb", ["auth": #"{"style":"cookie-crumb","cookie":"https://c.test","parameter":"c"}"#],
            "auth: the key 'crumb' is missing"
        ),
        (
            "a cookie at no address", ["auth": auth.replacing("https://c.test", with: "c.test")],
            "auth.cookie: 'c.test' does not begin with https:// or http://"
        ),
        (
            "a placeholder where none may be", ["auth": auth.replacing("https://c.test", with: "https://c.test/{x}")],
            "auth.cookie: must be a whole address, without placeholders and variables"
        ),
        (
            "two user agents", ["headers": #"{"user-agent":"x"}"#],
            "headers.user-agent: the same header as auth.userAgent; keep one of them"
        ),
        (
            "two cookies", ["headers": #"{"Cookie":"x=1"}"#],
            "headers.Cookie: the handshake under 'auth' sets this header"
        ),
        (
            "a header of the program's own", ["headers": #"{"Host":"x"}"#],
            "headers.Host: the program sets this header itself"
        ),
        (
            "a header twice", ["headers": #"{"Accept":"a","accept":"b"}"#],
            "headers.accept: the header is there in another spelling too"
        ),
        (
            "a variable without its brace", ["headers": #"{"X-Key":"${TOKEN"}"#],
            "headers.X-Key: a variable of the environment is written ${NAME}, with letters, digits and _"
        ),
        (
            "a variable in the path", ["url": #""https://q.test/${TOKEN}?symbols={symbols}""#],
            "url: a variable of the environment may stand behind the question mark only; use headers"
        ),
        (
            "a value for no placeholder", ["set": #"{"symbol":"AAPL"}"#],
            "set.symbol: no address has the placeholder {symbol}, did you mean 'symbols'?"
        ),
        (
            "a fallback of pages", ["pagination": #"{"style":"page","parameter":"p","maxSize":5}"#],
            "fallback: goes with the pagination style 'single' only, for it asks for one value after the other"
        ),
        (
            "a fallback without the value", ["fallback": #"{"url":"https://q.test/chart","each":"symbols"}"#],
            "fallback.url: lacks the placeholder {symbols}"
        ),
        (
            "a fallback for another placeholder",
            ["fallback": #"{"url":"https://q.test/{symbol}","each":"symbol"}"#],
            "fallback.each: the address under 'url' has no placeholder {symbol}, did you mean 'symbols'?"
        ),
        (
            "a fallback's column that there is not",
            ["fallback": fallback.replacing(#""kind":"#, with: #""kin":"#)],
            "fallback.columns.kin: there is no column 'kin', did you mean 'kind'?"
        ),
        (
            "a fallback's column with an index in brackets",
            ["fallback": fallback.replacing("instrumentType", with: "a[0]")],
            "fallback.columns.kind: write the number of a list's element like a key, as in 'results.0', not 'a[0]'"
        ),
        (
            "an expected column that there is not", ["expect": #"{"column":"symbl","from":"symbols"}"#],
            "expect.column: there is no column 'symbl', did you mean 'symbol'?"
        ),
        (
            "an expectation of nothing", ["expect": #"{"column":"symbol"}"#], "expect: the key 'from' is missing"
        ),
    ]

    @Test("each mistake is named with its place", arguments: mistakes)
    func mistake(name: String, changes: [String: String], message: String) {
        let error = #expect(throws: CrawlError.self) {
            try Self.decode(Self.file(changes.mapValues { Optional($0) }))
        }
        #expect(error?.exitCode == .badSource)
        #expect(error?.message == "quotes.json: " + message)
    }
}
