import CrawlCore
import CrawlJSON
import Testing

/// A value as it stands in a record, and what becomes of it in a column.
struct ValueCase: Sendable, CustomTestStringConvertible {
    var name: String
    var column: Column
    var json: String
    var cell: CellValue?
    var reason: String?
    var emptyTextIsNull = false

    var testDescription: String { name }

    static func takes(
        _ name: String, _ type: ColumnType, _ json: String, _ cell: CellValue, emptyTextIsNull: Bool = false
    ) -> Self {
        Self(name: name, column: Column("c", type), json: json, cell: cell, emptyTextIsNull: emptyTextIsNull)
    }

    static func rejects(_ name: String, _ type: ColumnType, _ json: String, _ reason: String) -> Self {
        Self(name: name, column: Column("c", type), json: json, reason: reason)
    }
}

@Suite struct ValueTests {
    static let accepted: [ValueCase] = [
        .takes("text", .text, #""Ada""#, .text("Ada")),
        .takes("empty text", .text, #""""#, .text("")),
        .takes("text with all escapes", .text, #""\"\\\/\b\f\n\r\t\u00e9\u0026""#, .text("\"\\/\u{8}\u{C}\n\r\té&")),
        .takes("a surrogate pair", .text, #""\ud83d\ude00!""#, .text("😀!")),
        .takes("NUL in a text", .text, #""a\u0000b""#, .text("a\u{0}b")),
        .takes(
            "text longer than a block", .text, "\"" + String(repeating: "0123456789", count: 50) + "\\n\"",
            .text(String(repeating: "0123456789", count: 50) + "\n")),
        .takes("text with leading zeros", .text, #""00501""#, .text("00501")),
        .takes("blanks around a text", .text, " \t\"x\" \n", .text("x")),
        .takes("integer", .integer, "42", .integer(42)),
        .takes("negative zero", .integer, "-0", .integer(0)),
        .takes("2^53 + 1", .integer, "9007199254740993", .integer(9_007_199_254_740_993)),
        .takes("the largest integer", .integer, "9223372036854775807", .integer(.max)),
        .takes("the smallest integer", .integer, "-9223372036854775808", .integer(.min)),
        .takes("3.0 as integer", .integer, "3.0", .integer(3)),
        .takes("1e3 as integer", .integer, "1e3", .integer(1000)),
        .takes("1.50e1 as integer", .integer, "1.50e1", .integer(15)),
        .takes("100e-2 as integer", .integer, "100e-2", .integer(1)),
        .takes("0e999999999999 as integer", .integer, "0e999999999999", .integer(0)),
        .takes(
            "an exact integer that no double holds", .integer, "9007199254740993.0", .integer(9_007_199_254_740_993)),
        .takes("the smallest integer with a point", .integer, "-9223372036854775808.0", .integer(.min)),
        .takes("integer in a real column", .real, "3", .real(3)),
        .takes("a small real", .real, "1e-08", .real(1e-08)),
        .takes("17 digits", .real, "-179.99999999999997", .real(-179.99999999999997)),
        .takes("an integer beyond 64 bits as real", .real, "9223372036854775808", .real(9_223_372_036_854_775_808)),
        .takes("the largest double", .real, "1.7976931348623157e308", .real(.greatestFiniteMagnitude)),
        .takes("the smallest double", .real, "5e-324", .real(.leastNonzeroMagnitude)),
        .takes("less than any double", .real, "1e-400", .real(0)),
        .takes("true", .boolean, "true", .integer(1)),
        .takes("false", .boolean, "false", .integer(0)),
        .takes("json object", .json, #"{ "b": [1, 2.50] , "a":"\u0041"}"#, .text(#"{ "b": [1, 2.50] , "a":"\u0041"}"#)),
        .takes("json text", .json, #""x\u0041""#, .text(#""x\u0041""#)),
        .takes("json number", .json, "1.0e+05", .text("1.0e+05")),
        .takes("json empty list", .json, "[ ]", .text("[ ]")),
        .takes("json boolean", .json, "true", .text("true")),
        .takes("null text", .text, "null", .null),
        .takes("null integer", .integer, "null", .null),
        .takes("null json", .json, "null", .null),
        .takes("empty text as missing real", .real, #""""#, .null, emptyTextIsNull: true),
        .takes("empty text as missing integer", .integer, #""""#, .null, emptyTextIsNull: true),
        .takes("empty text as missing boolean", .boolean, #""""#, .null, emptyTextIsNull: true),
        .takes("empty text stays a text", .text, #""""#, .text(""), emptyTextIsNull: true),
        ValueCase(
            name: "number where numbers are accepted", column: Column("c", .text, acceptsNumbers: true),
            json: "1234567890123456789012.50", cell: .text("1234567890123456789012.50")),
    ]

    static let rejected: [ValueCase] = [
        .rejects("number for text", .text, "5", "c: expected text, got number"),
        .rejects("boolean for text", .text, "true", "c: expected text, got boolean"),
        .rejects("object for text", .text, #"{"a":1}"#, "c: expected text, got object"),
        .rejects("list for text", .text, "[1]", "c: expected text, got list"),
        .rejects("text for integer", .integer, #""5""#, "c: expected integer, got text"),
        .rejects("empty text for integer", .integer, #""""#, "c: expected integer, got text"),
        .rejects("text for real", .real, #""5""#, "c: expected number, got text"),
        .rejects("number for boolean", .boolean, "1", "c: expected boolean, got number"),
        .rejects("a fraction", .integer, "3.5", "c: 3.5 is not a whole number"),
        .rejects("a tiny fraction", .integer, "1e-999999999999", "c: 1e-999999999999 is not a whole number"),
        .rejects(
            "2^63", .integer, "9223372036854775808", "c: 9223372036854775808 is out of range for a 64-bit integer"),
        .rejects(
            "below -2^63", .integer, "-9223372036854775809",
            "c: -9223372036854775809 is out of range for a 64-bit integer"),
        .rejects(
            "2^63 with a point", .integer, "9223372036854775808.0",
            "c: 9223372036854775808.0 is out of range for a 64-bit integer"),
        .rejects("1e19", .integer, "1e19", "c: 1e19 is out of range for a 64-bit integer"),
        .rejects("1e400", .real, "1e400", "c: 1e400 is out of range for a 64-bit floating point number"),
        .rejects("a lone high surrogate", .text, #""\ud800""#, #"c: invalid escape in the string "\ud800""#),
        .rejects("a lone low surrogate", .text, #""x\udc00y""#, #"c: invalid escape in the string "x\udc00y""#),
        .rejects(
            "surrogates in the wrong order", .text, #""\udc00\ud800""#,
            #"c: invalid escape in the string "\udc00\ud800""#),
        .rejects(
            "a high surrogate before a letter", .text, #""\ud800\u0041""#,
            #"c: invalid escape in the string "\ud800\u0041""#),
        .rejects("an unknown escape", .text, #""\x""#, #"c: invalid escape in the string "\x""#),
        .rejects("an escape of three digits", .text, #""\u12g4""#, #"c: invalid escape in the string "\u12g4""#),
        .rejects(
            "an invalid escape in a number's place", .integer, #""\ud800""#,
            #"c: invalid escape in the string "\ud800""#),
        .rejects(
            "an invalid escape within json", .json, #"{"a":["\ud800"]}"#,
            #"invalid escape in the string "\ud800""#),
        .rejects(
            "an invalid escape in a key within json", .json, #"{"\ud800":1}"#,
            #"invalid escape in the key "\ud800""#),
        .rejects("a number with a leading zero", .integer, "01", "c: 01 is not a JSON value"),
        .rejects("a number without digits", .real, "-", "c: - is not a JSON value"),
        .rejects("a number that ends with a point", .real, "1.", "c: 1. is not a JSON value"),
        .rejects("a number with a plus sign", .integer, "+1", "c: +1 is not a JSON value"),
        .rejects("NaN", .real, "NaN", "c: NaN is not a JSON value"),
        .rejects("a word", .boolean, "tru", "c: tru is not a JSON value"),
        .rejects("a longer word", .boolean, "truex", "c: truex is not a JSON value"),
        .rejects("None", .text, "None", "c: None is not a JSON value"),
        .rejects("a bad number where it is ignored anyway", .boolean, "1.2.3", "c: 1.2.3 is not a JSON value"),
    ]

    @Test(arguments: accepted) func columnTakes(_ test: ValueCase) throws {
        let reader = PageReader(makeSource([test.column], emptyTextIsNull: test.emptyTextIsNull))
        let batch = try reader.records(#"[{"c":\#(test.json)}]"#)
        #expect(batch.rejects == [])
        #expect(batch.rows == [[try #require(test.cell), .absent]])
    }

    @Test(arguments: rejected) func columnRejects(_ test: ValueCase) throws {
        let reader = PageReader(makeSource([test.column]))
        let record = #"{"c":\#(test.json), "d": [{}]}"#
        let batch = try reader.records(#"[{"c":null}, \#(record) ,{"c":null}]"#)
        #expect(batch.rowCount == 2, "the records around it are kept")
        #expect(batch.receivedCount == 3)
        #expect(
            batch.rejects == [
                RejectedRecord(position: 2, reason: try #require(test.reason), payload: Array(record.utf8))
            ])
    }

    @Test func requiredColumnsMustHaveAValue() throws {
        let reader = PageReader(makeSource([column("uid", .text, required: true), column("a", .integer)]))
        let batch = try reader.records(#"[{"a":1},{"uid":null},{"uid":"x"},{"uid":""}]"#)
        #expect(batch.rejects.map(\.reason) == ["uid: missing", "uid: null, but the source requires it"])
        #expect(batch.rejects.map(\.position) == [1, 2])
        #expect(batch.rows == [[.text("x"), .absent, .absent], [.text(""), .absent, .absent]])
    }

    @Test(arguments: [
        ("a number", "7", "record is not an object but a number"),
        ("a text", #""x""#, "record is not an object but a text"),
        ("null", "null", "record is not an object but null"),
        ("a list", "[ 1, 2 ]", "record is not an object but a list"),
        ("no value", "nil", "nil is not a JSON value"),
        ("a broken text", #""\ud800""#, #"invalid escape in the string "\ud800""#),
    ]) func recordsAreObjects(name: String, json: String, reason: String) throws {
        let batch = try PageReader(makeSource([column("c", .text)])).records(#"[{"c":"a"},\#(json),{"c":"b"}]"#)
        #expect(batch.rowCount == 2)
        #expect(batch.rejects == [RejectedRecord(position: 2, reason: reason, payload: Array(json.utf8))])
    }
}
