import CrawlCore
import CrawlJSON
import Testing

@testable import CrawlKit

struct TypeCase: Sendable, CustomTestStringConvertible {
    var name: String
    /// The values of the field `x` in the records.
    var values: [String]
    /// The columns with their types, `+` for those that accept numbers; `x` is the field.
    var columns: [String: String]
    var emptyTextIsNull = false
    var testDescription: String { name }
}

@Suite("Columns and keys that a probe finds")
struct ProbeColumnsTests {
    static let types = [
        TypeCase(name: "texts", values: [#""a""#, #""b""#], columns: ["x": "text"]),
        TypeCase(name: "digits in quotes", values: [#""00501""#, #""10115""#], columns: ["x": "text"]),
        TypeCase(name: "whole numbers", values: ["1", "2"], columns: ["x": "integer"]),
        TypeCase(name: "whole numbers and fractions", values: ["1", "2.5"], columns: ["x": "real"]),
        TypeCase(name: "a number beyond 64 bits", values: ["1", "18446744073709551616"], columns: ["x": "text+"]),
        TypeCase(name: "numbers and texts", values: ["1", #""two""#], columns: ["x": "text+"]),
        TypeCase(
            name: "numbers and texts without a character", values: ["1", #""""#], columns: ["x": "integer"],
            emptyTextIsNull: true),
        TypeCase(name: "booleans", values: ["true", "false", "null"], columns: ["x": "boolean"]),
        TypeCase(name: "booleans and numbers", values: ["true", "1"], columns: ["x": "json"]),
        TypeCase(name: "lists", values: ["[1]", "[]"], columns: ["x": "json"]),
        TypeCase(name: "null only", values: ["null", "null"], columns: [:]),
        TypeCase(name: "objects", values: [#"{"y":1,"z":{"w":"a"}}"#], columns: ["x_y": "integer", "x_z_w": "text"]),
        TypeCase(name: "objects and null", values: [#"{"y":1}"#, "null"], columns: ["x_y": "integer"]),
        TypeCase(name: "objects and texts", values: [#"{"y":1}"#, #""a""#], columns: ["x": "json"]),
        TypeCase(name: "objects and lists", values: [#"{"y":1}"#, "[]"], columns: ["x": "json"]),
        TypeCase(name: "empty objects", values: ["{}", "{}"], columns: ["x": "json"]),
        TypeCase(
            name: "fields in some records only", values: [#"{"y":1}"#, #"{"z":2}"#],
            columns: ["x_y": "integer", "x_z": "integer"]),
        TypeCase(
            name: "nested without end",
            values: [String(repeating: #"{"y":"#, count: 60) + "1" + String(repeating: "}", count: 60)],
            columns: ["x_y_y_y_y_y": "json"]),
        TypeCase(
            name: "a dictionary",
            values: (0..<30).map { #"{"k\#($0)":1,"k\#($0 + 100)":2}"# }, columns: ["x": "json"]),
    ]

    @Test("types", arguments: types)
    func type(_ row: TypeCase) throws {
        let records = try row.values.map { try JSONValue(parsing: #"{"x":\#($0)}"#) }
        let inference = ColumnInference(records)
        let found = inference.columns.map { ($0.name, $0.type.rawValue + ($0.acceptsNumbers ? "+" : "")) }
        #expect(Dictionary(uniqueKeysWithValues: found) == row.columns)
        #expect(inference.emptyTextIsNull == row.emptyTextIsNull)
    }

    @Test(
        "amounts are real though only whole numbers came; counts and times are not",
        arguments: [
            ("price", "real"), ("unit_price", "real"), ("latitude", "real"), ("marketCap", "real"), ("score", "real"),
            ("price_id", "integer"), ("rating_count", "integer"), ("changed_at", "integer"), ("year", "integer"),
        ])
    func amounts(name: String, type: String) throws {
        let records = [try JSONValue(parsing: #"{"\#(name)":1}"#), try JSONValue(parsing: #"{"\#(name)":2}"#)]
        #expect(ColumnInference(records).columns.map(\.type.rawValue) == [type])
    }

    struct KeyCase: Sendable, CustomTestStringConvertible {
        var name: String
        var records: [String]
        var key: [String]
        var isDoubtful = false
        var testDescription: String { name }
    }

    static let keys = [
        KeyCase(name: "id", records: [#""name":"a","id":1"#, #""name":"b","id":2"#], key: ["id"]),
        KeyCase(
            name: "an id that repeats", records: [#""id":1,"code":"a""#, #""id":1,"code":"b""#], key: ["code"]),
        KeyCase(
            name: "an id that is missing once", records: [#""id":1,"slug":"a""#, #""slug":"b""#], key: ["slug"]),
        KeyCase(
            name: "an id that is null once", records: [#""id":1,"slug":"a""#, #""id":null,"slug":"b""#], key: ["slug"]),
        KeyCase(
            name: "an id that is a fraction", records: [#""id":1.5,"sku":"a""#, #""id":2.5,"sku":"b""#], key: ["sku"]),
        KeyCase(
            name: "an id of numbers and texts", records: [#""id":1"#, #""id":"b""#], key: ["id"]),
        KeyCase(
            name: "a nested uuid", records: [#""n":1,"login":{"uuid":"a"}"#, #""n":1,"login":{"uuid":"b"}"#],
            key: ["login_uuid"]),
        KeyCase(
            name: "the record's own id before that of another",
            records: [#""owner_id":5,"thing_id":1"#, #""owner_id":5,"thing_id":2"#], key: ["thing_id"]),
        KeyCase(
            name: "two columns",
            records: [#""country":"de","code":1"#, #""country":"de","code":2"#, #""country":"fr","code":1"#],
            key: ["country", "code"]),
        KeyCase(
            name: "three columns",
            records: ["0,0,1", "0,1,0", "1,0,0", "0,0,0"].map { text in
                let parts = text.split(separator: ",")
                return #""a":\#(parts[0]),"b":\#(parts[1]),"c":\#(parts[2])"#
            }, key: ["a", "b", "c"]),
        KeyCase(
            name: "nothing named like a key", records: [#""color":"red""#, #""color":"blue""#], key: ["color"],
            isDoubtful: true),
        KeyCase(name: "nothing", records: [#""a":1,"b":true"#, #""a":1,"b":false"#], key: []),
    ]

    @Test("keys", arguments: keys)
    func key(_ row: KeyCase) throws {
        let records = try row.records.map { try JSONValue(parsing: "{\($0)}") }
        let columns = ColumnInference(records)
        let inference = KeyInference(
            KeyInference.Evidence(
                columns: columns.columns, fields: columns.fields, pages: [records], arePagesApart: false,
                isRandom: false))
        #expect(inference.key == row.key)
        #expect(inference.notes.contains(where: \.isDoubt) == row.isDoubtful)
    }

    @Test("a column that is different on each page alone, but not across pages, is no key")
    func acrossPages() throws {
        let pages = try (0..<2).map { page in
            try (0..<3).map { try JSONValue(parsing: #"{"number":\#($0),"serial_id":\#(page * 3 + $0)}"#) }
        }
        let columns = ColumnInference(pages.flatMap { $0 })
        let inference = KeyInference(
            KeyInference.Evidence(
                columns: columns.columns, fields: columns.fields, pages: pages, arePagesApart: true, isRandom: false))
        #expect(inference.key == ["serial_id"])
    }

    @Test(
        "where the records are",
        arguments: [
            (#"[{"id":1}]"#, "$", false), (#"{"id":1,"tags":[{"t":1},{"t":2}]}"#, "$", true),
            (#"{"a":{"b":{"c":[{"x":1}]}}}"#, "a.b.c", false),
            (#"{"few":[{"x":1}],"many":[{"x":1},{"x":2}]}"#, "many", false),
            (#"{"zzz":[{"x":1}],"data":[{"x":1}]}"#, "data", false), (#"{"results":[],"errors":0}"#, "results", false),
            (#"{"id":"req_1","has_more":false,"data":[{"x":1}]}"#, "data", false), (#"{"name":"x"}"#, "$", true),
            (#"{"list":[1,2,3],"items":[{"x":1}]}"#, "items", false), ("[]", "$", false),
            (#"[1,2]"#, nil, false), (#""text""#, nil, false), ("{}", nil, false), (#"[[{"x":1}]]"#, nil, false),
        ] as [(String, String?, Bool)])
    func list(json: String, path: String?, isSingle: Bool) throws {
        let list = RecordList.find(in: try JSONValue(parsing: json))
        #expect(list?.path.description == path)
        #expect(list?.isSingle ?? false == isSingle)
    }
}
