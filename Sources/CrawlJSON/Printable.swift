extension Unicode.Scalar {
    /// Whether a terminal may act on it, or a reader of lines: control characters, also those beyond ASCII, line
    /// separators, and the marks that turn the direction of writing.
    package var actsOnTerminal: Bool {
        switch value {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x061C, 0xFEFF: true
        default: false
        }
    }
}

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
