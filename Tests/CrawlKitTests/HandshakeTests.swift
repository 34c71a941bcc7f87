import CrawlCore
import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlKit

struct HandshakeCase: Sendable, CustomTestStringConvertible {
    var name: String
    var faults: [Fault] = []
    var behaviour: @Sendable (inout QuotesBehaviour) -> Void = { _ in }
    /// The requests, without a fallback.
    var requests: String
    /// The exit code without a fallback.
    var exitCode: ExitCode?
    /// A part of the message.
    var message = ""
    /// Whether the fallback serves, where there is one.
    var isForFallback = true
    var testDescription: String { name }
}

@Suite("The handshake of quotes")
struct HandshakeTests {
    static let cases = [
        HandshakeCase(name: "goes well", requests: "cookie crumb quotes", isForFallback: false),
        HandshakeCase(
            name: "wants a browser", behaviour: { $0.needsBrowserAgent = true }, requests: "cookie crumb quotes",
            isForFallback: false),
        HandshakeCase(
            name: "no cookie", behaviour: { $0.setsCookie = false }, requests: "cookie", exitCode: .denied,
            message: "asked for the cookie, HOST answered 404 without setting a cookie"),
        HandshakeCase(
            name: "consent",
            behaviour: {
                $0.consent = true
                $0.consentComesAgain = true
            },
            requests: "cookie /consent", exitCode: .denied,
            message: "HOST leads to a web page that asks for consent instead of setting a cookie"),
        HandshakeCase(
            name: "an empty crumb", behaviour: { $0.crumb = .empty }, requests: "cookie crumb", exitCode: .denied,
            message: "asked for the crumb, HOST answered with an empty text instead of a crumb"),
        HandshakeCase(
            name: "a crumb address that has enough", behaviour: { $0.crumb = .tooMany },
            requests: "cookie crumb crumb", exitCode: .unavailable,
            message: "HOST answered 429 Too Many Requests: Too Many Requests (after 2 attempts)"),
        HandshakeCase(
            name: "an error as a crumb", behaviour: { $0.crumb = .sentence }, requests: "cookie crumb",
            exitCode: .unreadable, message: "HOST answered with something that is no crumb: Too Many Requests"),
        HandshakeCase(
            name: "a web page as a crumb", behaviour: { $0.crumb = .page }, requests: "cookie crumb",
            exitCode: .unreadable, message: "no crumb: <"),
        HandshakeCase(
            name: "JSON as a crumb", behaviour: { $0.crumb = .json }, requests: "cookie crumb",
            exitCode: .unreadable, message: "no crumb: {\"finance\""),
        HandshakeCase(
            name: "a cookie that is refused", behaviour: { $0.crumb = .unauthorized }, requests: "cookie crumb",
            exitCode: .denied, message: "asked for the crumb, HOST answered 401 Unauthorized"),
        HandshakeCase(
            name: "a feature that is refused", behaviour: { $0.refused = true },
            requests: "cookie crumb quotes cookie crumb quotes", exitCode: .denied,
            message: "HOST answered 401 Unauthorized"),
        HandshakeCase(
            name: "a crumb that is never good", behaviour: { $0.crumbUses = 0 },
            requests: "cookie crumb quotes cookie crumb quotes", exitCode: .denied, message: "Invalid Crumb"),
        HandshakeCase(
            name: "a cookie address in trouble for a moment",
            faults: [Fault(.unavailable, in: 1...1, source: "quotes.cookie")], requests: "cookie cookie crumb quotes",
            isForFallback: false),
        HandshakeCase(
            name: "a crumb address in trouble for a moment",
            faults: [Fault(.tooManyRequests, in: 1...1, source: "quotes.crumb")],
            requests: "cookie crumb crumb quotes", isForFallback: false),
        HandshakeCase(
            name: "a cookie address that is gone", faults: [Fault(.close, source: "quotes.cookie")],
            requests: "cookie cookie", exitCode: .unavailable, message: "asked for the cookie, HOST closed"),
        HandshakeCase(
            name: "quotes forbidden", faults: [Fault(.forbidden, source: "quotes")], requests: "cookie crumb quotes",
            exitCode: .denied, message: "HOST answered 403 Forbidden"),
        HandshakeCase(
            name: "quotes that have enough", faults: [Fault(.tooManyRequests, source: "quotes")],
            requests: "cookie crumb quotes quotes", exitCode: .unavailable, message: "429 Too Many Requests"),
        HandshakeCase(
            name: "a crumb that has run out once", faults: [Fault(.unauthorized, in: 1...1, source: "quotes")],
            requests: "cookie crumb quotes cookie crumb quotes", isForFallback: false),
    ]

