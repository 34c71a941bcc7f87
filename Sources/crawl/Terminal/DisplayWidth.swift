/// How many columns of a terminal a text takes.
///
/// Follows [UAX #11](https://www.unicode.org/reports/tr11/) as terminals do: wide and fullwidth characters take two
/// columns, combining and invisible ones none.
enum DisplayWidth {
    /// The columns of a text without control characters.
    static func of(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { $0 + of($1) }
    }

    /// The columns of one character, all its scalars together.
    static func of(_ character: Character) -> Int {
        let widest = character.unicodeScalars.map(of).max() ?? 0
        // The emoji selector asks for the wide picture of a narrow sign.
        let isPicture = widest == 1 && character.unicodeScalars.contains("\u{FE0F}")
        return isPicture ? 2 : widest
    }

    /// The text cut to so many columns, with a sign where something is left out.
    static func cut(_ text: String, to columns: Int, sign: String = "…") -> String {
        guard columns > 0 else { return "" }
        guard of(text) > columns else { return text }
        let room = columns - of(sign)
        guard room >= 0 else { return String(repeating: ".", count: columns) }
        var result = ""
        var used = 0
        for character in text {
            used += of(character)
            guard used <= room else { break }
            result.append(character)
        }
        return result + sign
    }

    /// The text with blanks up to so many columns.
    static func pad(_ text: String, to columns: Int, isRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, columns - of(text)))
        return isRight ? blanks + text : text + blanks
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        return isWide(scalar) ? 2 : 1
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18CFF,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F2FF, 0x20000...0x3FFFD:
            true
        default:
            scalar.properties.isEmojiPresentation
        }
    }
}
