import CrawlCore
import Testing

@testable import crawl

@Suite struct UsageErrorTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let line: String
        let message: String
        var testDescription: String { line }

        init(_ line: String, _ message: String) {
            self.line = line
            self.message = message
        }
    }

    @Test(arguments: [
        Case("--cuont 50", "Unknown option '--cuont'. Did you mean '--count'?"),
        Case("--cout=50", "Unknown option '--cout'. Did you mean '--count'?"),
        Case("--exotic", "Unknown option '--exotic'"),
        Case("--versoin", "Unknown option '--versoin'. Did you mean '--version'?"),
        Case("-x", "Unknown option '-x'"),
        Case("-qx", "Unknown option '-x'"),
        Case("--cuont 50 export users", "Unknown option '--cuont'. Did you mean '--count'?"),
        Case("--count 5 export users", "Unknown option '--count'"),
        Case("export users --formt csv", "Unknown option '--formt'. Did you mean '--format'?"),
        Case("---count", "Invalid option: ---count"),
        Case("--count", "Missing value for '--count <count>'"),
        Case("--count --quiet", "Missing value for '--count <count>'"),
        Case("--count -- 5", "Missing value for '--count <count>'"),
        Case("export users -o", "Missing value for '-o <file>'"),
        Case("--quiet=yes", "The option '--quiet' does not take any value, but 'yes' was specified."),
        Case("--help=yes", "The option '--help' does not take any value, but 'yes' was specified."),
        Case("--count abc", "The value 'abc' is invalid for '--count <count>'"),
        Case("--count=", "The value '' is invalid for '--count <count>'"),
        Case("--count 5.5", "The value '5.5' is invalid for '--count <count>'"),
        Case(
            "--count 0",
            "The value '0' is invalid for '--count <count>': --count must be a whole number from 1 to 9223372036854775807"
        ),
        Case(
            "--count -3",
            "The value '-3' is invalid for '--count <count>': --count must be a whole number from 1 to 9223372036854775807"
        ),
        Case(
            "--count 99999999999999999999",
            "The value '99999999999999999999' is invalid for '--count <count>': "
                + "--count must be a whole number from 1 to 9223372036854775807"
        ),
        Case("--page-size big", "The value 'big' is invalid for '--page-size <n|auto>'"),
        Case(
            "--concurrency 0",
            "The value '0' is invalid for '--concurrency <n|auto>': "
                + "--concurrency must be a whole number from 1 to 64, or auto"
        ),
        Case("--timeout soon", "The value 'soon' is invalid for '--timeout <time>'"),
        Case("--timeout 5d", "The value '5d' is invalid for '--timeout <time>'"),
        Case(
            "--timeout 0",
            "The value '0' is invalid for '--timeout <time>': --timeout must be from 1ms to 24h"),
        Case(
            "--max-wait -1",
            "The value '-1' is invalid for '--max-wait <time>': --max-wait must be from 0s to 720h"),
        Case(
            "--endpoint users",
            "The value 'users' is invalid for '--endpoint <name=url>': --endpoint must have the form NAME=VALUE"),
        Case(
            "export users --format xml",
            "The value 'xml' is invalid for '--format <format>'. Please provide one of 'csv', 'tsv', 'json' or 'ndjson'."
        ),
        Case("export", "Missing expected argument '<name>'"),
        Case("export users posts", "Unexpected argument 'posts'"),
        Case("export a b c", "2 unexpected arguments: 'b', 'c'"),
        Case("exprot users", "Unexpected argument 'exprot'. Did you mean 'export'?"),
        Case("--count 5 satus", "Unexpected argument 'satus'. Did you mean 'status'?"),
        Case("users", "Unexpected argument 'users'"),
        Case("50 60", "2 unexpected arguments: '50', '60'"),
        Case("help exprot", "Unexpected argument 'exprot'. Did you mean 'export'?"),
        Case(
            "--offline --live",
            "Value to be set with flag '--live' had already been set with flag '--offline'"),
        Case("-qv", "Value to be set with flag 'v' in '-qv' had already been set with flag 'q' in '-qv'"),
        Case("resume -v --quiet", "Value to be set with flag '--quiet' had already been set with flag '-v'"),
        Case(
            "--generate-completion-script tcsh",
            """
            Can't generate completion scripts for 'tcsh'.
            Please use --generate-completion-script=<shell> with one of:
                zsh bash fish
            """),
        Case(
            "--generate-completion-script",
            """
            Can't autodetect a supported shell.
            Please use --generate-completion-script=<shell> with one of:
                zsh bash fish
            """),
    ])
    func refuses(_ example: Case) throws {
        let error = try #require(throws: UsageError.self) { try parse(example.line) }
        #expect(error.message == example.message)
        #expect(error.exitCode == .usage)
        #expect(error.text.hasPrefix("Error: \(example.message)\n"))
    }

    @Test func rootUsageStandsBelow() throws {
        let error = try #require(throws: UsageError.self) { try parse("--count abc") }
        #expect(
            error.text == """
                Error: The value 'abc' is invalid for '--count <count>'
                Help:  --count <count>  How many distinct records shall be stored.
                Usage: crawl [--count <count>] [--source <source>] [<options>]
                       crawl <subcommand>
                  See 'crawl --help' for more information.
                """)
    }

    @Test func subcommandUsageStandsBelow() throws {
        let error = try #require(throws: UsageError.self) { try parse("export") }
        #expect(
            error.text == """
                Error: Missing expected argument '<name>'
                Help:  <name>  The name of the source.
                Usage: crawl export <name> [--format <format>] [--output <file>] [--columns <columns>] [--excel] [--db <path>]
                  See 'crawl export --help' for more information.
                """)
    }

    @Test func commandsAddTheirOwn() throws {
        let error = try parseCommand("export users").usageError("No column is named 'uidd'", about: "columns")
        #expect(error.text.hasPrefix("Error: No column is named 'uidd'\nHelp:  --columns <columns>  The columns"))
    }
}
