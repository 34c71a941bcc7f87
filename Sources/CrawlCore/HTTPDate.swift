#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The three forms of dates in HTTP fields.
///
/// See [RFC 9110, 5.6.7](https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7).
package enum HTTPDate {
    /// The time that the text names, nil where it is in none of the forms or names no day of the calendar; whether
    /// the day of the week is the right one is not looked at.
    ///
    /// - `Sun, 06 Nov 1994 08:49:37 GMT`
    /// - `Sunday, 06-Nov-94 08:49:37 GMT`, obsolete; the year is the nearest within 50 years of `now`
    /// - `Sun Nov  6 08:49:37 1994`, obsolete
    package static func date(_ text: some StringProtocol, now: Date = Date()) -> Date? {
        let words = text.split(separator: " ")
        switch words.count {
        case 6 where words[5] == "GMT":
            guard days.contains(where: { words[0] == $0.prefix(3) + "," }), words[3].utf8.count == 4,
                let year = number(words[3])
            else { return nil }
            return date(day: words[1], month: words[2], year: year, clock: words[4])
        case 4 where words[3] == "GMT":
            let parts = words[1].split(separator: "-")
            guard days.contains(where: { words[0] == $0 + "," }), parts.count == 3, parts[2].utf8.count == 2,
                let short = number(parts[2])
            else { return nil }
            return date(day: parts[0], month: parts[1], year: fullYear(short, now: now), clock: words[2])
        case 5 where words[4].utf8.count == 4:
            guard days.contains(where: { words[0] == $0.prefix(3) }), let year = number(words[4]) else { return nil }
            return date(day: words[2], month: words[1], year: year, clock: words[3])
        default:
            return nil
        }
    }

    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private static func date(
        day: some StringProtocol, month: some StringProtocol, year: Int, clock: some StringProtocol
    ) -> Date? {
        let time = clock.split(separator: ":").compactMap { $0.utf8.count == 2 ? number($0) : nil }
        guard let day = number(day), let month = months.firstIndex(where: { $0 == month }), time.count == 3,
            day >= 1, day <= daysOf(month: month, year: year), time[0] < 24, time[1] < 60, time[2] <= 60
        else { return nil }
        let seconds = daysSince1970(day: day, month: month + 1, year: year) * 86_400
        return Date(timeIntervalSince1970: Double(seconds + time[0] * 3600 + time[1] * 60 + time[2]))
    }

    /// Digits only: `Int` would also take a sign.
    private static func number(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") } ? Int(text) : nil
    }

    private static func daysOf(month: Int, year: Int) -> Int {
        let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
    }

    /// Days of the Gregorian calendar, whose years are taken to begin in March so that the leap day comes last.
    private static func daysSince1970(day: Int, month: Int, year: Int) -> Int {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func fullYear(_ short: Int, now: Date) -> Int {
        let current = 1970 + Int(now.timeIntervalSince1970 / 31_556_952)
        let candidate = current - current % 100 + short
        if candidate > current + 50 { return candidate - 100 }
        return candidate < current - 50 ? candidate + 100 : candidate
    }
}
