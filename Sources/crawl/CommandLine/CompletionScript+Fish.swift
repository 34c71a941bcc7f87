extension CompletionScript {
    /// The script for fish.
    static func fish(_ root: CommandSpecification) -> String {
        let names = (root.subcommands.map(\.name) + ["help"]).joined(separator: " ")
        let atRoot = "not __fish_seen_subcommand_from \(names)"
        var lines = [
            "# Completion for \(root.name); load it with: \(root.name) --generate-completion-script fish | source",
            "complete -c \(root.name) -f",
        ]
        for command in root.subcommands + [CommandParser.helpCommand] {
            lines.append(
                "complete -c \(root.name) -n '\(atRoot)' -a \(command.name) -d \(quotedForFish(command.abstract))")
        }
        for command in [root] + root.subcommands {
            let condition =
                command.name == root.name ? atRoot : "__fish_seen_subcommand_from \(command.name)"
            let start = "complete -c \(root.name) -n '\(condition)'"
            for option in options(of: command, below: root) {
                let short = option.short.map { " -s \($0)" } ?? ""
                lines.append(
                    "\(start)\(short) -l \(option.name)\(value(of: option)) -d \(quotedForFish(option.help))")
            }
            for argument in command.positionals where !words(for: argument).isEmpty {
                lines.append("\(start) -a '\(words(for: argument).joined(separator: " "))'")
            }
        }
        lines.append(
            "complete -c \(root.name) -n '__fish_seen_subcommand_from help'"
                + " -a '\(root.subcommands.map(\.name).joined(separator: " "))'")
        return lines.joined(separator: "\n")
    }

    private static func value(of option: ArgumentSpecification) -> String {
        guard option.kind == .option else { return "" }
        let words = words(for: option)
        let offer = words.isEmpty ? "" : " -a '\(words.joined(separator: " "))'"
        return option.values == .file ? " -r -F\(offer)" : " -r -f\(offer)"
    }

    private static func quotedForFish(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result + "'"
    }
}
