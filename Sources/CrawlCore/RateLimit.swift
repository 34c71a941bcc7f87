/// A highest number of requests a time, kept by the distance between them.
///
/// No burst: requests start at least `spacing` apart, and one that comes late does not let the next come early, so that
/// in no stretch of time there are more than the limit allows.
package struct RateLimit: Sendable, Equatable {
    /// The time between the starts of two requests.
    package let spacing: Duration
    /// The earliest time of the next start, since the origin of the clock that the caller uses.
    private var next = Duration.zero

    /// A limit of `count` requests in `period`; nil where `count` is not above 0 or the result is no sensible time.
    package init?(_ count: Double, per period: Duration) {
        guard count > 0, count.isFinite, period > .zero else { return nil }
        let spacing = period / count
        guard spacing > .zero, spacing <= .seconds(86_400) else { return nil }
        self.spacing = spacing
    }

    /// Reads `5/s`, `100/m`, `20000/h` or `0.5/s`; nil for anything else.
    package init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let period = Self.period(parts[1]), let first = parts[0].utf8.first,
            // `Double` would also take `+5`, `0x5`, `1e3`, `inf` and `nan`.
            parts[0].utf8.allSatisfy({ Self.isDigit($0) || $0 == UInt8(ascii: ".") }), Self.isDigit(first),
            let count = Double(parts[0])
        else { return nil }
        self.init(count, per: period)
    }

    /// Books the next start, at `now` or as soon after as the limit allows.
    package mutating func reserve(at now: Duration) -> Duration {
        let start = max(now, next)
        next = start + spacing
        return start
    }

    private static func period(_ text: Substring) -> Duration? {
        switch text {
        case "s": .seconds(1)
        case "m": .seconds(60)
        case "h": .seconds(3600)
        default: nil
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }
}
