import CrawlKit

/// Command lines as a person would type them.
enum CommandText {
    /// The program's name and its arguments, quoted where the shell needs it, with `***` for secrets in addresses.
    static func line(_ arguments: [String]) -> String {
        (["crawl"] + arguments.map { quoted(SecretText.hidden(inArgument: $0)) }).joined(separator: " ")
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
