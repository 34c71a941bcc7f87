import Foundation
import Testing

@testable import crawl

/// The command line that the tests read, with two kinds of faults whatever the stand-in knows.
let specification = CommandSpecification.crawl(version: "1.2.3", faultKinds: ["503", "truncated"])

/// Reads a command line written as in a shell, words separated by one blank.
func parse(_ line: String, environment: [String: String] = [:]) throws(UsageError) -> CommandParser.Outcome {
    let words = line.split(separator: " ").map(String.init)
    return try CommandParser.parse(words, as: specification, environment: environment)
}

/// Reads a command line that names a command.
func parseCommand(_ line: String, environment: [String: String] = [:]) throws -> ParsedCommand {
    guard case .command(let command) = try parse(line, environment: environment) else {
        throw TestFailure("\(line) is no command")
    }
    return command
}

/// Reads a command line that asks for a text.
func parseText(_ line: String, environment: [String: String] = [:]) throws -> String {
    guard case .text(let text) = try parse(line, environment: environment) else {
        throw TestFailure("\(line) asks for no text")
    }
    return text
}

struct TestFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Compares a text with a file of the `Snapshots` folder; with `CRAWL_WRITE_SNAPSHOTS=1` the file is written instead.
func expectSnapshot(_ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Snapshots/\(name)")
    if ProcessInfo.processInfo.environment["CRAWL_WRITE_SNAPSHOTS"] == "1" {
        try Data((text + "\n").utf8).write(to: file)
        return
    }
    let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    #expect(text + "\n" == expected, "\(name) differs", sourceLocation: sourceLocation)
}
