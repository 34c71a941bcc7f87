/// Completion scripts for the shells.
///
/// Each script is made from the specification alone and runs without calling the program.
enum CompletionScript: String, CaseIterable {
    case zsh
    case bash
    case fish

    /// The script that a command line asks for, nil where it asks for none.
    ///
    /// `--generate-completion-script` takes the shell's name, or finds it in `SHELL`.
    ///
    /// - Throws: `UsageError` for a shell without a script.
    static func request(
        in arguments: [String], of root: CommandSpecification, environment: [String: String]
    ) throws(UsageError) -> String? {
        let option = "--generate-completion-script"
        let words = arguments.prefix { $0 != "--" }
        guard let index = words.lastIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
        var name: String?
        if words[index] != option {
            name = String(words[index].dropFirst(option.count + 1))
        } else if index + 1 < words.endIndex, CommandParser.isValue(words[index + 1]) {
            name = words[index + 1]
        }
        let detected = environment["SHELL"].flatMap { $0.split(separator: "/").last }.map(String.init)
        guard let shell = CompletionScript(rawValue: name ?? detected ?? "") else {
            let problem =
                name.map { "Can't generate completion scripts for '\($0)'." } ?? "Can't autodetect a supported shell."
            throw UsageError(
                """
                \(problem)
                Please use --generate-completion-script=<shell> with one of:
                    \(allCases.map(\.rawValue).joined(separator: " "))
                """,
                usage: UsageGenerator(command: root, path: [root.name]).errorUsage)
        }
        return shell.script(for: root)
    }

    /// The script of this shell, without a closing line break.
    func script(for root: CommandSpecification) -> String {
        switch self {
        case .zsh: Self.zsh(root)
        case .bash: Self.bash(root)
        case .fish: Self.fish(root)
        }
    }

    /// The options with the two that every command has.
    static func options(of command: CommandSpecification, below root: CommandSpecification) -> [ArgumentSpecification] {
        command.options + (root.version.isEmpty ? [] : [.flag("version", help: "Show the version.")])
            + [.flag("help", short: "h", help: "Show help information.")]
    }

    /// The words to offer as a value.
    static func words(for argument: ArgumentSpecification) -> [String] {
        switch argument.values {
        case .choice(let choices): choices
        case .automaticNumber: ["auto"]
        default: argument.suggestions
        }
    }
}
