import CrawlCore
import CrawlJSON
import Foundation
import Testing

/// The source files that come with the program, against answers of the real shapes with invented data.
@Suite struct BuiltInSourceTests {
    static func file(_ name: String) throws -> [UInt8] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Array(try Data(contentsOf: root.appending(path: "Sources/CrawlKit/Sources/\(name).json")))
    }

    static func source(_ name: String) throws -> Source {
        try SourceFile.source(from: try file(name), file: "\(name).json")
    }

    /// The rows of a page as dictionaries, without what is absent.
    static func rows(
        _ name: String, _ page: String, rejects: [String] = []
    ) throws -> [[String: CellValue]] {
        let source = try source(name)
        let batch = try PageReader(source).records(page)
        #expect(batch.rejects.map(\.reason) == rejects)
        let names = source.columns.map(\.name) + ["extra"]
        return batch.rows.map { row in
            Dictionary(uniqueKeysWithValues: zip(names, row)).filter { $0.value != .absent }
        }
    }

    @Test(arguments: ["users", "posts", "tickers", "quotes", "randomuser"]) func areWrittenLikeOurOwn(name: String)
        throws
    {
        let source = try Self.source(name)
        #expect(source.name == name)
        #expect(SourceFile.text(of: source) == String(decoding: try Self.file(name), as: UTF8.self))
    }

    @Test func usersHaveTheColumnsOfTheContract() throws {
        let source = try Self.source("users")
        #expect(
            source.columns.map(\.name) == [
                "id", "uid", "password", "first_name", "last_name", "username", "email", "avatar", "gender",
                "phone_number", "social_insurance_number", "date_of_birth", "employment_title", "employment_key_skill",
                "address_city", "address_street_name", "address_street_address", "address_zip_code", "address_state",
                "address_country", "address_coordinates_lat", "address_coordinates_lng", "credit_card_cc_number",
                "subscription_plan", "subscription_status", "subscription_payment_method", "subscription_term",
            ])
        #expect(source.columns.filter(\.isRequired).map(\.name) == ["uid"])
        #expect(source.key == ["uid"])
        #expect(source.onDuplicate == .keep)
        #expect(source.pagination == .repeat(sizeParameter: "size", maxSize: 100))
    }

    @Test func readsUsers() throws {
        let user = Samples.user
        let rows = try Self.rows("users", "[\(user),\(user)]")
        #expect(rows.count == 2)
        #expect(rows[1].count == 27, "every column has a value and nothing is left over")
        #expect(rows[1]["avatar"] == .text("https://robohash.org/loremipsumdolor.png?size=300x300&set=set1"))
        #expect(rows[1]["address_zip_code"] == .text("00501-2630"))
        #expect(rows[1]["address_coordinates_lng"] == .real(60.99254250405849))
        #expect(rows[1]["subscription_term"] == .text("Payment in advance"))
        #expect(try Self.rows("users", user) == [rows[0]], "one bare object")
    }

    @Test func readsPosts() throws {
        let rows = try Self.rows("posts", Samples.posts)
        #expect(
            rows[1] == [
                "id": .integer(2), "userId": .integer(1), "title": .text("lorem invented title two"),
                "body": .text("alpha\nbeta\ngamma\ndelta"),
            ])
        #expect(try Self.rows("posts", "[]") == [])
    }

    @Test func readsTickers() throws {
        let row = try #require(try Self.rows("tickers", Samples.ticker).first)
        #expect(row["id"] == .text("ddd-edge"))
        #expect(row["name"] == .text("Edge, \"Quoted\" Coin"))
        #expect(row["price_usd"] == .real(1.23e-08))
        #expect(row["market_cap_usd"] == .real(9_223_372_036_854_775_808))
        #expect(row["beta_value"] == .null, "an empty text stands for a missing number")
        #expect(row["ath_price_usd"] == .null)
        #expect(row["ath_date"] == .text(""))
        #expect(row["circulating_supply"] == nil)
        #expect(row["extra"] == .text(#"{"quotes":{"BTC":{"price":1}}}"#))
    }

    @Test func readsQuotes() throws {
        let source = try Self.source("quotes")
        #expect(source.set == ["symbols": "AAPL,GOOG,MSFT,TSLA,UBER,LYFT"])
        let rows = try Self.rows("quotes", Samples.quotes, rejects: ["regularMarketTime: missing"])
        #expect(rows.map { $0["symbol"] } == [.text("XAAA")], "the stub of a delisted symbol is no quote")
        #expect(rows[0]["regularMarketPrice"] == .real(244.6))
        #expect(rows[0]["regularMarketTime"] == .integer(1_739_566_800))
        #expect(rows[0]["extra"] == .text(#"{"language":"en-US","corporateActions":[]}"#))
        #expect(try Self.rows("quotes", #"{"quoteResponse":{"result":[],"error":null}}"#) == [])
    }

    @Test func readsRandomUsers() throws {
        let rows = try Self.rows("randomuser", Samples.randomUsers)
        #expect(rows.map { $0["location_postcode"] } == [.text("01234"), .text("71540"), .text("KX2 9PQ")])
        #expect(rows[0]["login_uuid"] == .text("00000000-0000-4000-8000-000000000001"))
        #expect(rows[0]["location_street_number"] == .integer(9278))
        #expect(rows[0]["extra"] == .text(#"{"login":{"salt":"x"}}"#))
    }
}

