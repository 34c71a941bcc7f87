import Testing

@testable import crawl

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain, größe, 東京", "plain, größe, 東京"),
        ("\u{1B}[2Jgone", "\\e[2Jgone"),
        ("\u{1B}]0;title\u{07}", "\\e]0;title\\u{7}"),
        ("a\nb\tc\rd\0", "a\\nb\\tc\\rd\\0"),
        ("\u{9B}31m", "\\u{9b}31m"),
        ("\u{202E}txt.exe", "\\u{202e}txt.exe"),
        ("\u{7F}", "\\u{7f}"),
    ])
    func outsideTextIsMadeVisible(_ text: String, _ expected: String) {
        #expect(SafeText.visible(text) == expected)
    }

    @Test func ownLineBreaksStay() {
        #expect(SafeText.visible("a\nb\u{1B}", keepsLineBreaks: true) == "a\nb\\e")
    }

    @Test(arguments: [
        ("", 0), ("users", 5), ("größe", 5), ("e\u{301}", 1), ("東京", 4), ("한글", 4), ("Ａ", 2), ("👍🏽", 2),
        ("👩‍👩‍👧", 2), ("❤️", 2), ("a\u{200B}b", 2), ("█░·…", 4), ("\u{AD}", 0),
    ])
    func displayWidth(_ text: String, _ columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test(arguments: [
        ("users", 5, "users"), ("users", 4, "use…"), ("users", 1, "…"), ("users", 0, ""), ("users", -3, ""),
        ("東京都", 5, "東京…"), ("東京都", 4, "東…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
    func cut(_ text: String, _ columns: Int, _ expected: String) {
        #expect(DisplayWidth.cut(text, to: columns) == expected)
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (44_100, "44.1 KB"), (999_949, "999.9 KB"), (999_950, "1.0 MB"),
        (1_234_567_890, "1.2 GB"), (Int.max, "9223372.0 TB"),
    ])
    func bytes(_ count: Int, _ expected: String) {
        #expect(Quantity.bytes(count) == expected)
    }

    @Test(arguments: [
        (0, "0.0 s"), (0.24, "0.2 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.6, "1 min"), (125, "2 min 5 s"),
        (3600, "1 h"), (11_400, "3 h 10 min"), (90_000, "1 d 1 h"), (-1, "0.0 s"), (.infinity, "ever"), (.nan, "ever"),
    ])
    func durations(_ seconds: Double, _ expected: String) {
        #expect(Quantity.duration(seconds) == expected)
    }

    @Test(arguments: [
        (0.0, "0.0/s"), (0.34, "0.3/s"), (9.94, "9.9/s"), (12.4, "12/s"), (92_000, "92000/s"), (1e300, "?/s"),
    ])
    func rates(_ rate: Double, _ expected: String) {
        #expect(Quantity.rate(rate) == expected)
    }

    @Test(arguments: [
        (1, "users", "1 user"), (50, "users", "50 users"), (1, "randomuser", "1 randomuser"),
        (1, "address", "1 address"),
    ])
    func nouns(_ number: Int, _ source: String, _ expected: String) {
        #expect(Quantity.records(number, of: source) == expected)
    }

    struct ColorCase: CustomTestStringConvertible, Sendable {
        let choice: ColorChoice
        let isTerminal: Bool
        let environment: [String: String]
        let isColored: Bool
        var testDescription: String { "\(choice) \(isTerminal ? "terminal" : "pipe") \(environment)" }

        init(_ choice: ColorChoice, _ isTerminal: Bool, _ environment: [String: String], _ isColored: Bool) {
            self.choice = choice
            self.isTerminal = isTerminal
            self.environment = environment
            self.isColored = isColored
        }
    }

    @Test(arguments: [
        ColorCase(.auto, true, [:], true),
        ColorCase(.auto, false, [:], false),
        ColorCase(.auto, true, ["NO_COLOR": "1"], false),
        ColorCase(.auto, true, ["NO_COLOR": ""], true),
        ColorCase(.auto, true, ["TERM": "dumb"], false),
        ColorCase(.auto, false, ["CLICOLOR_FORCE": "1"], true),
        ColorCase(.auto, false, ["CLICOLOR_FORCE": "0"], false),
        ColorCase(.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        ColorCase(.always, false, ["NO_COLOR": "1"], true),
        ColorCase(.never, true, ["CLICOLOR_FORCE": "1"], false),
    ])
    func color(_ example: ColorCase) {
        let style = Style(example.choice, isTerminal: example.isTerminal, environment: example.environment)
        #expect(style.isColored == example.isColored)
        #expect(style(.red, "x") == (example.isColored ? "\u{1B}[31mx\u{1B}[0m" : "x"))
    }

    @Test(arguments: [
        (["LANG": "en_US.UTF-8"], true), (["LANG": "C"], false), ([:], false), (["LANG": "C.utf8"], true),
        (["LC_ALL": "C", "LANG": "en_US.UTF-8"], false), (["LC_ALL": "", "LANG": "en_US.UTF-8"], true),
    ])
    func locale(_ environment: [String: String], _ expected: Bool) {
        #expect(Platform.isUTF8(environment) == expected)
    }
}
