import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Usage", .fewAtOnce)
struct UsageTests {
    struct Wrong: Sendable, CustomTestStringConvertible {
        var line: String
        var says: String
        /// The command whose usage is shown.
        var command = "crawl"
        var environment: [String: String] = [:]
        var testDescription: String { line + environment.map { " \($0)=\($1)" }.joined() }
    }

    static let wrong = [
        Wrong(
            line: "--count 0",
            says: "The value '0' is invalid for '--count <count>': --count must be a whole number from 1"),
        Wrong(
            line: "--count -1", says: "The value '-1' is invalid for '--count <count>': --count must be a whole number"),
        Wrong(line: "--count many", says: "The value 'many' is invalid for '--count <count>'"),
        Wrong(line: "--count 1.5", says: "The value '1.5' is invalid for '--count <count>'"),
        Wrong(
            line: "--count 9223372036854775808", says: "--count must be a whole number from 1 to 9223372036854775807"),
        Wrong(line: "--count 99999999999999999999999", says: "--count must be a whole number from 1 to"),
        Wrong(line: "--count", says: "Missing value for '--count <count>'"),
        Wrong(line: "--count=", says: "is invalid for '--count <count>'"),
        Wrong(line: "--cuont 50", says: "Unknown option '--cuont'. Did you mean '--count'?"),
        Wrong(line: "--page-szie 5", says: "Unknown option '--page-szie'. Did you mean '--page-size'?"),
        Wrong(line: "--bogus", says: "Unknown option '--bogus'"),
        Wrong(line: "-z", says: "Unknown option '-z'"),
        Wrong(line: "exprot users", says: "Unexpected argument 'exprot'. Did you mean 'export'?"),
        Wrong(line: "stauts", says: "Unexpected argument 'stauts'. Did you mean 'status'?"),
        Wrong(line: "resmue", says: "Unexpected argument 'resmue'. Did you mean 'resume'?"),
        Wrong(line: "verfiy", says: "Did you mean 'verify'?"),
        Wrong(line: "50", says: "Unexpected argument '50'"),
        Wrong(line: "one two three", says: "3 unexpected arguments: 'one', 'two', 'three'"),
        Wrong(line: "--page-size 0", says: "--page-size"),
        Wrong(line: "--page-size big", says: "The value 'big' is invalid for '--page-size <n|auto>'"),
        Wrong(line: "--concurrency 0", says: "--concurrency must be a whole number from 1 to 64, or auto"),
        Wrong(line: "--concurrency 65", says: "--concurrency must be a whole number from 1 to 64, or auto"),
        Wrong(line: "--retries -1", says: "--retries must be a whole number from 0"),
        Wrong(line: "--timeout 0", says: "--timeout must be from"),
        Wrong(line: "--timeout soon", says: "The value 'soon' is invalid for '--timeout <time>'"),
        Wrong(line: "--max-wait -1", says: "--max-wait must be from 0s"),
        Wrong(line: "--rate fast", says: "The rate 'fast' cannot be read"),
        Wrong(line: "--rate 0/s", says: "The rate '0/s' cannot be read"),
        Wrong(line: "--rate 5/d", says: "The rate '5/d' cannot be read"),
        Wrong(line: "--endpoint http://127.0.0.1/", says: "--endpoint must have the form NAME=VALUE"),
        Wrong(line: "--endpoint users=", says: "--endpoint must have the form NAME=VALUE"),
        Wrong(line: "--endpoint user=http://127.0.0.1/", says: "Did you mean 'users'?"),
        Wrong(line: "--endpoint users=ftp://127.0.0.1/", says: "no http or https address"),
        Wrong(line: "--endpoint users=http://127.0.0.1:99999/", says: "no http or https address"),
        Wrong(line: "--endpoint users=http://", says: "no http or https address"),
        Wrong(line: "--endpoint users=http://[::1", says: "no http or https address"),
        Wrong(line: "--endpoint users=127.0.0.1", says: "no http or https address"),
        Wrong(
            line: "--count 5", says: "no http or https address", environment: ["CRAWL_ENDPOINT_USERS": "file:///etc"]),
        Wrong(line: "--source usres", says: "There is no source 'usres'. Did you mean 'users'?"),
        Wrong(line: "--offline --live", says: "'--live' had already been set with flag '--offline'"),
        Wrong(line: "--quiet --verbose", says: "'--verbose' had already been set with flag '--quiet'"),
        Wrong(line: "-qv", says: "had already been set with flag"),
        Wrong(line: "--offline --endpoint users=http://127.0.0.1/", says: "--offline and --endpoint"),
        Wrong(line: "--quiet=yes", says: "The option '--quiet' does not take any value, but 'yes' was specified."),
        Wrong(line: "--color blue", says: "'auto', 'always' or 'never'"),
        Wrong(line: "--db", says: "Missing value for '--db <path>'"),
        Wrong(line: "export", says: "Missing expected argument '<name>'", command: "crawl export"),
        Wrong(line: "export users posts", says: "Unexpected argument 'posts'", command: "crawl export"),
        Wrong(line: "export users --foramt csv", says: "Did you mean '--format'?", command: "crawl export"),
        Wrong(line: "export users --columns a,,b", says: "--columns", command: "crawl export"),
        Wrong(line: "status --count 5", says: "Unknown option '--count'", command: "crawl status"),
        Wrong(line: "status --jsno", says: "Unknown option '--jsno'. Did you mean '--json'?", command: "crawl status"),
        Wrong(line: "verify now", says: "Unexpected argument 'now'", command: "crawl verify"),
        Wrong(line: "resume --fresh", says: "Unknown option '--fresh'", command: "crawl resume"),
        Wrong(line: "resume users", says: "Unexpected argument 'users'", command: "crawl resume"),
        Wrong(line: "help exprot", says: "Did you mean 'export'?"),
    ]

