import CrawlJSON

/// Text from outside, made fit for a terminal.
enum SafeText {
    /// The text with every control character written out.
    ///
    /// Escape sequences, line breaks, and the characters that reverse the direction of writing become visible
    /// (`\e`, `\n`, `\u{202e}`), so that what a server sends can neither move the cursor nor pass for other text.
    ///
    /// - Parameter keepsLineBreaks: For texts of several lines that the program has put together itself.
    static func visible(_ text: String, keepsLineBreaks: Bool = false) -> String {
        // Most text is plain ASCII, which bytes tell much faster than characters do.
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        guard text.unicodeScalars.contains(where: \.actsOnTerminal) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !scalar.actsOnTerminal || (keepsLineBreaks && scalar == "\n") {
                result.append(scalar)
            } else {
                result.append(contentsOf: escape(scalar).unicodeScalars)
            }
        }
        return String(result)
    }

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\u{1B}": "\\e"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        case "\0": "\\0"
        default: "\\u{\(String(scalar.value, radix: 16))}"
        }
    }
}
