import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Bad records", .fewAtOnce)
struct RejectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fault: String
        var reason: String
        /// What the original bytes of the record hold.
        var holds: String
        var testDescription: String { fault }
    }

    static let cases = [
        Case(fault: "missing-uid", reason: "uid: missing", holds: #""first_name":"#),
        Case(fault: "null-uid", reason: "uid: null, but the source requires it", holds: #""uid":null"#),
        Case(fault: "wrong-type", reason: "uid: expected text, got object", holds: #""uid":{"wrong":true}"#),
        Case(fault: "wrong-column", reason: "id: expected integer, got text", holds: #""id":"twelve""#),
        Case(
            fault: "big-integer", reason: "id: 9223372036854775808 is out of range for a 64-bit integer",
            holds: #""id":9223372036854775808"#),
        Case(
            fault: "lone-surrogate",
            reason: #"first_name: invalid escape in the string "half \ud83d pair""#,
            holds: #""first_name":"half \ud83d pair""#),
        Case(fault: "not-an-object", reason: "record is not an object but a number", holds: "42"),
    ]

    @Test("go to crawl_rejects with reason and original bytes; the rest of the page is stored", arguments: cases)
    func rejected(_ item: Case) async throws {
        let scene = try Scene()
        scene.server.replaceFaults([try Fault(parsing: item.fault + ":2")])
        let result = try await scene.crawl("--count", "30", "--page-size", "5", "--concurrency", "1", "--json")
        #expect(result.exitCode == 0, "\(result)")
        let finished = try EventLines(result.output).last("finished")
        // A last page may still have been on its way when the target stood.
        let pages = try #require(Int(try await scene.query("SELECT count(*) FROM crawl_pages")))
        let spoilt = scene.requests.prefix(pages).filter { $0.fault != nil }.count
        #expect(spoilt >= 3)
        #expect(finished["rejected"] as? Int == spoilt)
        #expect(finished["retries"] as? Int == 0)
        let rejects = try await scene.query(
            "SELECT position, reason, CAST(payload AS TEXT), typeof(payload) FROM crawl_rejects LIMIT 1"
        ).components(separatedBy: "|")
        #expect(try await scene.query("SELECT count(*), count(DISTINCT reason) FROM crawl_rejects") == "\(spoilt)|1")
        #expect(rejects[0] == "3", "the third of five")
        #expect(rejects[1] == item.reason)
        #expect(rejects[2].contains(item.holds), "\(rejects[2])")
        #expect(item.fault == "not-an-object" || (rejects[2].hasPrefix("{") && rejects[2].hasSuffix("}")))
        #expect(rejects[3] == "blob")
        #expect(try await scene.query("SELECT sum(new), sum(rejected) FROM crawl_pages") == "30|\(spoilt)")
        try await scene.expectUsers(30)
    }

    @Test("a server whose records are all bad: stops, exit 3, and says where the reasons stand")
    func allBad() async throws {
        let scene = try Scene { $0.faults = [Fault(.missingKey)] }
        let result = try await scene.crawl("--count", "5", "--page-size", "1")
        #expect(result.exitCode == 3, "\(result)")
        #expect(result.output.contains(" rejected; "), "\(result)")
        #expect(result.errors.contains("rejected") && result.errors.contains("crawl_rejects"), "\(result)")
        #expect(scene.requests.count <= 100)
        try await scene.expectUsers(0)
    }

    @Test("the original bytes are those that came, to the last one")
    func originalBytes() async throws {
        let records = [#"{ "uid" : 7,  "a":[1, 2 ] , "é":"\u00e9" }"#, "null", #""text""#, "[1, 2]", "true", "{}"]
        let server = try ScriptedServer([
            .answer(text: "[\n" + records.joined(separator: " ,\n") + #", {"uid": "good"}]"#)
        ])
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl("--count", "1", environment: Scene.users(at: server.url("/")))
        #expect(result.exitCode == 0, "\(result)")
        let payloads = try await scene.query("SELECT position || ' ' || CAST(payload AS TEXT) FROM crawl_rejects")
        #expect(payloads.components(separatedBy: "\n") == records.enumerated().map { "\($0 + 1) \($1)" })
        try await scene.expectUsers(1)
    }

    @Test("unknown fields are kept in extra, as they came")
    func extra() async throws {
        let scene = try Scene { $0.faults = [Fault(.extraField, in: 2...2)] }
        let result = try await scene.crawl("--count", "9", "--page-size", "3")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*), count(extra) FROM users") == "9|1")
        let extra = try await scene.query("SELECT extra FROM users WHERE extra IS NOT NULL")
        #expect(extra == #"{"favourite_colour":"teal","scores":[1,2.5,null],"nested":{"a":{"b":true}}}"#)
    }

    @Test("a NUL in a text is kept")
    func nul() async throws {
        let scene = try Scene { $0.faults = [Fault(.nul)] }
        #expect(try await scene.crawl("--count", "2", "--page-size", "1").exitCode == 0)
        let stored = try await scene.query("SELECT DISTINCT hex(CAST(first_name AS BLOB)) FROM users")
        #expect(stored == "6E756C00696E73696465")
        try await scene.expectUsers(2)
    }

    @Test("control characters are kept in the table")
    func control() async throws {
        let scene = try Scene { $0.faults = [Fault(.control)] }
        #expect(try await scene.crawl("--count", "1").exitCode == 0)
        let stored = try await scene.query("SELECT hex(first_name) FROM users")
        #expect(stored == "1B5B33316D726564070D0AC29B324A")
    }

    @Test("a byte order mark before a page is no part of it")
    func byteOrderMark() async throws {
        let scene = try Scene { $0.faults = [Fault(.byteOrderMark)] }
        #expect(try await scene.crawl("--count", "4", "--page-size", "1").exitCode == 0)
        try await scene.expectUsers(4)
    }

    struct Value: Sendable, CustomTestStringConvertible {
        var column: String
        var json: String
        /// The type and the value, nil where the record is rejected.
        var stored: String?
        var testDescription: String { "\(column): \(json)" }

        /// A stored double with its 64 bits in hexadecimal digits.
        var bits: String? {
            guard let stored, stored.hasPrefix("real "), let number = Double(stored.dropFirst(5)) else { return nil }
            return "real " + String(format: "%016lX", number.bitPattern)
        }
    }

    static let values = [
        Value(column: "id", json: "9007199254740993", stored: "integer 9007199254740993"),
        Value(column: "id", json: "9223372036854775807", stored: "integer 9223372036854775807"),
        Value(column: "id", json: "-9223372036854775808", stored: "integer -9223372036854775808"),
        Value(column: "id", json: "9223372036854775808"),
        Value(column: "id", json: "-9223372036854775809"),
        Value(column: "id", json: "18446744073709551616"),
        Value(column: "id", json: "3.0", stored: "integer 3"),
        Value(column: "id", json: "3.5"),
        Value(column: "id", json: "1e3", stored: "integer 1000"),
        Value(column: "id", json: "true"),
        Value(column: "id", json: "\"7\""),
        Value(column: "id", json: "[]"),
        Value(column: "id", json: "null", stored: "null "),
        Value(column: "address_zip_code", json: "\"00501\"", stored: "text 00501"),
        Value(column: "address_zip_code", json: "501"),
        Value(column: "address_zip_code", json: "\"\"", stored: "text "),
        Value(column: "address_coordinates_lat", json: "1e-08", stored: "real 1e-08"),
        Value(column: "address_coordinates_lat", json: "0.1", stored: "real 0.1"),
        Value(column: "address_coordinates_lat", json: "-63.190574399999995", stored: "real -63.190574399999995"),
        Value(column: "address_coordinates_lat", json: "5e-324", stored: "real 5e-324"),
        Value(column: "address_coordinates_lat", json: "7", stored: "real 7"),
        Value(column: "address_coordinates_lat", json: "1e999"),
        Value(column: "address_coordinates_lat", json: "\"12.5\""),
        Value(column: "first_name", json: #""\ud83d\ude00""#, stored: "text 😀"),
        Value(column: "first_name", json: #""\u0026""#, stored: "text &"),
        Value(column: "first_name", json: #""\ude00""#),
    ]

    @Test("values are exact or rejected", arguments: values)
    func value(_ value: Value) async throws {
        let field =
            switch value.column {
            case "address_zip_code": #""address": {"zip_code": \#(value.json)}"#
            case "address_coordinates_lat": #""address": {"coordinates": {"lat": \#(value.json)}}"#
            default: #""\#(value.column)": \#(value.json)"#
            }
        let server = try ScriptedServer([.answer(text: #"[{"uid": "good"}, {"uid": "one", \#(field)}]"#)])
        defer { server.stop() }
        let scene = try Scene()
        let count = value.stored == nil ? "1" : "2"
        let result = try await scene.crawl(
            "--count", count, "--page-size", "2", environment: Scene.users(at: server.url("/")))
        #expect(result.exitCode == 0, "\(result)")
        let column = value.column
        // A double is compared bit by bit, for the shell prints only fifteen digits of it.
        let stored = try await scene.query(
            """
            SELECT typeof(\(column)) || ' ' || CASE typeof(\(column))
                WHEN 'real' THEN hex(ieee754_to_blob(\(column))) ELSE coalesce(\(column), '') END
            FROM users WHERE uid = 'one'
            """)
        #expect(stored == value.bits ?? value.stored ?? "")
        let rejects = try await scene.query("SELECT count(*), group_concat(reason) FROM crawl_rejects")
        #expect(value.stored == nil ? rejects.hasPrefix("1|\(column): ") : rejects == "0|", "\(rejects)")
    }
}
