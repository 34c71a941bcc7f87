/// Usage lines.
struct UsageGenerator {
    let command: CommandSpecification
    /// The names from the program's to the command's.
    let path: [String]

    /// With more arguments than this, the usage line names only those that must be given.
    private static let longestSynopsis = 12

    /// The synopsis; later lines stand below the text of the first one.
    var synopsis: String {
        if let usage = command.usage {
            return usage.split(separator: "\n").joined(separator: "\n" + String(repeating: " ", count: 7))
        }
        var parts = [path.joined(separator: " ")]
        if command.arguments.count > Self.longestSynopsis {
            let needed = command.arguments.filter { $0.kind == .positional || !$0.isOptional }
            parts.append(needed.isEmpty ? "<options>" : "[<options>]")
            parts += needed.map(\.synopsis)
        } else {
            parts += command.arguments.map(\.synopsis)
        }
        if !command.subcommands.isEmpty {
            parts.append("<subcommand>")
        }
        return parts.joined(separator: " ")
    }

    /// The lines below an error.
    var errorUsage: String {
        "Usage: \(synopsis)\n  See '\(path.joined(separator: " ")) --help' for more information."
    }
}
