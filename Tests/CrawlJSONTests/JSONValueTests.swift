import CrawlCore
import CrawlJSON
import Testing

@Suite struct JSONValueTests {
    @Test(arguments: [
        ("null", JSONValue.null), ("true", .bool(true)), (" false ", .bool(false)), ("-12", .integer(-12)),
        ("9223372036854775807", .integer(.max)), ("9223372036854775808", .number("9223372036854775808")),
        ("1.5", .real(1.5)), ("1e400", .number("1e400")), ("\"a\\u00e9\\n\"", .text("aé\n")), ("[]", .array([])),
        ("{}", .object([])),
        ("[1,[2,{\"a\":null}]]", .array([.integer(1), .array([.integer(2), .object([.init("a", .null)])])])),
        ("{\"b\":1,\"a\":2}", .object([.init("b", .integer(1)), .init("a", .integer(2))])), ("\u{FEFF}1", .integer(1)),
    ]) func reads(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
    }

    @Test(arguments: [
        ("", UnreadableKind.empty, 1, 1, "nothing but white space"),
        ("1 2", .notJSON, 1, 3, "more text behind the end of the document"),
        ("1, 2", .notJSON, 1, 2, "more text behind the end of the document"),
        ("1],[2", .notJSON, 1, 2, "more text behind the end of the document"),
        ("{\n  \"é\": 1\n  \"b\": 2\n}", .notJSON, 3, 3, "expected ',' or '}'"),
        ("{\"a\": 1,}", .notJSON, 1, 9, "expected a key in double quotes"),
        ("[\"y\":1]", .notJSON, 1, 5, "expected ',' or ']'"),
        ("{'a': 1}", .notJSON, 1, 2, "expected a key in double quotes"),
        ("[01]", .notJSON, 1, 3, "a number must not begin with 0"),
        ("[1.]", .notJSON, 1, 4, "expected a digit"),
        ("[\"\\ud800\"]", .notJSON, 1, 9, "half of a surrogate pair"),
        ("// x\n{}", .notJSON, 1, 1, "expected a value"),
        ("{\"a\": [1,", .truncated, 1, 10, "expected a value"),
        (
            String(repeating: "[", count: 300) + String(repeating: "]", count: 300), .tooDeep, 1, 1,
            "nested deeper than 256 levels"
        ),
    ]) func saysWhereTheMistakeIs(text: String, kind: UnreadableKind, line: Int, column: Int, problem: String) {
        do throws(JSONSyntaxError) {
            Issue.record("read as \(try JSONValue(parsing: text))")
        } catch {
            #expect(error.kind == kind)
            #expect(error.description == "line \(line), column \(column): \(problem)")
        }
    }

    @Test(arguments: [
        (
            JSONValue.text("\"\\\u{8}\u{C}\n\r\t\u{0}\u{1B}\u{7F}\u{2028}/é😀"),
            #""\"\\\u0008\u000c\n\r\t\u0000\u001b\u007f\u2028/é😀""#
        ),
        (.real(1e-08), "1e-08"), (.real(.infinity), "null"), (.real(.nan), "null"), (.real(3), "3.0"),
        (.number("1e400"), "1e400"),
        (
            .object([.init("b", .array([.null, .bool(false)])), .init("a\"", .object([]))]),
            #"{"b":[null,false],"a\"":{}}"#
        ),
    ]) func writes(value: JSONValue, text: String) throws {
        #expect(value.text == text)
        #expect(try JSONValue(parsing: value.text).text == text)
    }

    @Test func readsByPath() throws {
        let value = try JSONValue(parsing: #"{"a":{"b":[1,{"c":2}],"0":"k"},"a.b":3,"a":{"b":[1,{"c":4}]}}"#)
        #expect(value[JSONPath(parsing: "a.b.1.c")] == .integer(4))
        #expect(value[JSONPath(["a.b"])] == .integer(3))
        #expect(value[JSONPath(parsing: "a.b.2")] == nil)
        #expect(value[JSONPath(parsing: "a.b.-1")] == nil)
        #expect(value[JSONPath(parsing: "a.x.y")] == nil)
        #expect(value[JSONPath(parsing: "$")] == value)
    }

    @Test func remembersWhereKeysStand() throws {
        guard case .object(let members) = try JSONValue(parsing: #"{ "a": 1, "b": 2 }"#) else { return }
        #expect(members.map(\.offset) == [2, 10])
    }
}
