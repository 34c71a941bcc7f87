/// A time in UTC as the answers write it.
struct CivilTime {
    private let date: (year: Int, month: Int, day: Int)
    private let weekday: Int
    private let second: Int

    /// The time so many seconds after the start of 1970.
    init(_ seconds: Int) {
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        second = seconds - days * 86_400
        weekday = ((days + 4) % 7 + 7) % 7
        // Howard Hinnant's days-to-civil, https://howardhinnant.github.io/date_algorithms.html
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        date = (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// As in HTTP headers: `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpDate: String {
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        return "\(days[weekday]), \(two(date.day)) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }

    /// As in JSON: `1994-11-06T08:49:37Z`.
    var rfc3339: String { "\(date.year)-\(two(date.month))-\(two(date.day))T\(clock)Z" }

    private var clock: String { "\(two(second / 3_600)):\(two(second / 60 % 60)):\(two(second % 60))" }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
