import Testing

@testable import CrawlCore

@Suite("RateLimit")
struct RateLimitTests {
    @Test(
        "A rate is read, and nothing that only looks like one",
        arguments: [
            ("5/s", .milliseconds(200)), ("100/m", .milliseconds(600)), ("20000/h", .milliseconds(180)),
            ("0.5/s", .seconds(2)), ("1/h", .seconds(3600)), ("0.25/m", .seconds(240)),
            ("0/s", nil), ("-1/s", nil), ("+1/s", nil), ("5", nil), ("/s", nil), ("5/", nil), ("5/d", nil),
            ("5/S", nil),
            ("5 /s", nil), ("inf/s", nil), ("nan/s", nil), ("1e3/s", nil), ("0x5/s", nil), (".5/s", nil),
            ("5/s/s", nil),
            ("1.2.3/s", nil), ("0.00001/h", nil), ("", nil),
        ] as [(String, Duration?)])
    func parsing(text: String, spacing: Duration?) {
        #expect(RateLimit(parsing: text)?.spacing == spacing)
    }

    @Test("The distance between starts is exact over a long time, without drift")
    func exact() throws {
        var limit = try #require(RateLimit(parsing: "3/s"))
        var last = Duration.zero
        for _ in 0..<30_000 { last = limit.reserve(at: .zero) }
        let distance = last - .seconds(10_000 - 1.0 / 3)
        #expect(distance < .microseconds(1) && distance > .microseconds(-1))
    }

    @Test("A late start does not let the next one come early: no burst after a pause")
    func noBurst() throws {
        var limit = try #require(RateLimit(parsing: "2/s"))
        #expect(limit.reserve(at: .zero) == .zero)
        #expect(limit.reserve(at: .seconds(60)) == .seconds(60))
        #expect(limit.reserve(at: .seconds(60)) == .seconds(60.5))
        #expect(limit.reserve(at: .seconds(60.2)) == .seconds(61))
    }
}
