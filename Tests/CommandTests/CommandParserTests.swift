import Testing

@testable import crawl

@Suite struct CommandParserTests {
    /// A command line and what is read from it, `name=value` for options and `name` for flags.
    struct Case: CustomTestStringConvertible, Sendable {
        let line: String
        let command: String
        let values: [String]
        var testDescription: String { line.isEmpty ? "nothing" : line }

        init(_ line: String, _ command: String, _ values: String...) {
            self.line = line
            self.command = command
            self.values = values
        }
    }

    @Test(arguments: [
        Case("", "", "source=users", "db=output/crawl.db"),
        Case("--count 50", "", "count=50"),
        Case("--count=50", "", "count=50"),
        Case("--count 5 --count 7", "", "count=7"),
        Case("--count +5", "", "count=+5"),
        Case("-q --count 3", "", "quiet", "count=3"),
        Case("--db -", "", "db=-"),
        Case("--db=-x", "", "db=-x"),
        Case("--db=", "", "db=output/crawl.db"),
        Case("--endpoint users=http://a/?b=c", "", "endpoint=users=http://a/?b=c"),
        Case("export users", "export", "name=users", "format=csv"),
        Case("export -o - users", "export", "name=users", "output=-"),
        Case("export users -ofile.csv", "export", "output=file.csv"),
        Case("export users -o=file.csv", "export", "output=file.csv"),
        Case("export --format tsv users --excel", "export", "format=tsv", "name=users", "excel"),
        Case("export -- --users", "export", "name=--users"),
        Case("export -5", "export", "name=-5"),
        Case("--db other.db export users", "export", "db=other.db", "name=users"),
        Case("--json status", "status", "json"),
        Case("resume -v --max-wait 10m", "resume", "verbose", "max-wait=10m"),
        Case("--source export", "", "source=export"),
    ])
    func reads(_ example: Case) throws {
        // An empty value is refused only where it could be meant.
        if example.line == "--db=" {
            #expect(throws: UsageError.self) { try parseCommand(example.line) }
            return
        }
        let parsed = try parseCommand(example.line)
        #expect(parsed.name == example.command)
        for value in example.values {
            let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
            if parts.count == 1 {
                #expect(parsed.flag(parts[0]))
            } else {
                #expect(parsed.text(parts[0]) == parts[1])
            }
        }
    }

    @Test func typedValues() throws {
        let parsed = try parseCommand(
            "--count 9223372036854775807 --page-size auto --concurrency 4 --timeout 1.5m --max-wait 500ms"
                + " --endpoint users=http://a --endpoint users=http://b --endpoint quotes.crumb=http://c")
        #expect(parsed.wholeNumber("count") == .max)
        #expect(parsed.automaticNumber("page-size") == nil)
        #expect(parsed.automaticNumber("concurrency") == 4)
        #expect(parsed.duration("timeout") == .seconds(90))
        #expect(parsed.duration("max-wait") == .milliseconds(500))
        #expect(parsed.wholeNumber("retries") == 3)
        #expect(parsed.assignments("endpoint") == ["users": "http://b", "quotes.crumb": "http://c"])
        #expect(!parsed.isGiven("retries"))
        #expect(parsed.isGiven("count"))
        #expect(try parseCommand("export users --columns uid,email").list("columns") == ["uid", "email"])
        #expect(try parseCommand("").wholeNumber("count") == nil)
    }

    @Test func environmentStandsBehindTheCommandLine() throws {
        let environment = [
            "CRAWL_DB": "other.db", "CRAWL_ENDPOINT_QUOTES_COOKIE": "http://cookie",
            "CRAWL_ENDPOINT_USERS": "http://environment",
        ]
        let plain = try parseCommand("", environment: environment)
        #expect(plain.text("db") == "other.db")
        #expect(plain.isGiven("db"))
        #expect(plain.assignment("endpoint", for: "quotes.cookie") == "http://cookie")
        #expect(plain.assignment("endpoint", for: "posts") == nil)
        let given = try parseCommand("--db mine.db --endpoint users=http://given", environment: environment)
        #expect(given.text("db") == "mine.db")
        #expect(given.assignment("endpoint", for: "users") == "http://given")
        #expect(try parseCommand("", environment: ["CRAWL_DB": ""]).text("db") == "output/crawl.db")
    }

    @Test(arguments: ["--version", "--version --count 5", "export --version", "--count 5 --version"])
    func version(_ line: String) throws {
        #expect(try parseText(line) == "1.2.3")
    }
}
