import CrawlCore

/// Reads a command line by its specification, with the behaviour and the wording of swift-argument-parser.
///
/// Options may stand before or after positional arguments. What stands before the name of a subcommand is read by the
/// root's specification and goes to the subcommand where that declares it too.
struct CommandParser {
    /// What a command line asks for.
    enum Outcome: Sendable {
        /// A command to run.
        case command(ParsedCommand)
        /// A text for standard output: help, version or a completion script.
        case text(String)
    }

    /// The subcommand that every root with subcommands has.
    static let helpCommand = CommandSpecification(name: "help", abstract: "Show subcommand help information.")

    private let root: CommandSpecification
    private let environment: [String: String]
    private let columns: Int

    /// One use of a flag or option.
    private struct Occurrence {
        let argument: ArgumentSpecification
        let spelling: String
        let value: String
        /// How messages quote a flag: `'--live'`, or `'q' in '-qv'`.
        let quoted: String
    }

    private var command: CommandSpecification
    private var path: [String]
    private var occurrences: [Occurrence] = []
    private var positionals: [String] = []
    private var words: ArraySlice<String>
    /// The first word that is wrong; reported at the end, so that a request for help goes first.
    private var failure: UsageError?
    private var wantsHelp = false
    private var wantsVersion = false

    /// Reads a command line.
    ///
    /// - Parameters:
    ///   - arguments: The words after the program's name.
    ///   - columns: The width for help texts.
    /// - Throws: `UsageError`, exit code 64.
    static func parse(
        _ arguments: [String], as root: CommandSpecification, environment: [String: String] = [:], columns: Int = 80
    ) throws(UsageError) -> Outcome {
        if let request = try CompletionScript.request(in: arguments, of: root, environment: environment) {
            return .text(request)
        }
        var parser = CommandParser(root: root, environment: environment, columns: columns, words: arguments[...])
        return try parser.outcome()
    }

    private init(
        root: CommandSpecification, environment: [String: String], columns: Int, words: ArraySlice<String>
    ) {
        self.root = root
        self.environment = environment
        self.columns = columns
        self.words = words
        command = root
        path = [root.name]
    }

    private mutating func outcome() throws(UsageError) -> Outcome {
        var isTerminated = false
        while let word = words.popFirst() {
            if isTerminated || Self.isValue(word) {
                if !isTerminated, descend(into: word) { continue }
                positionals.append(word)
            } else if word == "--" {
                isTerminated = true
            } else if word.hasPrefix("---") {
                fail("Invalid option: \(word)")
            } else if word.hasPrefix("--") {
                readLong(word)
            } else {
                readShort(word)
            }
        }
        if command.name == Self.helpCommand.name, path.count > 1 {
            return .text(try helpAskedFor())
        }
        if wantsHelp {
            return .text(help(for: command, path: path))
        }
        if wantsVersion {
            return .text(root.version)
        }
        return .command(try parsedCommand())
    }

    /// Whether a word is a value and no option: a single dash and negative numbers are.
    static func isValue(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return true }
        let rest = word.dropFirst()
        return rest.first.map { $0.isASCII && ($0.isNumber || $0 == ".") } == true && Double(rest) != nil
    }

    private mutating func descend(into word: String) -> Bool {
        guard positionals.isEmpty, !command.subcommands.isEmpty else { return false }
        guard let next = command.subcommand(named: word) ?? (word == "help" ? Self.helpCommand : nil) else {
            return false
        }
        command = next
        path.append(word)
        return true
    }
}

// MARK: Options
extension CommandParser {
    private mutating func readLong(_ word: String) {
        let name = String(word.prefix { $0 != "=" })
        let attached = name.endIndex < word.endIndex ? String(word[word.index(after: name.endIndex)...]) : nil
        if name == "--help" || name == "--version" {
            guard attached == nil else { return failUnexpectedValue(attached ?? "", of: name) }
            if name == "--help" { wantsHelp = true } else { wantsVersion = true }
            return
        }
        guard let argument = command.option(spelled: name) else { return failUnknown(name) }
        read(argument, spelled: name, attached: attached, quoted: "'\(name)'")
    }

