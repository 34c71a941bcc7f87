#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The `Retry-After` field of an answer with status 429 or 503.
///
/// See [RFC 9110, 10.2.3](https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3).
package enum RetryAfter {
    /// The wait for `0` and for a date in the past, which would have every lane ask again at once.
    package static let floor = Duration.milliseconds(100)
    /// The longest wait that is believed: a server that means more says so again, and one that is mistaken must not lock
    /// its users out for long.
    package static let ceiling = Duration.seconds(86_400)

    /// The wait that the field asks for, between `floor` and `ceiling`; nil where it is neither a whole number of
    /// seconds nor an HTTP-date, so that the caller's own backoff counts.
    package static func wait(_ field: String, now: Date) -> Duration? {
        let text = field.trimming { $0 == " " || $0 == "\t" }
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
            // A number beyond 64 bits is a long wait, not a wrong one.
            return clamped(.seconds(min(Int(text) ?? .max, 1 << 40)))
        }
        guard let date = HTTPDate.date(text, now: now) else { return nil }
        let seconds = date.timeIntervalSince(now)
        return clamped(.milliseconds(Int64(max(0, min(seconds, 1e10)) * 1000)))
    }

    private static func clamped(_ wait: Duration) -> Duration {
        min(max(wait, floor), ceiling)
    }
}

extension String {
    /// The text without the characters at both ends that `isUnwanted` names.
    fileprivate func trimming(_ isUnwanted: (Character) -> Bool) -> Substring {
        let start = drop(while: isUnwanted)
        guard let last = start.lastIndex(where: { !isUnwanted($0) }) else { return start.prefix(0) }
        return start[...last]
    }
}
