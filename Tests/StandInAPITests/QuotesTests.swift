import Foundation
import StandInAPI
import Testing

@Suite struct QuotesTests {
    private func server(_ change: (inout QuotesBehaviour) -> Void = { _ in }) throws -> StandInServer {
        var configuration = StandInConfiguration()
        configuration.seed = 41
        change(&configuration.quotes)
        return try StandInServer(configuration: configuration)
    }

    private func cookie(_ server: StandInServer) throws -> String {
        let answer = try get("/cookie", from: server)
        #expect(answer.status == 404)
        return try #require(answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
    }

    private func crumb(_ server: StandInServer, _ cookie: String) throws -> String {
        let answer = try get("/v1/test/getcrumb", from: server, headers: ["Cookie": cookie])
        #expect(answer.status == 200 && answer.headers["content-type"]?.hasPrefix("text/plain") == true)
        return answer.text
    }

    private func quote(
        _ server: StandInServer, _ symbols: String, crumb: String?, cookie: String?
    ) throws -> WireClient.Answer {
        var target = "/v7/finance/quote?symbols=\(symbols)"
        if let crumb {
            target += "&crumb=\(try #require(crumb.addingPercentEncoding(withAllowedCharacters: .alphanumerics)))"
        }
        return try get(target, from: server, headers: cookie.map { ["Cookie": "B=1; " + $0] } ?? [:])
    }

    private func symbols(_ answer: WireClient.Answer) throws -> [String] {
        let response = try #require(try object(answer.text)["quoteResponse"] as? [String: Any])
        #expect(response["error"] is NSNull)
        return try #require(response["result"] as? [[String: Any]]).compactMap { $0["symbol"] as? String }
    }

    private func description(_ answer: WireClient.Answer) throws -> String? {
        let root = try #require(try object(answer.text)["finance"] as? [String: Any])
        return (root["error"] as? [String: Any])?["description"] as? String
    }

    @Test func theHandshakeOpensTheQuotes() throws {
        let server = try server()
        let cookie = try cookie(server)
        let crumb = try crumb(server, cookie)
        #expect(crumb.count == 11 && crumb.contains("/") && crumb.contains("+") && crumb.contains("="))
        let answer = try quote(server, "AAPL,NOPE,LYFT,BTC-USD,XGONE", crumb: crumb, cookie: cookie)
        #expect(answer.status == 200)
        #expect(try symbols(answer) == ["AAPL", "LYFT", "BTC-USD", "XGONE"])
        #expect(!answer.text.contains("longName\":null") && answer.text.contains("\"quoteType\":\"NONE\""))
        #expect(answer.text.contains("\"regularMarketPrice\":244.6,"))
        #expect(try symbols(quote(server, "NOPE", crumb: crumb, cookie: cookie)) == [])
        #expect(try quote(server, "", crumb: crumb, cookie: cookie).status == 400)
    }

    @Test func cookieAndCrumbBelongTogether() throws {
        let server = try server()
        let (first, second) = try (cookie(server), cookie(server))
        let (firstCrumb, secondCrumb) = try (crumb(server, first), crumb(server, second))
        #expect(first != second && firstCrumb != secondCrumb)
        let mixed = try quote(server, "AAPL", crumb: firstCrumb, cookie: second)
        #expect(try mixed.status == 401 && description(mixed) == "Invalid Crumb")
        let none = try quote(server, "AAPL", crumb: firstCrumb, cookie: nil)
        #expect(try none.status == 401 && description(none) == "Invalid Cookie")
        #expect(try quote(server, "AAPL", crumb: nil, cookie: first).status == 401)
        #expect(try get("/v1/test/getcrumb", from: server, headers: ["Cookie": "A3=invented"]).status == 401)
    }

    @Test func aCrumbExpiresAndIsRenewed() throws {
        let server = try server { $0.crumbUses = 2 }
        let cookie = try cookie(server)
        let old = try crumb(server, cookie)
        let statuses = try (0..<3).map { _ in try quote(server, "AAPL", crumb: old, cookie: cookie).status }
        #expect(statuses == [200, 200, 401])
        #expect(try quote(server, "AAPL", crumb: crumb(server, cookie), cookie: cookie).status == 200)
    }

    @Test func refusals() throws {
        let refused = try server { $0.refused = true }
        let cookie = try cookie(refused)
        let answer = try quote(refused, "AAPL", crumb: crumb(refused, cookie), cookie: cookie)
        #expect(try answer.status == 401 && description(answer)?.hasPrefix("User is unable to access") == true)

        let empty = try server { $0.crumb = .empty }
        #expect(try crumb(empty, self.cookie(empty)) == "")

        let many = try server { $0.crumb = .tooMany }
        let tooMany = try get("/v1/test/getcrumb", from: many, headers: ["Cookie": self.cookie(many)])
        #expect(tooMany.status == 429 && tooMany.text == "Too Many Requests\r\n")

        let picky = try server { $0.needsBrowserAgent = true }
        #expect(try get("/cookie", from: picky).status == 429)
        #expect(try get("/cookie", from: picky, headers: ["User-Agent": "Mozilla/5.0 (X11)"]).status == 404)

        let consent = try server { $0.consent = true }
        #expect(try get("/cookie", from: consent).headers["location"] == "/consent")
        #expect(try get("/consent", from: consent).text.contains("Before you continue"))
        #expect(try get("/cookie", from: consent).status == 404)
    }

    @Test func theChartNeedsNoCrumb() throws {
        let server = try server()
        let answer = try get("/v8/finance/chart/VOD.L?range=1d&interval=1d", from: server)
        let chart = try #require(try object(answer.text)["chart"] as? [String: Any])
        let meta = try #require((chart["result"] as? [[String: Any]])?.first?["meta"] as? [String: Any])
        #expect(meta["symbol"] as? String == "VOD.L" && meta["currency"] as? String == "GBp")
        #expect(meta["regularMarketPrice"] as? Double == 64.74)
        let missing = try get("/v8/finance/chart/NOPE", from: server)
        #expect(
            missing.status == 404
                && missing.text.hasPrefix("{\"chart\":{\"result\":null,\"error\":{\"code\":\"Not Found\""))
    }
}
