import CrawlJSON
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
        if isPlain { return word }
        // What acts on a terminal is not shown as it is, so it has to be written.
        if word.unicodeScalars.contains(where: \.actsOnTerminal) { return "$'" + escaped(word) + "'" }
        return "'" + word.replacing("'", with: "'\\''") + "'"
    }

    /// The inside of `$'…'`, as bash, zsh and ksh read it.
    private static func escaped(_ word: String) -> String {
        word.unicodeScalars.map { scalar in
            if scalar == "'" || scalar == "\\" { return "\\\(scalar)" }
            guard scalar.actsOnTerminal else { return String(scalar) }
            return String(scalar).utf8.map { ($0 < 16 ? "\\x0" : "\\x") + String($0, radix: 16) }.joined()
        }.joined()
    }
}
