import CrawlCore
import Testing

@testable import CrawlKit

struct AddressCase: Sendable, CustomTestStringConvertible {
    var name: String
    var endpoints: [String: String]
    var main = "https://q.example.test/v7/finance/quote?symbols={symbols}&lang=en"
    var handshake: [String]?
    var fallback: String?
    var isDeferred = false
    var testDescription: String { name }
}

@Suite("Addresses")
struct SourceAddressesTests {
    static let cookie = "https://c.example.test"
    static let crumb = "https://q.example.test/v1/test/getcrumb"
    static let chart = "https://q.example.test/v8/finance/chart/{symbol}?range=1d"

    static let source = Source(
        name: "quotes", url: "https://q.example.test/v7/finance/quote?symbols={symbols}&lang=en", pagination: .single,
        key: ["symbol"], columns: [Column("symbol", .text, isRequired: true)], set: ["symbols": "A"],
        authentication: .cookieCrumb(CookieCrumb(cookie: cookie, crumb: crumb, parameter: "crumb")),
        fallback: Fallback(url: chart, each: "symbols", placeholder: "symbol"))

    static let cases = [
        AddressCase(name: "the file's own", endpoints: [:], handshake: [cookie, crumb], fallback: chart),
        AddressCase(
            name: "another cookie address alone", endpoints: ["quotes.cookie": "http://h/c"],
            handshake: ["http://h/c", crumb], fallback: chart),
        AddressCase(
            name: "another fallback alone", endpoints: ["quotes.fallback": "http://h/x/"],
            handshake: [cookie, crumb], fallback: "http://h/x/{symbol}?range=1d"),
        AddressCase(
            name: "another server has no handshake and no fallback of its own",
            endpoints: ["quotes": "http://h:8/quote"], main: "http://h:8/quote?symbols={symbols}&lang=en"),
        AddressCase(
            name: "another server with parameters of its own", endpoints: ["quotes": "http://h/quote?lang=de&key=1"],
            main: "http://h/quote?lang=de&key=1&symbols={symbols}"),
        AddressCase(
            name: "all named",
            endpoints: [
                "quotes": "http://h/q?symbols={symbols}&lang=", "quotes.cookie": "http://h/c",
                "quotes.crumb": "http://h/k", "quotes.fallback": "http://h/f/{symbol}/now?range=5d",
            ], main: "http://h/q?symbols={symbols}&lang=", handshake: ["http://h/c", "http://h/k"],
            fallback: "http://h/f/{symbol}/now?range=5d"),
        AddressCase(
            name: "the stand-in's path on this machine",
            endpoints: ["quotes": "http://127.0.0.1:8090/v7/finance/quote"],
            main: "http://127.0.0.1:8090/v7/finance/quote?symbols={symbols}&lang=en",
            handshake: ["http://127.0.0.1:8090/cookie", "http://127.0.0.1:8090/v1/test/getcrumb"],
            fallback: "http://127.0.0.1:8090/v8/finance/chart/{symbol}?range=1d", isDeferred: true),
        AddressCase(
            name: "the stand-in's path elsewhere", endpoints: ["quotes": "http://h/v7/finance/quote"],
            main: "http://h/v7/finance/quote?symbols={symbols}&lang=en"),
        AddressCase(
            name: "another path on this machine", endpoints: ["quotes": "http://localhost:1/quote"],
            main: "http://localhost:1/quote?symbols={symbols}&lang=en"),
    ]

    @Test("that a crawl asks", arguments: cases)
    func resolve(_ row: AddressCase) throws {
        var options = CrawlOptions()
        options.endpoints = row.endpoints
        let addresses = try SourceAddresses(of: Self.source, options)
        #expect(addresses.main == row.main)
        #expect(addresses.handshake.map { [$0.cookie, $0.crumb] } == row.handshake)
        #expect(addresses.fallback == row.fallback)
        #expect(addresses.isHandshakeDeferred == row.isDeferred)
        #expect(addresses.kind == (row.endpoints["quotes"] == nil ? .live : .named))
        if row.endpoints["quotes"] != nil {
            let all = [addresses.main, addresses.fallback] + (row.handshake ?? [])
            #expect(all.allSatisfy { $0?.contains("example.test") != true }, "nobody is sent back to the file's hosts")
        }
    }

    @Test("of which only half of the handshake is named are refused")
    func half() {
        var options = CrawlOptions()
        options.endpoints = ["quotes": "http://h/q", "quotes.crumb": "http://h/k"]
        let error = #expect(throws: CrawlError.self) { try SourceAddresses(of: Self.source, options) }
        #expect(error?.exitCode == .usage)
        #expect(error?.remedy == "Add --endpoint quotes.cookie=URL.")
    }

    @Test("of the stand-in are all its own")
    func standIn() throws {
        let addresses = try SourceAddresses(of: Self.source) { "http://127.0.0.1:1/\($0)" }
        #expect(addresses.main == "http://127.0.0.1:1/quotes?symbols={symbols}&lang=en")
        #expect(addresses.handshake?.cookie == "http://127.0.0.1:1/quotes.cookie")
        #expect(addresses.handshake?.crumb == "http://127.0.0.1:1/quotes.crumb")
        #expect(addresses.fallback == "http://127.0.0.1:1/quotes.fallback/{symbol}?range=1d")
        #expect(throws: CrawlError.self) { try SourceAddresses(of: Self.source) { _ in nil } }
    }
}