/// Answers of the real shapes; the people and coins are invented.
enum Samples {
    static let user = #"""
        {"id":4321,"uid":"00000000-0000-4000-8000-000000000001","password":"Ab3dEf6HiJ","first_name":"Avery","last_name":"Placeholder","username":"avery.placeholder","email":"avery.placeholder@email.com","avatar":"https://robohash.org/loremipsumdolor.png?size=300x300\u0026set=set1","gender":"Genderfluid","phone_number":"+1-869 200-555-0101 x526","social_insurance_number":"900000001","date_of_birth":"1983-12-02","employment":{"title":"Legal Engineer","key_skill":"Problem solving"},"address":{"city":"Exampleport","street_name":"Sample Mills","street_address":"101 Sample Walk","zip_code":"00501-2630","state":"Illinois","country":"United States","coordinates":{"lat":-70.38864141698089,"lng":60.99254250405849}},"credit_card":{"cc_number":"4000000000006"},"subscription":{"plan":"Gold","status":"Active","payment_method":"Money transfer","term":"Payment in advance"}}
        """#

    static let posts = #"""
        [
          {
            "userId": 1,
            "id": 1,
            "title": "lorem invented title one",
            "body": "first invented line\nsecond invented line\nthird invented line\nfourth invented line"
          },
          {
            "userId": 1,
            "id": 2,
            "title": "lorem invented title two",
            "body": "alpha\nbeta\ngamma\ndelta"
          }
        ]
        """#

    static let ticker = #"""
        [{"id":"ddd-edge","name":"Edge, \"Quoted\" Coin","symbol":"DDD","rank":0,"total_supply":0,"max_supply":0,"beta_value":"","first_data_at":"2020-01-01T00:00:00Z","last_updated":"2026-02-08T13:52:28Z","quotes":{"BTC":{"price":1},"USD":{"price":1.23e-08,"volume_24h":1.5e+21,"volume_24h_change_24h":-48.7,"market_cap":9223372036854775808,"market_cap_change_24h":4.13,"percent_change_15m":0.1,"percent_change_30m":-0.04,"percent_change_1h":0.19,"percent_change_6h":2.27,"percent_change_12h":2.98,"percent_change_24h":4.13,"percent_change_7d":-8.84,"percent_change_30d":-21.46,"percent_change_1y":-26.32,"ath_price":"","ath_date":"","percent_from_price_ath":""}}}]
        """#

    static let quotes = #"""
        {"quoteResponse":{"result":[{"language":"en-US","quoteType":"EQUITY","marketState":"CLOSED","currency":"USD","corporateActions":[],"regularMarketTime":1739566800,"regularMarketPrice":244.6,"regularMarketVolume":40896227,"marketCap":3674405863424,"shortName":"Example Devices Inc.","longName":"Example Devices Inc.","symbol":"XAAA"},{"quoteType":"NONE","symbol":"XGONE"}],"error":null}}
        """#

    static let randomUsers = #"""
        {"results":[{"gender":"female","name":{"title":"Ms","first":"Avery","last":"Example"},"location":{"street":{"number":9278,"name":"Sample Walk"},"city":"Exampleport","state":"Otago","country":"New Zealand","postcode":"01234","coordinates":{"latitude":"-29.2","longitude":"79.5"},"timezone":{"offset":"+3:30","description":"Tehran"}},"email":"avery@example.test","login":{"uuid":"00000000-0000-4000-8000-000000000001","username":"sample1","salt":"x"},"dob":{"date":"1980-01-01T00:00:00.000Z","age":46},"registered":{"date":"2010-01-01T00:00:00.000Z","age":16},"phone":"(272)-555-0100","cell":"(489)-555-0101","id":{"name":"","value":null},"picture":{"large":"https://example.test/1.jpg","medium":"https://example.test/2.jpg","thumbnail":"https://example.test/3.jpg"},"nat":"NZ"},{"login":{"uuid":"00000000-0000-4000-8000-000000000002"},"location":{"postcode":71540}},{"login":{"uuid":"00000000-0000-4000-8000-000000000003"},"location":{"postcode":"KX2 9PQ"}}],"info":{"seed":"abc","results":3,"page":1,"version":"1.4"}}
        """#
}
