/// A command line that was understood: the command and the values of its arguments.
///
/// Every value has been checked against its specification, so that reading one cannot fail. Asking for a name that
/// the command does not declare, or with the wrong type, is a programming error and stops the program.
struct ParsedCommand: Sendable {
    /// The command to run; the root where no subcommand was named.
    let command: CommandSpecification
    /// The names from the program's to the command's.
    let path: [String]
    /// The texts given on the command line, by argument name, in order; a flag's are its spellings.
    let given: [String: [String]]
    /// The environment.
    let environment: [String: String]

    /// The command's name, empty for the root.
    var name: String {
        path.dropFirst().last ?? ""
    }

    /// Whether the command line or the environment gives a value.
    func isGiven(_ name: String) -> Bool {
        given[name] != nil || environmentValue(specification(name)) != nil
    }

    /// Whether the command has an argument of that name.
    func declares(_ name: String) -> Bool {
        command.arguments.contains { $0.name == name }
    }

    /// Whether a flag is set.
    func flag(_ name: String) -> Bool {
        precondition(specification(name).kind == .flag, "\(name) is no flag")
        return given[name] != nil
    }

    /// The value of a text, file or choice: the last one given, else the environment's, else the default.
    func text(_ name: String) -> String? {
        let argument = specification(name)
        precondition(argument.kind != .flag, "\(name) is a flag")
        return given[name]?.last ?? environmentValue(argument) ?? argument.defaultValue
    }

    /// All values of a repeating argument, in order.
    func texts(_ name: String) -> [String] {
        given[name] ?? text(name).map { [$0] } ?? []
    }

    /// The value of a choice as an enumeration's case.
    func choice<Choice: RawRepresentable<String>>(_ name: String, as type: Choice.Type = Choice.self) -> Choice? {
        text(name).flatMap(Choice.init(rawValue:))
    }

    /// The value of a whole number.
    func wholeNumber(_ name: String) -> Int? {
        guard case .wholeNumber(let bounds) = specification(name).values else {
            preconditionFailure("\(name) is no whole number")
        }
        return text(name).flatMap { try? ValueKind.wholeNumber($0, in: bounds) }
    }

    /// The value of a whole number that may be left to the program; nil for `auto`.
    func automaticNumber(_ name: String) -> Int? {
        guard case .automaticNumber(let bounds) = specification(name).values else {
            preconditionFailure("\(name) is no number that may be auto")
        }
        return text(name).flatMap { try? ValueKind.wholeNumber($0, in: bounds) }
    }

    /// The value of a duration.
    func duration(_ name: String) -> Duration? {
        guard case .duration(let bounds) = specification(name).values else {
            preconditionFailure("\(name) is no duration")
        }
        return text(name).flatMap { try? ValueKind.duration($0, in: bounds) }
    }

    /// The words of a list, nil where none is given.
    func list(_ name: String) -> [String]? {
        text(name).map(ValueKind.list)
    }

    /// All `NAME=VALUE` given on the command line; the last one of a name wins.
    func assignments(_ name: String) -> [String: String] {
        var values: [String: String] = [:]
        for text in given[name] ?? [] {
            if let (key, value) = try? ValueKind.assignment(text) {
                values[key] = value
            }
        }
        return values
    }

    /// The value for one key of a `NAME=VALUE` option: the command line's, else the environment's.
    ///
    /// For the prefix `CRAWL_ENDPOINT_` the key `quotes.cookie` is looked up as `CRAWL_ENDPOINT_QUOTES_COOKIE`.
    func assignment(_ name: String, for key: String) -> String? {
        if let value = assignments(name)[key] { return value }
        guard case .prefix(let prefix) = specification(name).environment else { return nil }
        let variable = prefix + String(key.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// An error about this command line, with the command's usage.
    ///
    /// - Parameter argument: The name of the argument in question, to repeat its help.
    func usageError(_ message: String, about argument: String? = nil) -> UsageError {
        UsageError(
            message, usage: UsageGenerator(command: command, path: path).errorUsage,
            help: argument.map { Self.help(for: specification($0)) })
    }

    /// The line that repeats an argument's help below an error.
    static func help(for argument: ArgumentSpecification, spelled spelling: String? = nil) -> String {
        "\(argument.spelled(spelling ?? argument.preferredSpelling))  \(argument.help)"
    }

    private func environmentValue(_ argument: ArgumentSpecification) -> String? {
        guard case .variable(let variable) = argument.environment else { return nil }
        return environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }

    private func specification(_ name: String) -> ArgumentSpecification {
        guard let argument = command.arguments.first(where: { $0.name == name }) else {
            preconditionFailure("\(command.name) declares no argument \(name)")
        }
        return argument
    }
}
