import Testing

@testable import crawl

@Suite struct ValueKindTests {
    @Test(arguments: [
        ("30", Duration.seconds(30)), ("30s", .seconds(30)), ("2m", .seconds(120)), ("1h", .seconds(3600)),
        ("500ms", .milliseconds(500)), ("0.5s", .milliseconds(500)), ("1.5m", .seconds(90)),
    ])
    func durations(_ text: String, _ expected: Duration) throws {
        #expect(try ValueKind.duration(text, in: .zero...(.seconds(86_400))) == expected)
    }

    @Test(arguments: ["", "s", "m", "abc", "5 s", "5x", "1e3", "0x10", "nan", "inf", "1..5", "--5", "٣"])
    func noDurations(_ text: String) {
        #expect(throws: ValueKind.Fault.form) { try ValueKind.duration(text, in: .zero...(.seconds(60))) }
    }

    @Test(arguments: ["61", "-1", "2m", "99999999999999999999999h"])
    func durationsOutOfBounds(_ text: String) {
        #expect(throws: ValueKind.Fault.rule("must be from 0s to 1m")) {
            try ValueKind.duration(text, in: .zero...(.seconds(60)))
        }
    }

    @Test(arguments: [("a,b", ["a", "b"]), (" a , b ", ["a", "b"]), ("a", ["a"]), ("a,,b", ["a", "", "b"])])
    func lists(_ text: String, _ expected: [String]) {
        #expect(ValueKind.list(text) == expected)
    }
}