    /// Reads `-n value`, `-nvalue`, `-n=value` or flags together, `-qv`.
    private mutating func readShort(_ word: String) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let name = "-\(letter)"
            if letter == "h" {
                wantsHelp = true
                continue
            }
            guard let argument = command.option(spelled: name) else { return failUnknown(name) }
            if letters.first == "=" {
                return read(argument, spelled: name, attached: String(letters.dropFirst()), quoted: "'\(name)'")
            }
            if argument.kind == .option {
                return read(
                    argument, spelled: name, attached: letters.isEmpty ? nil : String(letters), quoted: "'\(name)'")
            }
            let quoted = word.count > 2 ? "'\(letter)' in '\(word)'" : "'\(name)'"
            read(argument, spelled: name, attached: nil, quoted: quoted)
        }
    }

    private mutating func read(
        _ argument: ArgumentSpecification, spelled name: String, attached: String?, quoted: String
    ) {
        var value = attached
        if argument.kind == .flag {
            guard attached == nil else { return failUnexpectedValue(attached ?? "", of: name) }
            value = name
        } else if value == nil, let next = words.first, Self.isValue(next) {
            value = words.popFirst()
        }
        guard let value else {
            let help = ParsedCommand.help(for: argument, spelled: name)
            return fail("Missing value for '\(argument.spelled(name))'", help: help)
        }
        occurrences.append(Occurrence(argument: argument, spelling: name, value: value, quoted: quoted))
    }

    private mutating func failUnknown(_ name: String) {
        let candidates = command.options.map { "--\($0.name)" } + ["--help", "--version"]
        let isLong = name.hasPrefix("--")
        let suggestion = isLong ? NearMiss.suggestion(for: name, among: candidates) : nil
        fail("Unknown option '\(name)'" + (suggestion.map { ". Did you mean '\($0)'?" } ?? ""))
    }

    private mutating func failUnexpectedValue(_ value: String, of name: String) {
        fail("The option '\(name)' does not take any value, but '\(value)' was specified.")
    }

    private mutating func fail(_ message: String, help: String? = nil) {
        failure = failure ?? error(message, help: help)
    }

    private func error(_ message: String, help: String? = nil) -> UsageError {
        UsageError(message, usage: UsageGenerator(command: command, path: path).errorUsage, help: help)
    }
}

// MARK: The whole line
extension CommandParser {
    private func parsedCommand() throws(UsageError) -> ParsedCommand {
        if let failure { throw failure }
        var given: [String: [String]] = [:]
        for occurrence in occurrences {
            guard let argument = command.option(spelled: occurrence.spelling) else {
                throw error("Unknown option '\(occurrence.spelling)'")
            }
            try check(occurrence.value, of: argument, spelled: occurrence.spelling)
            given[argument.name, default: []].append(occurrence.value)
        }
        try checkExclusiveFlags()
        try checkEnvironment(given)
        try assignPositionals(&given)
        return ParsedCommand(command: command, path: path, given: given, environment: environment)
    }

    private func check(
        _ value: String, of argument: ArgumentSpecification, spelled spelling: String
    ) throws(UsageError) {
        guard argument.kind != .flag else { return }
        let fault: ValueKind.Fault
        do {
            return try argument.values.check(value)
        } catch {
            fault = error
        }
        var message = "The value '\(value)' is invalid for '\(argument.spelled(spelling))'"
        switch fault {
        case .form: message += argument.values.invitation
        case .rule(let rule): message += ": \(spelling) \(rule)"
        }
        throw error(message, help: ParsedCommand.help(for: argument, spelled: spelling))
    }

    private func checkExclusiveFlags() throws(UsageError) {
        for group in command.exclusiveFlags {
            let uses = occurrences.filter { group.contains($0.argument.name) }
            guard let first = uses.first, let other = uses.first(where: { $0.argument.name != first.argument.name })
            else { continue }
            throw error(
                "Value to be set with flag \(other.quoted) had already been set with flag \(first.quoted)")
        }
    }

    private func checkEnvironment(_ given: [String: [String]]) throws(UsageError) {
        for argument in command.arguments where given[argument.name] == nil {
            guard case .variable(let variable) = argument.environment, let value = environment[variable],
                !value.isEmpty
            else { continue }
            try check(value, of: argument, spelled: variable)
        }
    }

    private func assignPositionals(_ given: inout [String: [String]]) throws(UsageError) {
        var values = positionals[...]
        for argument in command.positionals {
            let own = argument.isRepeating ? values : values.prefix(1)
            values = values.dropFirst(own.count)
            if own.isEmpty, !argument.isOptional {
                throw error(
                    "Missing expected argument '\(argument.synopsis)'", help: ParsedCommand.help(for: argument))
            }
            for value in own {
                try check(value, of: argument, spelled: argument.preferredSpelling)
                given[argument.name, default: []].append(value)
            }
        }
        guard let first = values.first else { return }
        if !command.subcommands.isEmpty,
            let suggestion = NearMiss.suggestion(for: first, among: command.subcommands.map(\.name) + ["help"])
        {
            throw error("Unexpected argument '\(first)'. Did you mean '\(suggestion)'?")
        }
        if values.count == 1 {
            throw error("Unexpected argument '\(first)'")
        }
        throw error("\(values.count) unexpected arguments: '\(values.joined(separator: "', '"))'")
    }

    private func helpAskedFor() throws(UsageError) -> String {
        if let failure, !wantsHelp { throw failure }
        var command = root
        var path = [root.name]
        for name in positionals {
            guard let next = command.subcommand(named: name) else {
                let suggestion = NearMiss.suggestion(for: name, among: command.subcommands.map(\.name))
                throw UsageError(
                    "Unexpected argument '\(name)'" + (suggestion.map { ". Did you mean '\($0)'?" } ?? ""),
                    usage: UsageGenerator(command: command, path: path).errorUsage)
            }
            command = next
            path.append(name)
        }
        return help(for: command, path: path)
    }

    private func help(for command: CommandSpecification, path: [String]) -> String {
        HelpGenerator(command: command, path: path, hasVersion: !root.version.isEmpty).text(columns: columns)
    }
}
