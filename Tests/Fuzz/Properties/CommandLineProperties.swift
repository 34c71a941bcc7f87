import CrawlCore
import CrawlKit
import StandInAPI

@testable import crawl

/// Command lines, a word a line; leading words `CRAWL_…=…` and `SHELL=…` are the environment.
enum CommandLineProperties {
    private static let root = CommandSpecification.crawl(
        version: "1.2.3", faultKinds: FaultKind.allCases.map(\.rawValue))
    private static let users = try? BuiltInSources.source(named: "users")

    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let settings = lines.prefix { ($0.hasPrefix("CRAWL_") || $0.hasPrefix("SHELL=")) && $0.contains("=") }
        let environment = Dictionary(
            settings.map { line in
                let name = line.prefix { $0 != "=" }
                return (String(name), String(line[name.endIndex...].dropFirst()))
            }
        ) { $1 }
        let words = Array(lines.dropFirst(settings.count))
        let columns = 20 + Int(bytes.last ?? 0)
        do {
            switch try CommandParser.parse(words, as: root, environment: environment, columns: columns) {
            case .text(let text): try require(!text.isEmpty, "an empty text")
            case .command(let command):
                try require(command.path.first == root.name, "the path is \(command.path)")
                for argument in command.command.arguments { try read(argument, of: command) }
                try checkMeaning(of: command)
            }
        } catch let error as UsageError {
            try require(!error.message.isEmpty && error.text.hasPrefix("Error: "), "the message is \(error.text)")
            try require(error.exitCode == .usage, "exit code \(error.exitCode.rawValue)")
        } catch let error as BrokenProperty {
            throw error
        } catch {
            throw BrokenProperty(description: "a command line ends with \(error)")
        }
        try require(CommandText.line(words).hasPrefix("crawl"), "the line is \(CommandText.line(words))")
    }

    /// Every value that the parser let through can be read as what it is declared to be.
    private static func read(_ argument: ArgumentSpecification, of command: ParsedCommand) throws(BrokenProperty) {
        let name = argument.name
        guard argument.kind != .flag else {
            return try require(command.flag(name) == command.isGiven(name), "--\(name) is given and not set")
        }
        let isGiven = command.isGiven(name)
        try require(!isGiven || command.text(name) != nil, "\(name) is given and has no text")
        try require(command.texts(name).count >= (isGiven ? 1 : 0), "\(name) is given and has no texts")
        let isReadable =
            switch argument.values {
            case .text, .choice: true
            case .file: command.text(name)?.isEmpty != true
            case .wholeNumber: command.wholeNumber(name) != nil
            case .automaticNumber: command.text(name) == "auto" || command.automaticNumber(name) != nil
            case .duration: command.duration(name) != nil
            case .list: command.list(name)?.isEmpty == false
            case .assignment: !command.assignments(name).isEmpty || command.given[name] == nil
            }
        try require(!isGiven || isReadable, "\(name) is given as \(command.text(name) ?? "nothing") and cannot be read")
    }

    /// What is made of the values either works or is refused with a usage error.
    private static func checkMeaning(of command: ParsedCommand) throws {
        if command.name.isEmpty, let users {
            let options = try command.crawlOptions(for: users)
            try require((options.count ?? 1) > 0, "a count of \(options.count ?? 0)")
        }
        if command.name == "mock-api" {
            for text in command.texts("fault") {
                guard let fault = try? Fault(parsing: text) else { continue }
                try require((try? Fault(parsing: fault.text)) == fault, "\(text) is written as \(fault.text)")
            }
        }
    }
}
