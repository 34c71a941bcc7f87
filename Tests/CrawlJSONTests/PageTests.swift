import CrawlCore
import CrawlJSON
import Testing

@Suite struct PageTests {
    static let columns = [column("id", .integer, required: true), column("name", .text)]

    /// Named pages that can be read, and the ids in them.
    static let readable: [(name: String, path: String, page: String, ids: [Int64])] = [
        ("a list at the top", "$", #"[{"id":1},{"id":2}]"#, [1, 2]),
        ("an object at the top", "$", #"{"id":1}"#, [1]),
        ("an empty list", "$", " [ ] ", []),
        ("a byte order mark", "$", "\u{FEFF}[{\"id\":1}]", [1]),
        ("white space around", "$", "\n\t [{\"id\":1}] \r\n", [1]),
        ("a list below a key", "results", #"{"info":{"n":[1,{}]},"results":[{"id":1}],"x":"\n"}"#, [1]),
        ("one object below a key", "a.b", #"{"a":{"b":{"id":1}}}"#, [1]),
        (
            "a list within a list", "data.1.items", #"{"data":[0,{"items":[{"id":1},{"id":2}]},{"items":[{"id":3}]}]}"#,
            [1, 2]
        ),
        ("the last of two lists", "r", #"{"r":[{"id":1},{"id":2}],"r":[{"id":3}]}"#, [3]),
        ("an empty list beside an error", "q.result", #"{"q":{"result":[],"error":null}}"#, []),
        ("a key with escapes", "results", #"{"r\u0065sults":[{"id":1}]}"#, [1]),
    ]

    @Test(arguments: readable) func findsTheRecords(name: String, path: String, page: String, ids: [Int64]) throws {
        let batch = try PageReader(makeSource(Self.columns, records: path)).records(page)
        #expect(batch.rejects == [])
        #expect(batch.rows.map(\.first) == ids.map { .integer($0) })
    }

    /// Named pages that cannot be used, with a part of what is said of them.
    static let unreadable: [(name: String, path: String, page: String, kind: UnreadableKind, detail: String)] = [
        ("nothing", "$", "", .empty, "the answer is empty"),
        ("white space", "$", " \r\n\t", .empty, "nothing but white space"),
        ("only a byte order mark", "$", "\u{FEFF}", .empty, "nothing but white space"),
        (
            "HTML", "$", "<!DOCTYPE html>\n<title>502 Bad\tGateway</title>", .notJSON,
            "a web page (HTML) instead of JSON: <!DOCTYPE html> <title>502 Bad Gateway</title>"
        ),
        ("a plain text", "$", "Too Many Requests\n", .notJSON, "not JSON: Too Many Requests"),
        ("escape sequences", "$", "\u{1B}[31mred\u{7}", .notJSON, #"not JSON: \u{1b}[31mred\u{7}"#),
        ("a list cut off", "$", #"[{"id":1},{"id":"#, .truncated, "ends too early, after 16 bytes"),
        ("a list cut off between records", "$", #"[{"id":1},"#, .truncated, "ends too early"),
        ("a list without its bracket", "$", #"[{"id":1}"#, .truncated, "ends too early"),
        ("a text cut off", "$", #"[{"id":1,"name":"Ad"#, .truncated, "ends too early"),
        ("an object cut off", "r", #"{"r":[{"id":1}]"#, .truncated, "ends too early"),
        ("a missing comma", "$", #"[{"id":1} {"id":2}]"#, .notJSON, "line 1, column 11: expected ',' or ']'"),
        ("a comma too many", "$", "[{\"id\":1},\n]", .notJSON, "line 2, column 1: expected a value"),
        ("a missing colon", "$", #"[{"id" 1}]"#, .notJSON, "expected ':' behind the key"),
        ("a text with a colon in a list", "r", #"{"r":[],"x":["y":1]}"#, .notJSON, "expected ',' or ']'"),
        ("brackets that do not match", "$", #"[{"id":1]]"#, .notJSON, "expected ',' or '}'"),
        ("a bracket too many", "$", #"[{"id":1}]]"#, .notJSON, "more text behind the end"),
        ("text behind the end", "$", #"[{"id":1}] x"#, .notJSON, "more text behind the end"),
        ("two documents", "$", #"{"id":1}{"id":2}"#, .notJSON, "more text behind the end"),
        ("a raw line break in a text", "$", "[{\"id\":1,\"name\":\"a\nb\"}]", .notJSON, "control character"),
        ("a bad value beside the records", "r", #"{"x":tru,"r":[{"id":1}]}"#, .notJSON, "expected 'true'"),
        ("a bad text beside the records", "r", #"{"r":[{"id":1}],"x":"\ud800"}"#, .notJSON, "half of a surrogate pair"),
        ("a number", "$", "42", .noRecords, "no list of records at the top of the answer but a number"),
        ("null", "$", "null", .noRecords, "but null"),
        ("null at the path", "r", #"{"r":null}"#, .noRecords, "no list of records at 'r' but null"),
        ("a text at the path", "r", #"{"r":"x"}"#, .noRecords, "no list of records at 'r' but a text"),
        (
            "no such path", "data.items", #"{"results":[],"data":{}}"#, .noRecords,
            "nothing at 'data.items', the answer is an object with 'results', 'data'"
        ),
        (
            "an error instead of a list", "results", #"{"error":"Uh oh,\nsomething has gone wrong"}"#, .noRecords,
            "the answer says: Uh oh, something has gone wrong"
        ),
        ("an error at the top", "$", #"{"error":"id not found"}"#, .noRecords, "the answer says: id not found"),
        ("an empty object", "$", "{}", .noRecords, "an empty object"),
        ("an object of another kind", "$", #"{"a":1,"b":2}"#, .noRecords, "an object with 'a', 'b'"),
        (
            "a nested error", "quoteResponse.result",
            #"{"finance":{"result":null,"error":{"code":"Unauthorized","description":"Invalid Crumb"}}}"#, .noRecords,
            "the answer says: Unauthorized: Invalid Crumb"
        ),
        (
            "a list of errors", "data", #"{"errors":[{"detail":"no such page"}]}"#, .noRecords,
            "the answer says: no such page"
        ),
        (
            "no JSON in a list that a later one replaces", "r", #"{"r":[{"id":1,"name":nope}],"r":[]}"#, .notJSON,
            "not JSON"
        ),
        ("a list where keys are expected", "a.b", "[1,2]", .noRecords, "nothing at 'a.b', the answer is a list"),
    ]

    @Test(arguments: unreadable)
    func saysWhyThePageCannotBeUsed(name: String, path: String, page: String, kind: UnreadableKind, detail: String) {
        let failure = PageReader(makeSource(Self.columns, records: path)).failure(Array(page.utf8))
        guard case .unreadable(let found, let text) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(found == kind)
        #expect(text.contains(detail), "\(text)")
        #expect(!text.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "no control character reaches a terminal")
    }

    @Test(arguments: [
        ("a stray byte", Array(#"[{"id":1,"name":"a"#.utf8) + [0xFF] + Array(#""}]"#.utf8), 18),
        ("an overlong slash", Array(#"[""#.utf8) + [0xC0, 0xAF] + Array(#""]"#.utf8), 2),
        ("an encoded surrogate", Array(#"["é"#.utf8) + [0xED, 0xA0, 0x80] + Array(#""]"#.utf8), 4),
        ("half a character at the end", Array(#"["#.utf8) + [0xE2, 0x82], 1),
    ]) func invalidUTF8IsNeverReplaced(name: String, page: [UInt8], offset: Int) {
        let failure = PageReader(makeSource(Self.columns)).failure(page)
        #expect(failure == .unreadable(.invalidUTF8, detail: "byte \(offset) of the answer is not UTF-8"))
    }

    @Test(arguments: [
        ("lists at the top", String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)),
        ("an open end", String(repeating: "[", count: 100_000)),
        (
            "objects in a field",
            #"[{"id":1,"x":"# + String(repeating: #"{"x":"#, count: 10_000) + "1"
                + String(repeating: "}", count: 10_000) + "}]"
        ),
        (
            "lists of records",
            #"[{"id":1,"x":"# + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "}]"
        ),
    ]) func deepNestingIsAnErrorAndNoCrash(name: String, page: String) {
        let failure = PageReader(makeSource(Self.columns)).failure(Array(page.utf8))
        switch failure {
        case .unreadable(.tooDeep, let detail): #expect(detail == "nested deeper than 256 levels")
        case .unreadable(.truncated, _): #expect(name == "an open end")
        default: Issue.record("\(String(describing: failure))")
        }
    }

    @Test func nestingWithinTheCapIsRead() throws {
        let deep = String(repeating: "[", count: 250) + String(repeating: "]", count: 250)
        let batch = try PageReader(makeSource(Self.columns)).records(#"[{"id":1,"x":\#(deep)}]"#)
        #expect(batch.rows == [[.integer(1), .absent, .text(#"{"x":\#(deep)}"#)]])
    }

    @Test func anErrorWithStatus200IsNoRejectedRecord() throws {
        let reader = PageReader(makeSource(Self.columns))
        guard case .unreadable(.noRecords, _) = reader.failure(Array(#"{"error":"x","code":5}"#.utf8)) else {
            Issue.record("an error answer was taken for a record")
            return
        }
        // A record that lacks its key is a bad record all the same.
        #expect(try reader.records(#"{"name":"Ada"}"#).rejects.map(\.reason) == ["id: missing"])
        #expect(try reader.records(#"[{"error":"x"}]"#).rejects.map(\.reason) == ["id: missing"])
    }

    @Test func capturesWhatThePagerAsksFor() throws {
        let paths = ["next", "info.total", "missing", "links.0.href", "info"].map { JSONPath(parsing: $0) }
        let reader = PageReader(makeSource(Self.columns, records: "data"), capturing: paths)
        let page = Array(
            #"{"next":"a\u0062c","info":{"total":12},"data":[{"id":1}],"links":[{"href":null}],"next":"last"}"#.utf8)
        let captured = try reader.read(page).captured
        #expect(
            captured == [
                paths[0]: .text("last"), paths[1]: .integer(12), paths[3]: .null,
                paths[4]: .object([JSONMember("total", .integer(12))]),
            ])
        #expect(try reader.read(Array(#"{"data":[]}"#.utf8)).captured == [:])
    }
}
