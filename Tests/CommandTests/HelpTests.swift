import Testing

@testable import crawl

@Suite struct HelpTests {
    @Test(arguments: ["", "resume", "load", "list", "export", "status", "verify", "sources", "probe", "mock-api"])
    func snapshot(_ command: String) throws {
        let text = try parseText("help \(command)")
        try expectSnapshot(text, command.isEmpty ? "help.txt" : "help-\(command).txt")
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
    }

    @Test(arguments: [
        ["--help", "-h", "help", "--count 5 --help", "--cuont -h", "--help --version"],
        ["help export", "export --help", "export -h", "export users --help", "help export --help"],
    ])
    func sameTextWhateverTheWay(_ lines: [String]) throws {
        let texts = try lines.map { try parseText($0) }
        #expect(Set(texts).count == 1)
    }

    @Test func helpAsAValueIsNoRequest() throws {
        #expect(try parseCommand("export -- -h").text("name") == "-h")
    }

    @Test(arguments: [1, 26, 27, 40, 60, 200])
    func everyWidth(_ columns: Int) throws {
        let outcome = try CommandParser.parse(["--help"], as: specification, columns: columns)
        guard case .text(let text) = outcome else {
            throw TestFailure("no help")
        }
        #expect(text.contains("distinct"))
        if columns >= 60 {
            let longest = text.split(separator: "\n").filter { !$0.contains("crawl ") }.map(\.count).max()
            #expect(longest ?? 0 <= columns)
        }
    }
}
