import CrawlCore
import CrawlJSON
import Testing

@Suite struct ExtraTests {
    static let columns = [
        column("id", .integer), column("city", .text, path: "address.city"),
        column("lat", .real, path: "address.at.lat"),
    ]

    /// Named records, what their columns get, and what is left over.
    static let leftovers: [(name: String, record: String, cells: [CellValue], extra: String?)] = [
        ("nothing", #"{"id":1,"address":{"city":"A","at":{"lat":1.5}}}"#, [.integer(1), .text("A"), .real(1.5)], nil),
        ("a field", #"{"id":1,"foo": "b\u0061r" }"#, [.integer(1), .absent, .absent], #"{"foo":"b\u0061r"}"#),
        (
            "raw values", #"{"a": 1.0e+5,"id":1,"b":[ 1 , {"x": null} ]}"#, [.integer(1), .absent, .absent],
            #"{"a":1.0e+5,"b":[ 1 , {"x": null} ]}"#
        ),
        (
            "nested fields in their place", #"{"address":{"zip":"0","city":"A","at":{"lng":2,"alt":3}},"z":true}"#,
            [.absent, .text("A"), .absent], #"{"address":{"zip":"0","at":{"lng":2,"alt":3}},"z":true}"#
        ),
        (
            "only a deep field", #"{"address":{"at":{"lng":2}}}"#, [.absent, .absent, .absent],
            #"{"address":{"at":{"lng":2}}}"#
        ),
        (
            "an empty object that was sent", #"{"id":1,"e":{}, "l":[]}"#, [.integer(1), .absent, .absent],
            #"{"e":{},"l":[]}"#
        ),
        (
            "no empty object that is left over", #"{"address":{"city":"A","at":{}}}"#, [.absent, .text("A"), .absent],
            nil
        ),
        (
            "a text where an object is expected", #"{"id":1,"address":"x"}"#, [.integer(1), .absent, .absent],
            #"{"address":"x"}"#
        ),
        ("null where an object is expected", #"{"address":null}"#, [.absent, .absent, .absent], #"{"address":null}"#),
        (
            "a list where an object is expected", #"{"address":[{"city":"A"}]}"#, [.absent, .absent, .absent],
            #"{"address":[{"city":"A"}]}"#
        ),
        ("keys with escapes", #"{"i\u0064":7,"\u00e9\"":1}"#, [.integer(7), .absent, .absent], #"{"\u00e9\"":1}"#),
        (
            "a key that begins like a column", #"{"idx":7,"i":8,"id ":9}"#, [.absent, .absent, .absent],
            #"{"idx":7,"i":8,"id ":9}"#
        ),
        ("an empty key", #"{"":1}"#, [.absent, .absent, .absent], #"{"":1}"#),
        (
            "fields in another order", #"{"address":{"at":{"lat":1},"city":"A"},"id":1}"#,
            [.integer(1), .text("A"), .real(1)], nil
        ),
        // The last value of a key counts, as in every JSON parser that builds objects.
        ("a key twice", #"{"id":1,"id":2}"#, [.integer(2), .absent, .absent], nil),
        ("a key twice, the first one wrong", #"{"id":"x","id":2}"#, [.integer(2), .absent, .absent], nil),
        ("a key twice, the second one null", #"{"id":1,"id":null}"#, [.null, .absent, .absent], nil),
        ("a key twice, once with escapes", #"{"id":1,"\u0069d":2}"#, [.integer(2), .absent, .absent], nil),
        ("an unnamed key twice", #"{"f":1,"g":2,"f":3}"#, [.absent, .absent, .absent], #"{"g":2,"f":3}"#),
        (
            "an object twice", #"{"address":{"city":"A","zip":1},"address":{"at":{"lat":5}}}"#,
            [.absent, .absent, .real(5)], nil
        ),
        (
            "an object and then a text", #"{"address":{"city":"A"},"address":"x"}"#, [.absent, .absent, .absent],
            #"{"address":"x"}"#
        ),
        (
            "a text and then an object", #"{"address":"x","address":{"city":"A","city":"B"}}"#,
            [.absent, .text("B"), .absent], nil
        ),
    ]

    @Test(arguments: leftovers)
    func keepsWhatNoColumnNames(name: String, record: String, cells: [CellValue], extra: String?) throws {
        let batch = try PageReader(makeSource(Self.columns)).records(#"[{"id":0},\#(record),{"id":9}]"#)
        #expect(batch.rejects == [])
        #expect(batch.rows.count == 3)
        #expect(batch.rows[1] == cells + [extra.map { .text($0) } ?? .absent])
        #expect(batch.rows[2] == [.integer(9), .absent, .absent, .absent], "nothing of one record reaches the next")
    }

    @Test func duplicateKeysStillRejectTheRecordByTheLastValue() throws {
        let reader = PageReader(makeSource([column("id", .integer, required: true)]))
        let batch = try reader.records(#"[{"id":1,"id":"x"},{"id":1,"id":null},{"id":"\ud800","id":2}]"#)
        #expect(
            batch.rejects.map(\.reason) == [
                "id: expected integer, got text", "id: null, but the source requires it",
                #"id: invalid escape in the string "\ud800""#,
            ])
    }

    @Test func brokenJSONInAnUnnamedFieldRejectsTheRecord() throws {
        let reader = PageReader(makeSource([column("id", .integer)]))
        let batch = try reader.records(#"[{"id":1,"x":[{"y":tru}]},{"id":2,"x":{"\ud800":1}},{"id":3}]"#)
        #expect(batch.rejects.map(\.reason) == ["tru is not a JSON value", #"invalid escape in the key "\ud800""#])
        #expect(batch.rows == [[.integer(3), .absent]])
    }

    @Test func elementsOfListsCanBeColumns() throws {
        let reader = PageReader(
            makeSource([column("first", .text, path: "tags.0"), column("x", .integer, path: "points.1.x")]))
        let batch = try reader.records(
            #"""
            [{"tags":["a"],"points":[{"x":1},{"x":2}]}, {"tags":["a","b"]}, {"tags":[]}, {"tags":{"0":"k"}},
             {"tags":["a","b"],"tags":["c"]}]
            """#)
        #expect(batch.rejects == [])
        #expect(
            batch.rows == [
                [.text("a"), .integer(2), .text(#"{"points":[{"x":1},{"x":2}]}"#)],
                [.text("a"), .absent, .text(#"{"tags":["a","b"]}"#)],
                [.absent, .absent, .absent],
                [.text("k"), .absent, .absent],
                [.text("c"), .absent, .absent],
            ])
    }

    @Test func aPathMayBeNamedWholeAndInParts() throws {
        let reader = PageReader(
            makeSource([
                column("whole", .json, path: "a"), column("part", .integer, path: "a.b"),
                column("again", .real, path: "a.b"),
            ]))
        let batch = try reader.records(#"[{"a":{"b":1, "c":2}},{"a":5},{"a":[1]}]"#)
        #expect(batch.rejects == [])
        #expect(
            batch.rows == [
                [.text(#"{"b":1, "c":2}"#), .integer(1), .real(1), .absent],
                [.text("5"), .absent, .absent, .absent],
                [.text("[1]"), .absent, .absent, .absent],
            ])
    }

    @Test func manyUnnamedKeysOfOneRecordAreReadInTime() throws {
        let fields = (0..<20_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
        let reader = PageReader(makeSource([column("id", .integer)]))
        let plain = try reader.records("[{\(fields)}]")
        #expect(plain.rows == [[.absent, .text("{\(fields)}")]], "in full")
        let doubled = try reader.records("[{\(fields),\(fields)}]")
        #expect(doubled.rows == plain.rows)
    }
}
