import CrawlCore
import Testing

@testable import CrawlJSON

@Suite("Pages in pieces")
struct PieceTests {
    private static let blanks = String(repeating: " ", count: 1_100_000)

    private static let pages: [(name: String, path: [String], page: String)] = [
        ("a list", [], #"[{"id":1,"name":"a"},{"id":2},{"name":"x"},{"id":3,"other":[1,{"a":2}]}]"#),
        ("no records", [], "[]"), ("blanks alone", [], "  "), ("one record", [], #"{"id":1,"other":2}"#),
        ("no record", [], #"{"error":"no"}"#), ("a scalar", [], "7"), ("text", [], "hello"), ("HTML", [], "<html>"),
        ("scalars", [], #"[1,"a",null,true,[{"id":9}],{"id":5}]"#),
        (
            "nested", ["data", "items"],
            #"{"next":"c","data":{"n":1,"items":[{"id":1},{"id":2}],"m":[]},"t":{"x":[1]}}"#
        ),
        ("escaped path", ["data", "items"], #"{"d\u0061ta":{"\u0069tems":[{"id":1}]}}"#),
        ("the last of two", ["data"], #"{"data":[{"id":1},{"id":2}],"next":"c","data":[{"id":3}]}"#),
        ("the last of two is none", ["data"], #"{"data":[{"id":1}],"data":7}"#),
        ("in an array", ["data", "1"], #"{"data":[[{"id":1}],[{"id":2},{"id":3}]]}"#),
        ("one object", ["data"], #"{"data":{"id":7,"name":"only"},"next":"c"}"#),
        ("missing", ["data"], #"{"other":[{"id":1}]}"#),
        ("a comma at the end", [], #"[{"id":1},]"#), ("two commas", [], #"[{"id":1},,{"id":2}]"#),
        ("a comma first", [], #"[,{"id":1}]"#), ("not closed", [], #"[{"id":1}"#), ("too much", [], #"[{"id":1}]]"#),
        ("mixed brackets", [], #"[{"id":1]}"#), ("no colon", [], #"[{"id" 1}]"#),
        ("no comma", [], #"[{"id":1}{"id":2}]"#),
        ("open text", [], #"[{"id":1,"name":"a}]"#), ("escaped quote", [], #"[{"id":1,"name":"a\"]},[\\"}]"#),
        ("bad token", [], #"[{"id":1,"other":tru},{"id":2}]"#), ("bad escape", [], #"[{"id":1,"name":"\x"},{"id":2}]"#),
        ("raw control character", [], "[{\"id\":1,\"name\":\"a\nb\"}]"),
        ("duplicate keys", [], #"[{"id":1,"id":2,"o":1,"o":2}]"#),
        ("nested too deep", [], "[" + String(repeating: "[", count: 300) + String(repeating: "]", count: 300) + "]"),
        ("unicode", [], #"[{"id":1,"name":"日本 \ud83d\ude00"},{"id":2,"name":"\ud800"}]"#),
    ]

    @Test("A page read in pieces holds what it holds as a whole, or fails as it does", arguments: pages)
    func sameAsWhole(_ name: String, path: [String], page: String) throws {
        var source = makeSource([Column("id", .integer, isRequired: true), Column("name", .text)])
        source.records = JSONPath(path)
        let reader = PageReader(source, capturing: [JSONPath(["next"]), JSONPath(["data", "n"])])
        let whole = Result { () throws(FetchFailure) in try reader.read(Array(page.utf8)) }
        // Blanks change nothing but the size.
        for text in [Self.blanks + page, page + Self.blanks, "\u{feff}" + Self.blanks + page] {
            let pieces = Result { () throws(FetchFailure) in try reader.read(Array(text.utf8)) }
            switch (whole, pieces) {
            case (.success(let whole), .success(let pieces)):
                #expect(pieces.records.rows == whole.records.rows)
                #expect(pieces.records.rejects == whole.records.rejects)
                #expect(pieces.captured == whole.captured)
                #expect(pieces.records.firstRejection == whole.records.firstRejection)
            case (.failure(.unreadable(let whole, _)), .failure(.unreadable(let pieces, _))):
                #expect(whole == pieces)
            default:
                Issue.record("\(name): \(whole) as a whole, \(pieces) in pieces")
            }
        }
    }

    @Test("Thousands of records in many pieces keep their order and their places")
    func order() throws {
        let records = (1...20_000).map { $0 % 1000 == 0 ? #"{"name":"no \#($0)"}"# : #"{"id":\#($0),"x":"\#($0)"}"# }
        let source = makeSource([Column("id", .integer, isRequired: true), Column("name", .text)])
        let batch = try PageReader(source).read(Array("[\(records.joined(separator: " , "))]".utf8)).records
        #expect(batch.rowCount == 19_980 && batch.rejectCount == 20)
        let expected = (1...20_000).filter { $0 % 1000 != 0 }.map { CellValue.integer(Int64($0)) }
        let ids = batch.rows.map { $0[0] }
        #expect(ids == expected)
        let places = (1...20).map { $0 * 1000 }
        #expect(batch.rejects.map(\.position) == places)
        #expect(batch.rejects[4].payload == Array(#"{"name":"no 5000"}"#.utf8))
        #expect(batch.lastPart?.rejects.last?.position == 20_000)
    }
}
