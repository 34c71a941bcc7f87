import CrawlKit

/// Command lines as a person would type them, but for secrets in addresses, which no log may get.
enum CommandText {
    /// The program's name and its arguments, quoted where the shell needs it.
    static func line(_ arguments: [String]) -> String {
        (["crawl"] + arguments.map { quoted(withoutSecrets($0)) }).joined(separator: " ")
    }

    /// The word with `***` for the secrets of the address in it, be it the whole word or behind an equals sign.
    private static func withoutSecrets(_ word: String) -> String {
        guard let scheme = word.firstRange(of: "://") else { return word }
        let start = word[..<scheme.lowerBound].lastIndex(of: "=").map { word.index(after: $0) } ?? word.startIndex
        return word[..<start] + Endpoint.label(of: String(word[start...]))
    }

    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_./:=,@%+".unicodeScalars.contains(scalar)
            }
        return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}
