#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Times as the tables hold them.
package enum Timestamp {
    /// The time as RFC 3339 text in UTC with milliseconds, `2026-11-30T08:05:06.123Z`.
    package static func text(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// The time that an RFC 3339 text of this program names, with or without fractional seconds.
    package static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601))
    }
}
