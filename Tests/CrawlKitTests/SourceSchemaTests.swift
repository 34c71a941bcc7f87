import CrawlKit
import Foundation
import TestSupport
import Testing

/// The schema that editors get says what the decoder says.
@Suite("The schema of source files")
struct SourceSchemaTests {
    private let schema: JSONSchema

    init() throws {
        schema = try JSONSchema(BuiltInSources.schema)
    }

    /// A source file that is right, with one key changed or, where `value` is nil, left out.
    private static func file(_ key: String, _ value: String?, style: String? = nil) -> String {
        let pages = #"{"style":"page","parameter":"page","sizeParameter":"n","maxSize":50}"#
        var members = [
            ("name", #""things""#), ("url", #""https://example.test/things?q={q}&r={r}""#),
            ("pagination", style.map { #"{"style":"\#($0)"}"# } ?? pages), ("key", #""id""#),
            ("columns", #"{"id":"integer!","price":"real"}"#),
        ].filter { $0.0 != key }
        if let value { members.append((key, value)) }
        return "{" + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + "}"
    }

    // MARK: Keys

    /// An object of a source file with a key that nobody knows, and where its schema stands.
    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var key: String
        var value: String
        var path: [String]
    }

    static let stranger = "zzzzzzzzzzzzzzzzzzzzzzzzzz"
    static let places =
        [
            Place(testDescription: "the file", key: stranger, value: "1", path: []),
            Place(
                testDescription: "a column", key: "columns", value: #"{"id":{"type":"text","\#(stranger)":1}}"#,
                path: ["$defs", "column"]),
        ]
        + [
            Place(testDescription: "auth", key: "auth", value: #"{"\#(stranger)":1}"#, path: ["$defs", "auth"]),
            Place(
                testDescription: "fallback", key: "fallback", value: #"{"\#(stranger)":1}"#,
                path: ["$defs", "fallback"]),
            Place(
                testDescription: "a place in an answer", key: "pagination",
                value: #"{"style":"link","more":{"\#(stranger)":1}}"#, path: ["$defs", "headerPlace"]),
            Place(
                testDescription: "the place of a cursor", key: "pagination",
                value: #"{"style":"cursor","parameter":"c","next":{"\#(stranger)":1}}"#,
                path: ["$defs", "cursorPlace"]),
            Place(testDescription: "expect", key: "expect", value: #"{"\#(stranger)":1}"#, path: ["$defs", "expect"]),
        ]
        + ["repeat", "single", "page", "offset", "cursor", "link"].map { style in
            Place(
                testDescription: "the style \(style)", key: "pagination",
                value: #"{"style":"\#(style)","\#(stranger)":1}"#, path: ["$defs", style])
        }

    @Test("has the decoder's keys, all of them and no others", arguments: places)
    func keys(place: Place) throws {
        let error = #expect(throws: CrawlError.self) { try Source(json: Self.file(place.key, place.value)) }
        let line = error?.message.split(separator: "\n").first { $0.contains("unknown key '\(Self.stranger)'") } ?? ""
        let known = try #require(line.firstRange(of: ", allowed are ").map { line[$0.upperBound...] })
        let names = known.replacing(", ", with: ",").split(separator: ",").map(String.init)
        let object = place.path.reduce(schema.root) { $0[$1] as? [String: Any] ?? [:] }
        let properties = object["properties"] as? [String: Any] ?? [:]
        #expect(Set(properties.keys) == Set(names))
        #expect(object["additionalProperties"] as? Bool == false)
    }

    // MARK: Values

    @Test("the built-in files are valid", arguments: BuiltInSources.names)
    func builtIn(name: String) throws {
        #expect(try schema.problems(of: try #require(BuiltInSources.file(of: name))) == [])
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var key: String
        var value: String?
        var isRight: Bool
        /// The pagination style, where it matters.
        var style: String?
        var testDescription: String { "\(key): \(value ?? "left out")" }
    }

    private static func cases(
        _ key: String, style: String? = nil, right: [String?] = [], wrong: [String?]
    ) -> [Case] {
        right.map { Case(key: key, value: $0, isRight: true, style: style) }
            + wrong.map { Case(key: key, value: $0, isRight: false, style: style) }
    }

    static let cases =
        cases(
            "name", right: [#""a_1""#, #""_x""#],
            wrong: [nil, "1", #""""#, #""1a""#, #""a b""#, #""é""#, #""crawl_x""#, #""SQLite_x""#, "\"\(name(61))\""])
        + cases(
            "url",
            right: [
                #""http://h""#, #""HTTPS://h:1/a?b={c}&d=%20#e""#, #""https://{host}/x""#, #""http://h/a@b""#,
                #""https://h/$a?b=${TOKEN}&c={d}$""#,
            ],
            wrong: [
                nil, "1", #""h/a""#, #""ftp://h/""#, #""https://""#, #""https:///a""#, #""https://u:p@h/""#,
                #""https://h/a b""#, #""https://h/a\tb""#, #""https://h/{a b}""#, #""https://h/{a""#,
                #""https://h/a}""#,
                #""https://h/{{a}}""#, #""https://h/{1}""#, #""https://${HOST}/""#,
                #""https://h/${a}?b""#, #""https://h/?${a b}""#,
            ])
        + cases("$schema", right: [nil, #""./source.schema.json""#], wrong: ["1", #""""#])
        + cases("limit", right: [nil, "1", "2147483647"], wrong: ["0", "-1", "2147483648", "1.5", #""5""#])
        + cases("notes", right: [nil, #""""#, #""a""#, #"["a","b"]"#, "[]"], wrong: ["1", "[1]", "{}"])
        + cases(
            "records", right: [nil, #""$""#, #""a""#, #""a.b.0""#, #"["a.b","c"]"#, "[]", #""[a]b""#],
            wrong: ["1", #""""#, #""a..b""#, #""$.a""#, #"".a""#, #""a[0]""#, #""a[0].b""#, "[1]"])
        + cases(
            "key", right: [#""price""#, #"["id","price"]"#], wrong: [nil, "1", "[]", "[1]", #"["id","id"]"#, "{}"])
        + cases("onDuplicate", right: [nil, #""keep""#, #""update""#], wrong: [#""replace""#, "true"])
        + cases("headline", right: [#""price""#, #"["price"]"#, "[]"], wrong: ["1", "[1]", "{}"])
        + cases("emptyTextIsNull", right: ["true", "false"], wrong: [#""yes""#, "1"])
        + cases(
            "set", right: ["{}", #"{"q":"a b","r":5}"#, #"{"q":1.5,"r":true}"#, #"{"q":"$5 ${TOKEN} {x}"}"#],
            wrong: ["[]", #"{"a b":"c"}"#, #"{"q":["a"]}"#, #"{"q":"${a b}"}"#, #"{"q":"${"}"#])
        + cases(
            "headers", right: [#"{"X-Key":"Bearer ${T}","N":1}"#, #"{"A":"a\tb$"}"#],
            wrong: [
                "[]", #"{"X Y":"a"}"#, #"{"":"a"}"#, #"{"X":"a\nb"}"#, #"{"X":"a\u007f"}"#, #"{"X":null}"#,
                #"{"X":"${1}"}"#, #"{"Host":"a"}"#, #"{"accept-encoding":"gzip"}"#,
            ])
        + cases(
            "auth",
            right: [
                #"{"style":"cookie-crumb","cookie":"https://h","crumb":"https://h/$c?d","parameter":"c","userAgent":"U/1"}"#,
                #"{"style":"cookie-crumb","cookie":"https://h","crumb":"https://h/c","parameter":"c"}"#,
            ],
            wrong: [
                "[]", "{}", #"{"style":"cookie","cookie":"https://h","crumb":"https://h/c","parameter":"c"}"#,
                #"{"style":"cookie-crumb","crumb":"https://h/c","parameter":"c"}"#,
                #"{"style":"cookie-crumb","cookie":"h","crumb":"https://h/c","parameter":"c"}"#,
                #"{"style":"cookie-crumb","cookie":"https://h/{q}","crumb":"https://h/c","parameter":"c"}"#,
                #"{"style":"cookie-crumb","cookie":"https://h","crumb":"https://h/?${C}","parameter":"c"}"#,
                #"{"style":"cookie-crumb","cookie":"https://h","crumb":"https://h/c","parameter":""}"#,
                #"{"style":"cookie-crumb","cookie":"https://h","crumb":"https://h/c","parameter":"c","userAgent":"a\nb"}"#,
            ])
        + cases(
            "fallback", style: "single",
            right: [
                #"{"url":"https://h/{q}","each":"q"}"#,
                #"{"url":"https://h/{x}","each":"q","as":"x","records":"a.0","columns":{"price":"b","id":["c"]}}"#,
            ],
            wrong: [
                "[]", #"{"url":"https://h/{q}"}"#, #"{"each":"q"}"#, #"{"url":"h/{q}","each":"q"}"#,
                #"{"url":"https://h/{q}","each":"q","columns":{"price":"$"}}"#,
                #"{"url":"https://h/{q}","each":"q","columns":["price"]}"#,
                #"{"url":"https://h/{q}","each":"q","records":1}"#, #"{"url":"https://h/{q}","each":"q","as":""}"#,
            ])
        + cases("fallback", wrong: [#"{"url":"https://h/{q}","each":"q"}"#])
        + cases(
            "expect", right: [#"{"column":"id","from":"q"}"#],
            wrong: ["[]", "{}", #"{"column":"id"}"#, #"{"from":"q"}"#, #"{"column":1,"from":"q"}"#])
        + cases(
            "columns",
            right: [
                #"{"id":"text"}"#, #"{"id":{"type":"json","path":["a.b"],"required":true}}"#,
                #"{"id":{"type":"text!","accept":["string","number"]}}"#,
                #"{"id":{"type":"real","accept":["string"]}}"#,
                #"{"id":{"type":"text","path":"0.a"}}"#,
            ],
            wrong: [
                nil, "{}", "[]", #"{"id":"float"}"#, #"{"id":"text!!"}"#, #"{"id":1}"#, #"{"id":{}}"#,
                #"{"id":{"path":"a"}}"#, #"{"id":{"type":"text","path":"$"}}"#, #"{"id":{"type":"text","path":[]}}"#,
                #"{"id":{"type":"text","required":1}}"#, #"{"id":{"type":"integer","accept":["number"]}}"#,
                #"{"id":{"type":"text","accept":["date"]}}"#, #"{"id":{"type":"text","accept":"number"}}"#,
                #"{"id":"text","Extra":"text"}"#, #"{"id":"text","page":"text"}"#, #"{"id":"text","a-b":"text"}"#,
                #"{"id":"text","crawl_x":"text"}"#,
            ])
        + cases(
            "pagination",
            right: [
                #"{"style":"repeat"}"#, #"{"style":"repeat","sizeParameter":"n","maxSize":5}"#, #"{"style":"single"}"#,
                #"{"style":"page","parameter":"p","maxSize":1}"#,
                #"{"style":"page","parameter":"p","first":0,"sizeParameter":"n","maxSize":2147483647}"#,
                #"{"style":"offset","parameter":"p","sizeParameter":"n","maxSize":9}"#,
                #"{"style":"cursor","parameter":"p","next":"a.b"}"#,
                #"{"style":"cursor","parameter":"p","next":["a.b"],"sizeParameter":"n","maxSize":9}"#,
                #"{"style":"link"}"#, #"{"style":"link","sizeParameter":"n","maxSize":9}"#,
                #"{"style":"page","parameter":"p","maxSize":5,"total":"a.b","pages":{"header":"X-Pages"},"more":["a.b"]}"#,
                #"{"style":"offset","parameter":"p","first":1,"maxSize":5,"total":{"header":"X-Total-Count"}}"#,
                #"{"style":"cursor","parameter":"p","next":{"header":"X-Next"},"more":"has_more"}"#,
                #"{"style":"cursor","parameter":"p","next":{"last":"id"}}"#,
                #"{"style":"link","next":"links.next","more":{"header":"X-More"}}"#,
            ],
            wrong: [
                nil, "{}", #""page""#, #"{"style":"pages"}"#, #"{"style":1}"#, #"{"style":"single","maxSize":1}"#,
                #"{"style":"page","maxSize":5}"#, #"{"style":"page","parameter":"p"}"#,
                #"{"style":"page","parameter":"","maxSize":5}"#, #"{"style":"page","parameter":"p","maxSize":0}"#,
                #"{"style":"page","parameter":"p","maxSize":2147483648}"#,
                #"{"style":"page","parameter":"p","maxSize":5,"first":-1}"#,
                #"{"style":"offset","parameter":"p"}"#, #"{"style":"cursor","parameter":"p"}"#,
                #"{"style":"cursor","next":"a"}"#,
                #"{"style":"cursor","parameter":"p","next":"a","sizeParameter":"n"}"#,
                #"{"style":"link","sizeParameter":"n"}"#, #"{"style":"link","parameter":"p"}"#,
                #"{"style":"link","next":"$"}"#, #"{"style":"link","next":{"header":"a b"}}"#,
                #"{"style":"link","next":{"last":"id"}}"#, #"{"style":"link","more":{}}"#,
                #"{"style":"page","parameter":"p","maxSize":5,"total":1}"#,
                #"{"style":"page","parameter":"p","maxSize":5,"more":[]}"#,
                #"{"style":"repeat","more":"a"}"#, #"{"style":"cursor","parameter":"p","next":{}}"#,
                #"{"style":"cursor","parameter":"p","next":{"header":"X","last":"id"}}"#,
                #"{"style":"cursor","parameter":"p","next":{"last":""}}"#,
                #"{"style":"cursor","parameter":"p","next":"$"}"#,
            ])

    private static func name(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test("takes and refuses what the decoder takes and refuses", arguments: cases)
    func agrees(with row: Case) throws {
        let file = Self.file(row.key, row.value, style: row.style)
        let decoded = Result { try Source(json: file) }
        let isDecoded = if case .success = decoded { true } else { false }
        let problems = try schema.problems(of: file)
        #expect(isDecoded == row.isRight, "\(decoded)")
        #expect(problems.isEmpty == row.isRight, "\(problems)")
    }

    @Test("is a schema for others as well, where one is at hand")
    func isASchema() async throws {
        let folder = try TemporaryFolder()
        try Data(BuiltInSources.schema.utf8).write(to: URL(filePath: folder.file("schema.json")))
        for name in BuiltInSources.names {
            let file = try #require(BuiltInSources.file(of: name))
            try Data(file.utf8).write(to: URL(filePath: folder.file(name + ".source")))
        }
        let script = """
            import glob, json, sys
            try:
                from jsonschema import Draft202012Validator as Validator
            except ImportError:
                sys.exit(0)
            schema = json.load(open("schema.json"))
            Validator.check_schema(schema)
            files = glob.glob("*.source")
            assert len(files) == \(BuiltInSources.names.count)
            for file in files:
                Validator(schema).validate(json.load(open(file)))
            """
        let result = try await Program("/usr/bin/env", ["python3", "-c", script], workingFolder: folder.path).end()
        #expect(result.exitCode == 0 || result.exitCode == 127, "\(result)")
    }
}
