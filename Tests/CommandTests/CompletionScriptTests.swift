import Foundation
import TestSupport
import Testing

@testable import crawl

@Suite struct CompletionScriptTests {
    @Test(arguments: CompletionScript.allCases)
    func snapshot(_ shell: CompletionScript) throws {
        try expectSnapshot(
            try parseText("--generate-completion-script \(shell.rawValue)"), "completion.\(shell.rawValue)")
    }

    @Test func shellIsDetected() throws {
        let detected = try parseText("--generate-completion-script", environment: ["SHELL": "/bin/bash"])
        #expect(detected == (try parseText("--generate-completion-script=bash")))
    }

    @Test(arguments: CompletionScript.allCases)
    func syntax(_ shell: CompletionScript) throws {
        guard let output = try run(shell.rawValue, ["-n"], script: parseText("--generate-completion-script \(shell)"))
        else { return }
        #expect(output == "")
    }

    struct Case: CustomTestStringConvertible, Sendable {
        /// The line as bash cuts it into words, the cursor at the end of the last one.
        let words: [String]
        let offers: [String]
        var testDescription: String { words.joined(separator: " ") }

        init(_ words: [String], _ offers: [String]) {
            self.words = words
            self.offers = offers
        }
    }

    @Test(arguments: [
        Case(["crawl", "ex"], ["export"]),
        Case(
            ["crawl", ""],
            ["export", "help", "list", "load", "mock-api", "probe", "resume", "sources", "status", "verify", "watch"]),
        Case(["crawl", "--cou"], ["--count"]),
        Case(["crawl", "--count", ""], []),
        Case(["crawl", "--count", "5", "st"], ["status"]),
        Case(["crawl", "--color", ""], ["always", "auto", "never"]),
        Case(["crawl", "--color", "="], ["always", "auto", "never"]),
        Case(["crawl", "--color", "=", "a"], ["always", "auto"]),
        Case(["crawl", "--color", "=", "auto", "--liv"], ["--live"]),
        Case(["crawl", "--page-size", ""], ["auto"]),
        Case(["crawl", "export", ""], ["users"]),
        Case(["crawl", "export", "users", "--form"], ["--format"]),
        Case(["crawl", "export", "--format", "js"], ["json"]),
        Case(["crawl", "--source", ""], ["a file.csv", "users"]),
        Case(["crawl", "export", "users", "-o", "a"], ["a file.csv"]),
        Case(["crawl", "--db", "export", "re"], ["resume"]),
        Case(["crawl", "help", "v"], ["verify"]),
        Case(["crawl", "status", "--"], ["--db", "--help", "--json", "--version"]),
    ])
    func bashOffers(_ example: Case) throws {
        let folder = try TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder.file("a file.csv")))
        let words = example.words.map { "'\($0)'" }.joined(separator: " ")
        let script =
            try parseText("--generate-completion-script bash") + """

                cd '\(folder.path)'
                COMP_WORDS=(\(words))
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _crawl crawl "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                complete -p crawl
                """
        let output = try #require(try run("bash", [], script: script))
        var lines = output.split(separator: "\n").map(String.init)
        #expect(lines.popLast() == "complete -F _crawl crawl")
        #expect(lines.sorted() == example.offers)
    }

    @Test(arguments: [
        Case(["crawl ex"], ["export"]),
        Case(["crawl --color a"], ["always", "auto"]),
        Case(["crawl --count 5 st"], ["status"]),
        Case(["crawl export --format js"], ["json"]),
        Case(["crawl export us"], ["users"]),
        Case(["crawl status --js"], ["--json"]),
    ])
    func fishOffers(_ example: Case) throws {
        let script = try parseText("--generate-completion-script fish") + "\ncomplete -C '\(example.words[0])'\n"
        guard let output = try run("fish", [], script: script) else { return }
        let offers = output.split(separator: "\n").map { $0.split(separator: "\t")[0] }.map(String.init)
        #expect(offers.sorted() == example.offers)
    }

    /// Runs a script in a shell; nil where the machine lacks the shell.
    private func run(_ shell: String, _ arguments: [String], script: String) throws -> String? {
        let candidates = ["/bin/\(shell)", "/usr/bin/\(shell)", "/usr/local/bin/\(shell)"]
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            return nil
        }
        let folder = try TemporaryFolder()
        let file = folder.file("script")
        try Data((script + "\n").utf8).write(to: URL(fileURLWithPath: file))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments + [file]
        process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }
}