    @Test("each refusal has its error and exit code", arguments: cases)
    func alone(_ row: HandshakeCase) async throws {
        let scene = try QuotesScene {
            row.behaviour(&$0.quotes)
            $0.faults = row.faults
        }
        let summary = try await scene.crawl(hasFallback: false)
        #expect(scene.requests.joined(separator: " ") == row.requests)
        #expect(summary.error?.exitCode == row.exitCode, "\(String(describing: summary.error))")
        let message = row.message.replacing("HOST", with: "127.0.0.1:\(scene.server.port)")
        if row.exitCode != nil { #expect(summary.error?.message.contains(message) == true, "\(summary)") }
        #expect(summary.stored == (row.exitCode == nil ? 6 : 0))
        #expect(summary.requests == scene.requests.filter { $0 != "/consent" }.count)
        #expect(try await scene.verify() == [])
    }

    @Test("each refusal leads to the fallback where there is one", arguments: cases)
    func withFallback(_ row: HandshakeCase) async throws {
        let scene = try QuotesScene {
            row.behaviour(&$0.quotes)
            $0.faults = row.faults
        }
        let summary = try await scene.crawl()
        #expect(summary.error == nil, "\(summary)")
        #expect(summary.outcome == .complete && summary.stored == 6)
        let charts = row.isForFallback ? Array(repeating: "chart", count: 6) : []
        #expect(scene.requests == row.requests.split(separator: " ").map(String.init) + charts)
        #expect(scene.notices.count == (row.isForFallback ? 1 : 0))
        if row.isForFallback {
            #expect(scene.notices[0].contains("the fallback of the source file serves instead"))
            #expect(try await scene.query("SELECT count(*), sum(received), sum(new) FROM crawl_pages") == "6|6|6")
        }
        #expect(try await scene.verify() == [])
    }

    static let broken: [(name: String, faults: [Fault], exitCode: ExitCode)] = [
        ("quotes in trouble", [Fault(.serverError, source: "quotes")], .unavailable),
        ("quotes that are gone", [Fault(.close, source: "quotes")], .unavailable),
        ("quotes that are no JSON", [Fault(.html, source: "quotes")], .unreadable),
        ("quotes to be asked for later", [Fault(.tooManySeconds, parameter: "4000", source: "quotes")], .tryLater),
        (
            "a crumb to be asked for later", [Fault(.tooManySeconds, parameter: "4000", source: "quotes.crumb")],
            .tryLater
        ),
    ]

    @Test("a server that is broken, or asks to wait, is not asked at its fallback", arguments: broken)
    func noFallback(name: String, faults: [Fault], exitCode: ExitCode) async throws {
        let scene = try QuotesScene { $0.faults = faults }
        let summary = try await scene.crawl()
        #expect(summary.error?.exitCode == exitCode, "\(summary)")
        #expect(!scene.requests.contains("chart"))
        #expect(scene.notices == [])
        #expect(try await scene.verify() == [])
    }

    @Test("an address that does not resolve is not asked at its fallback")
    func notResolved() async throws {
        let scene = try QuotesScene()
        var options = scene.options()
        options.endpoints["quotes.cookie"] = "http://nowhere.invalid/cookie"
        let summary = try await scene.crawl(options)
        #expect(summary.error?.exitCode == .unavailable, "\(summary)")
        #expect(summary.error?.message.contains("asked for the cookie") == true)
        #expect(scene.requests == [])
    }

    @Test("values that the fallback does not know are named; the others are stored")
    func partOfTheFallback() async throws {
        let scene = try QuotesScene { $0.quotes.crumb = .empty }
        var options = scene.options()
        options.set = ["symbols": "AAPL,NOPE,XRANGE,XWARR,VOD.L"]
        options.lanes = 3
        let summary = try await scene.crawl(options)
        #expect(summary.error?.exitCode == .fewer)
        #expect(summary.error?.message == "quotes: NOPE, XRANGE were asked for and not answered")
        let rows = try await scene.query("SELECT symbol, currency, quoteType, exchange FROM quotes ORDER BY symbol")
        #expect(rows == "AAPL|USD|EQUITY|NMS\nVOD.L|GBp|EQUITY|LSE\nXWARR||EQUITY|NMS")
        #expect(try await scene.query("SELECT count(*) FROM crawl_pages WHERE url LIKE '%/chart/%'") == "3")
        let run = try await scene.query("SELECT state, reason FROM crawl_runs")
        #expect(run == "failed|" + (summary.error?.message ?? ""))
        #expect(try await scene.verify() == [])
    }

    @Test("symbols without an answer are named, stubs among them; partial records are stored")
    func unanswered() async throws {
        let scene = try QuotesScene()
        var options = scene.options()
        options.set = ["symbols": "AAPL, aapl,NOPE,XGONE,XPARTIAL"]
        let summary = try await scene.crawl(options)
        #expect(summary.error?.exitCode == .fewer)
        #expect(summary.error?.message == "quotes: NOPE, XGONE were asked for and not answered")
        #expect(summary.counts.rejected == 1)
        #expect(try await scene.query("SELECT group_concat(symbol) FROM quotes") == "AAPL,XPARTIAL")
        #expect(try await scene.query("SELECT reason FROM crawl_rejects") == "regularMarketTime: missing")
        #expect(try await scene.verify() == [])
    }

    @Test("all symbols unknown: an answer, but not a whole one")
    func allUnknown() async throws {
        let scene = try QuotesScene()
        var options = scene.options()
        options.set = ["symbols": "NOPE"]
        let summary = try await scene.crawl(options)
        #expect(summary.error?.message == "quotes: NOPE was asked for and not answered")
        #expect(scene.requests == ["cookie", "crumb", "quotes"])
    }

    @Test("a count stops the fallback as soon as it stands")
    func count() async throws {
        let scene = try QuotesScene { $0.quotes.setsCookie = false }
        var options = scene.options()
        options.count = 2
        let summary = try await scene.crawl(options)
        #expect(summary.error == nil && summary.stored == 2)
        #expect(scene.requests == ["cookie", "chart", "chart"])
    }

    @Test("another server alone is asked without a handshake, and nobody else is")
    func namedAlone() async throws {
        let server = try ScriptedQuotes()
        defer { server.stop() }
        let scene = try QuotesScene()
        var options = scene.options(without: ["quotes", "quotes.cookie", "quotes.crumb", "quotes.fallback"])
        options.endpoints["quotes"] = server.url
        let summary = try await scene.crawl(options)
        #expect(summary.error?.message == "quotes: GOOG, MSFT, TSLA, UBER, LYFT were asked for and not answered")
        #expect(server.targets == ["/any?symbols=AAPL,GOOG,MSFT,TSLA,UBER,LYFT"])
    }

    @Test("the stand-in's own address alone leads to its handshake once it refuses")
    func standInAlone() async throws {
        let scene = try QuotesScene()
        let summary = try await scene.crawl(
            scene.options(without: ["quotes.cookie", "quotes.crumb", "quotes.fallback"]))
        #expect(summary.error == nil && summary.stored == 6, "\(summary)")
        #expect(scene.requests == ["quotes", "cookie", "crumb", "quotes"])
    }

    @Test("cookie and crumb are nowhere to be read afterwards")
    func secrets() async throws {
        let scene = try QuotesScene { $0.quotes.refused = true }
        let summary = try await scene.crawl()
        let crumbs = scene.targets.compactMap { $0.firstRange(of: "crumb=").map { range in range.upperBound } }
        #expect(crumbs.count == 2)
        let told = scene.events.map { "\($0)" }.joined() + "\(summary)"
        let stored = try scene.databaseBytes()
        for (target, start) in zip(scene.targets.filter { $0.contains("crumb=") }, crumbs) {
            let crumb = String(target[start...])
            let plain = crumb.removingPercentEncoding ?? ""
            #expect(crumb.contains("%2F") && crumb.contains("%2B") && crumb.contains("%3D") && plain.count == 11)
            for text in [crumb, plain] { #expect(!told.contains(text) && !stored.contains(text)) }
        }
        #expect(told.contains("crumb=***"))
    }
}

/// A server that answers one quote without asking for anything.
private final class ScriptedQuotes: Sendable {
    private let server: ScriptedServer

    init() throws {
        server = try ScriptedServer([
            .answer(text: #"{"quoteResponse":{"result":[{"symbol":"AAPL","regularMarketTime":1}],"error":null}}"#)
        ])
    }

    var url: String { server.url("/any") }
    var targets: [String] { server.requests.map(\.target) }
    func stop() { server.stop() }
}
