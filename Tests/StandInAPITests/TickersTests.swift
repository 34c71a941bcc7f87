import Foundation
import StandInAPI
import Testing

@Suite struct TickersTests {
    private func server(moves: Bool = false) throws -> StandInServer {
        var configuration = StandInConfiguration()
        configuration.seed = 31
        configuration.coins = 300
        configuration.pricesMove = moves
        return try StandInServer(configuration: configuration)
    }

    @Test func coinsHaveTheRealShape() throws {
        let server = try server()
        let text = try get("/v1/tickers", from: server).text
        let coins = try list(text)
        #expect(coins.count == 300)
        for coin in coins { #expect(keys(coin) == Self.sampleKeys) }
        #expect(Set(coins.compactMap { $0["id"] as? String }).count == 300)
        #expect(Set(coins.compactMap { $0["symbol"] as? String }).count < 300)
        #expect(coins.compactMap { $0["rank"] as? Int } == Array(1...300))
        #expect(coins.contains { $0["beta_value"] as? String == "" })
        for mark in ["\"ath_price\":null", "\"ath_price\":\"\"", "\"price\":1,", "\"max_supply\":0", "\\\"Chain\\\""] {
            #expect(text.contains(mark))
        }
        #expect(text.firstMatch(of: /"price":[0-9.]{15,}/) != nil)
    }

    @Test(arguments: [("limit=7", 7), ("limit=1000", 300), ("limit=0", 300), ("limit=abc", 300)])
    func limits(query: String, count: Int) throws {
        let server = try server()
        #expect(try list(get("/v1/tickers?\(query)", from: server).text).count == count)
    }

    @Test func oneCoinByItsId() throws {
        let server = try server()
        let coins = try list(get("/v1/tickers?limit=3", from: server).text)
        let id = try #require(coins[2]["id"] as? String)
        #expect(try object(get("/v1/tickers/\(id)", from: server).text)["rank"] as? Int == 3)
        let missing = try get("/v1/tickers/none", from: server)
        #expect(missing.status == 404 && missing.text == "{\"error\":\"id not found\"}")
    }

    @Test func aThirdOfThePricesMovesWithEachRequest() throws {
        let prices = { (server: StandInServer) in
            try list(get("/v1/tickers", from: server).text).map { coin -> [String: Any] in
                (coin["quotes"] as? [String: [String: Any]])?["USD"] ?? [:]
            }.map { ($0["price"] as? NSNumber)?.doubleValue ?? 0 }
        }
        let still = try server()
        #expect(try prices(still) == prices(still))
        let moving = try server(moves: true)
        let (first, second, third) = try (prices(moving), prices(moving), prices(moving))
        let changed = zip(first, second).count { $0 != $1 }
        #expect((60...100).contains(changed) && third != second)
        let again = try server(moves: true)
        #expect(try prices(again) == first && prices(again) == second)
    }

    private static let sampleKeys: Set<String> = Set(
        ["id", "name", "symbol", "rank", "total_supply", "max_supply", "beta_value", "first_data_at", "last_updated"]
            + [
                "price", "volume_24h", "volume_24h_change_24h", "market_cap", "market_cap_change_24h",
                "percent_change_15m", "percent_change_30m", "percent_change_1h", "percent_change_6h",
                "percent_change_12h", "percent_change_24h", "percent_change_7d", "percent_change_30d",
                "percent_change_1y", "ath_price", "ath_date", "percent_from_price_ath",
            ].map { "quotes.USD.\($0)" })
}
