extension CompletionScript {
    /// The script for zsh: a file named `_crawl` on the `fpath`, or loaded after `compinit`.
    static func zsh(_ root: CommandSpecification) -> String {
        let function = "_\(root.name)"
        let names = (root.subcommands.map(\.name) + ["help"]).joined(separator: "|")
        let descriptions =
            root.subcommands.map { "\($0.name):\($0.abstract)" }
            + ["\(CommandParser.helpCommand.name):\(CommandParser.helpCommand.abstract)"]
        var lines = [
            "#compdef \(root.name)",
            "",
            "\(function)() {",
            "    local context state state_descr line",
            "    local -A opt_args",
            "    local -i ret=1",
            "    local -a specifications=(",
        ]
        lines += specifications(of: root, below: root).map { "        \($0)" }
        lines += [
            "        '(-): :->command'",
            "        '(-)*:: :->arguments'",
            "    )",
            "    _arguments -w -s -S : \"${specifications[@]}\" && ret=0",
            "    case \"${state}\" in",
            "    command)",
            "        local -a subcommands=(",
        ]
        lines += descriptions.map { "            '\(quoted($0))'" }
        lines += [
            "        )",
            "        _describe -V subcommand subcommands && ret=0",
            "        ;;",
            "    arguments)",
            "        case \"${words[1]}\" in",
            "        \(names)) \"\(function)_${words[1]}\" && ret=0 ;;",
            "        esac",
            "        ;;",
            "    esac",
            "    return \"${ret}\"",
            "}",
        ]
        for command in root.subcommands {
            lines += subfunction("\(function)_\(command.name)", specifications(of: command, below: root))
        }
        let helpWords = root.subcommands.map(\.name).joined(separator: " ")
        lines += subfunction("\(function)_help", ["':subcommand:(\(helpWords))'"])
        lines += [
            "",
            "if [[ \"${funcstack[1]}\" = \(function) ]]; then",
            "    \(function) \"${@}\"",
            "else",
            "    compdef \(function) \(root.name)",
            "fi",
        ]
        return lines.joined(separator: "\n")
    }

    private static func subfunction(_ name: String, _ specifications: [String]) -> [String] {
        ["", "\(name)() {", "    local -a specifications=("] + specifications.map { "        \($0)" } + [
            "    )", "    _arguments -w -s -S : \"${specifications[@]}\"", "}",
        ]
    }

    private static func specifications(of command: CommandSpecification, below root: CommandSpecification) -> [String] {
        options(of: command, below: root).map { option in
            let help = "[\(escaped(option.help))]"
            let value = option.kind == .option ? ":\(escaped(option.valueName)):\(action(option))" : ""
            // The sign lets zsh offer values after both --name= and --name.
            let sign = option.kind == .option ? "=" : ""
            let names = option.spellings.map { $0.hasPrefix("--") ? $0 + sign : $0 }
            if option.isRepeating {
                return "'*--\(option.name)\(sign)\(help)\(value)'"
            }
            guard names.count > 1 else { return "'--\(option.name)\(sign)\(help)\(value)'" }
            return "'(\(option.spellings.joined(separator: " ")))'{\(names.joined(separator: ","))}'\(help)\(value)'"
        }
            + command.positionals.map { argument in
                "'\(argument.isRepeating ? "*" : ""):\(escaped(argument.name)):\(action(argument))'"
            }
    }

    private static func action(_ argument: ArgumentSpecification) -> String {
        let words = words(for: argument)
        let list = "(\(words.joined(separator: " ")))"
        guard argument.values == .file else { return words.isEmpty ? "" : list }
        return words.isEmpty ? "_files" : "{_alternative \"values\\:value\\:\(list)\" \"files\\:file\\:_files\"}"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return quoted(result)
    }

    /// The text for the inside of single quotes.
    private static func quoted(_ text: String) -> String {
        text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
    }
}