    @Test("mistakes end with exit 64, the usage and a suggestion; nothing is made or asked", arguments: wrong)
    func mistake(_ wrong: Wrong) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            wrong.line.split(separator: " ").map(String.init), environment: wrong.environment.mapValues { $0 })
        #expect(result.exitCode == 64, "\(result)")
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("Error: "), "\(result)")
        #expect(result.errors.contains(wrong.says), "the error does not say '\(wrong.says)': \(result)")
        #expect(result.errors.contains("\nUsage: \(wrong.command) "), "\(result)")
        #expect(result.errors.hasSuffix("See '\(wrong.command) --help' for more information.\n"), "\(result)")
        #expect(scene.requests.isEmpty)
        #expect(scene.names(in: "") == [])
    }

    @Test("--version prints the version alone")
    func version() async throws {
        let result = try await Scene().crawl("--version")
        #expect(result.exitCode == 0)
        #expect(result.output.wholeMatch(of: #/\d+\.\d+\.\d+\n/#) != nil, "\(result)")
        #expect(result.errors == "")
    }

    @Test(
        "help goes to stdout, whatever the way to ask for it",
        arguments: ["--help", "-h", "help", "export --help", "help export", "status -h", "--count x --help"])
    func help(_ line: String) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(line.split(separator: " ").map(String.init))
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.errors == "")
        #expect(result.output.hasPrefix("OVERVIEW: "))
        #expect(result.output.contains("\nUSAGE: crawl") && result.output.contains("\nOPTIONS:") || line == "x")
        #expect(scene.names(in: "") == [])
    }

    @Test("the help of every command is there, and names the common options")
    func everyHelp() async throws {
        let scene = try Scene()
        let root = try await scene.crawl("--help").output
        for option in ["--count", "--offline", "--live", "--endpoint", "--fresh", "--json", "--quiet", "--csv", "--db"]
        {
            #expect(root.contains("  \(option)") || root.contains(", \(option)"), "\(option)")
        }
        for command in ["resume", "export", "status", "verify", "mock-api"] {
            #expect(root.contains("\n  \(command) "), "\(command)")
            #expect(try await scene.crawl(command, "--help").output.contains("\nUSAGE: crawl \(command)"))
        }
    }

    @Test(
        "completion scripts are printed for three shells, and for no other", arguments: ["bash", "zsh", "fish", "csh"])
    func completions(_ shell: String) async throws {
        let result = try await Scene().crawl("--generate-completion-script", shell)
        #expect(result.exitCode == (shell == "csh" ? 64 : 0), "\(result)")
        if shell != "csh" {
            #expect(result.output.contains("mock-api") && result.output.contains("page-size"))
        }
    }

    @Test(
        "values may be attached, in every form",
        arguments: ["--count=4", "--count 4", "--db=d.db", "-q", "--max-wait 1.5m"])
    func forms(_ line: String) async throws {
        let scene = try Scene()
        let words = line.split(separator: " ").map(String.init)
        let result = try await scene.crawl(words + (line.contains("count") ? [] : ["--count", "4"]))
        #expect(result.exitCode == 0, "\(result)")
        let database = scene.folder.file(line.contains("db") ? "d.db" : "output/crawl.db")
        #expect(try await scene.query("SELECT count(*) FROM users", database: database) == "4")
    }
}
