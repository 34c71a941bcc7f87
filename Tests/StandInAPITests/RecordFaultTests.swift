import Foundation
import StandInAPI
import Testing

/// Each record fault spoils one record and nothing else.
@Suite struct RecordFaultTests {
    /// The pages of a server of one seed, with the fault and without.
    private func pages(_ fault: String, target: String) throws -> (spoilt: [UInt8], whole: [UInt8]) {
        var configuration = StandInConfiguration()
        configuration.seed = 9
        let whole = try StandInServer(configuration: configuration)
        configuration.faults = [try Fault(parsing: fault)]
        let spoilt = try StandInServer(configuration: configuration)
        return try (get(target, from: spoilt).body, get(target, from: whole).body)
    }

    @Test(
        arguments: [
            ("missing-uid", nil), ("null-uid", "\"uid\":null"), ("wrong-type", "\"uid\":{"),
            ("wrong-column", "\"id\":\"twelve\""), ("big-integer", "\"id\":9223372036854775808"),
            ("nul", "\\u0000"), ("lone-surrogate", "\\ud83d"), ("control", "\\u001b[31m"),
            ("numbers", "\"digits\":0.1234567890123456789"), ("not-an-object", ",42,"),
            ("extra-field", "\"favourite_colour\":\"teal\""),
            ("long-text=10:1", String(repeating: "x", count: 10_000)),
        ] as [(String, String?)])
    func oneRecordIsSpoilt(fault: String, mark: String?) throws {
        let (spoilt, whole) = try pages(fault, target: "/api/v2/users?size=5")
        let text = String(decoding: spoilt, as: UTF8.self)
        if let mark { #expect(text.components(separatedBy: mark).count == 2) }
        #expect(String(decoding: whole, as: UTF8.self).components(separatedBy: "\"uid\":\"").count == 6)
        let start = zip(spoilt, whole).prefix { $0 == $1 }.count
        let end = zip(spoilt.reversed(), whole.reversed()).prefix { $0 == $1 }.count
        // Two records lie before the spoilt one and two after it.
        #expect(start > 1_200 && end > 1_200)
        guard fault != "lone-surrogate" else { return }
        let records = try #require(try JSONSerialization.jsonObject(with: Data(spoilt)) as? [Any])
        let good = try list(String(decoding: whole, as: UTF8.self))
        #expect(records.count == 5)
        for position in [0, 1, 3, 4] {
            #expect((records[position] as? [String: Any])?["uid"] as? String == good[position]["uid"] as? String)
        }
        if fault == "missing-uid" { #expect((records[2] as? [String: Any])?["uid"] == nil) }
    }

    @Test func invalidUTF8IsOneRecordsText() throws {
        let (spoilt, _) = try pages("invalid-utf8", target: "/api/v2/users?size=5")
        #expect(String(validating: spoilt, as: UTF8.self) == nil)
        #expect(spoilt.firstRange(of: [0xC3, 0x28, 0xFF]) != nil)
    }

    @Test(arguments: [
        ("/api/v2/users", "\"uid\":null"), ("/posts", "\"id\": null"), ("/posts/7", "\"id\": null"),
        ("/v1/tickers?limit=3", "\"id\":null"), ("/api/?results=3", "\"uuid\":null"), ("/pages/offset", "\"id\":null"),
    ])
    func everySourceCanBeSpoilt(target: String, mark: String) throws {
        let (spoilt, whole) = try pages("null-uid", target: target)
        #expect(String(decoding: spoilt, as: UTF8.self).components(separatedBy: mark).count == 2)
        #expect(try JSONSerialization.jsonObject(with: Data(spoilt)) is NSObject)
        #expect(spoilt != whole)
    }

    @Test func precomputedPagesCanBeSpoiltAndStayWholeInMemory() throws {
        var configuration = StandInConfiguration()
        configuration.seed = 9
        configuration.precomputedPages = 1
        configuration.faults = [Fault(.missingKey, every: 2)]
        let server = try StandInServer(configuration: configuration)
        let client = try WireClient(server)
        let pages = try (0..<3).map { _ in try list(client.get("/api/v2/users?size=100").text) }
        #expect(pages.map { $0.count { $0["uid"] is String } } == [100, 99, 100])
    }
}
