import Foundation
import Testing

@testable import CrawlCore

@Suite("Retry-After")
struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT.
    static let now = Date(timeIntervalSince1970: 784_111_777)

    @Test(
        "A whole number of seconds or an HTTP-date is a wait, anything else is none",
        arguments: [
            ("120", .seconds(120)), (" 7\t", .seconds(7)), ("0", .milliseconds(100)), ("00", .milliseconds(100)),
            ("7200", .seconds(7200)), ("99999999999999999999999", .seconds(86_400)),
            ("-1", nil), ("+5", nil), ("1.5", nil), ("120junk", nil), ("1e3", nil), ("", nil), (" ", nil),
            ("soon", nil),
            ("120, 60", nil), ("１２", nil),
            ("Sun, 06 Nov 1994 08:50:37 GMT", .seconds(60)),
            ("Sunday, 06-Nov-94 09:49:37 GMT", .seconds(3600)),
            ("Sun Nov  6 08:49:40 1994", .seconds(3)),
            ("Mon, 07 Nov 1994 08:49:37 GMT", .seconds(86_400)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", .milliseconds(100)),
            ("Fri, 31 Dec 1993 23:59:59 GMT", .milliseconds(100)),
            ("Sun, 06 Nov 1994 08:50:37 CET", nil), ("Sun, 32 Nov 1994 08:50:37 GMT", nil),
            ("Sun, 31 Nov 1994 08:50:37 GMT", nil), ("Sun, 06 Foo 1994 08:50:37 GMT", nil),
            ("Sun, 06 Nov 1994 25:50:37 GMT", nil), ("Sun, 06 Nov 1994 08:50 GMT", nil),
            ("-Sun Nov  6 08:50:37 1994", nil), ("Sun Nov  6 08:50:37 1994,", nil),
            ("Son, 06 Nov 1994 08:50:37 GMT", nil),
            ("Sun, 06-Nov-94 08:50:37 GMT", nil), ("1994-11-06T08:50:37Z", nil), ("06 Nov 1994 08:50:37 GMT", nil),
        ] as [(String, Duration?)])
    func wait(field: String, expected: Duration?) {
        #expect(RetryAfter.wait(field, now: Self.now) == expected)
    }

    @Test(
        "Dates count the calendar's days",
        arguments: [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Tue, 29 Feb 2000 00:00:00 GMT", 951_782_400), ("Fri, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Mon, 29 Feb 2100 00:00:00 GMT", nil), ("Wed, 31 Dec 2025 23:59:60 GMT", 1_767_225_600),
        ] as [(String, Double?)])
    func calendar(text: String, seconds: Double?) {
        #expect(HTTPDate.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(
        "A year of two digits is the nearest one", arguments: [("94", 1994), ("30", 2030), ("75", 2075), ("77", 1977)])
    func shortYear(digits: String, year: Int) {
        let now = Date(timeIntervalSince1970: 1_780_000_000)
        let short = HTTPDate.date("Sunday, 06-Nov-\(digits) 08:49:37 GMT", now: now)
        #expect(short != nil)
        #expect(short == HTTPDate.date("Sun, 06 Nov \(year) 08:49:37 GMT"))
    }
}
