extension CompletionScript {
    /// The script for bash, 3.2 or later.
    ///
    /// bash cuts `--name=value` into three words, so the sign between them is passed over.
    static func bash(_ root: CommandSpecification) -> String {
        let commands = [root] + root.subcommands
        let function = "_\(root.name)"
        let subcommands = (root.subcommands.map(\.name) + ["help"]).joined(separator: " ")
        var lines = [
            "#!/bin/bash",
            "# Completion for \(root.name); load it with: source <(\(root.name) --generate-completion-script bash)",
            "\(function)_offer() {",
            "    local completion",
            "    while IFS= read -r completion; do",
            "        COMPREPLY+=(\"$completion\")",
            "    done < <(compgen \"$@\" -- \"$current\")",
            "}",
            "",
            "\(function)_offer_files() {",
            "    compopt -o filenames 2>/dev/null",
            "    \(function)_offer -f",
            "}",
            "",
            "\(function)() {",
            "    local current=\"${COMP_WORDS[COMP_CWORD]}\" command=\"\" awaiting=\"\" word=\"\" index",
            "    COMPREPLY=()",
            "    for ((index = 1; index < COMP_CWORD; index++)); do",
            "        word=\"${COMP_WORDS[index]}\"",
            "        [[ \"$word\" == \"=\" ]] && continue",
            "        if [[ -n \"$awaiting\" ]]; then",
            "            awaiting=\"\"",
            "            continue",
            "        fi",
            "        case \"$command:$word\" in",
        ]
        for command in commands {
            let names = command.options.filter { $0.kind == .option }.flatMap(\.spellings)
            guard !names.isEmpty else { continue }
            lines.append(
                "        \(names.map { key(command, root) + ":" + $0 }.joined(separator: "|"))) awaiting=\"$word\" ;;")
        }
        lines += [
            "        \((root.subcommands.map(\.name) + ["help"]).map { ":" + $0 }.joined(separator: "|"))) command=\"$word\" ;;",
            "        esac",
            "    done",
            "    [[ \"$current\" == \"=\" ]] && current=\"\"",
            "",
            "    if [[ -n \"$awaiting\" ]]; then",
            "        case \"$command:$awaiting\" in",
        ]
        for command in commands {
            for option in command.options where option.kind == .option {
                let offers = offers(option, function: function)
                guard !offers.isEmpty else { continue }
                let patterns = option.spellings.map { key(command, root) + ":" + $0 }.joined(separator: "|")
                lines.append("        \(patterns)) \(offers.joined(separator: "; ")) ;;")
            }
        }
        lines += [
            "        esac",
            "        return",
            "    fi",
            "",
            "    case \"$command\" in",
        ]
        for command in commands {
            let names = options(of: command, below: root).flatMap(\.spellings).joined(separator: " ")
            lines.append("    \(command.name == root.name ? "\"\"" : command.name))")
            lines.append("        if [[ \"$current\" == -* ]]; then")
            lines.append("            \(function)_offer -W '\(names)'")
            var offers = command.positionals.first.map { Self.offers($0, function: function) } ?? []
            if !command.subcommands.isEmpty {
                offers.append("\(function)_offer -W '\(subcommands)'")
            }
            if !offers.isEmpty {
                lines.append("        else")
                lines += offers.map { "            " + $0 }
            }
            lines.append("        fi")
            lines.append("        ;;")
        }
        lines += [
            "    help) \(function)_offer -W '\(root.subcommands.map(\.name).joined(separator: " "))' ;;",
            "    esac",
            "}",
            "",
            "complete -F \(function) \(root.name)",
        ]
        return lines.joined(separator: "\n")
    }

    private static func key(_ command: CommandSpecification, _ root: CommandSpecification) -> String {
        command.name == root.name ? "" : command.name
    }

    private static func offers(_ argument: ArgumentSpecification, function: String) -> [String] {
        let words = words(for: argument)
        var offers = words.isEmpty ? [] : ["\(function)_offer -W '\(words.joined(separator: " "))'"]
        if argument.values == .file {
            offers.append("\(function)_offer_files")
        }
        return offers
    }
}
