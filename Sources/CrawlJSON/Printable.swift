/// Bytes from outside, made fit for a message.
package enum Printable {
    /// The first bytes as text on one line: control characters, bidirectional marks and broken UTF-8 never appear raw.
    ///
    /// - Parameters:
    ///   - bytes: Any bytes.
    ///   - limit: The most characters; what is cut off shows as `…`.
    package static func text(_ bytes: some Collection<UInt8>, limit: Int = 60) -> String {
        var result = ""
        var count = 0
        // Four bytes a character at most; one character more tells whether something is cut off.
        let head = String(decoding: bytes.prefix((limit + 1) * 4), as: UTF8.self)
        var wasSpace = false
        for scalar in head.unicodeScalars {
            if scalar.properties.isWhitespace {
                wasSpace = count > 0
                continue
            }
            guard count < limit else { return result + "…" }
            if wasSpace { result += " " }
            wasSpace = false
            result += safe(scalar)
            count += 1
        }
        return result
    }

    private static func safe(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
            "\\u{" + String(scalar.value, radix: 16) + "}"
        default: String(scalar)
        }
    }
}
