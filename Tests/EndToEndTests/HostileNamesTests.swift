import Foundation
import TestSupport
import Testing

@Suite("Names and values that mean harm", .fewAtOnce)
struct HostileNamesTests {
    /// Names of fields, in JSON as a server writes them.
    static let names = [
        "extra", "page", "rowid", "oid", "_rowid_", "users", "things", "crawl_runs", "sqlite_master", "select", "table",
        "index", "order", "group", "ID", "Id", "iD", "", " ", "0", "-", "'", "`", "]", "*", "?1", ":id", "@id", "$",
        "$.x", "a.b", "a[0]", "{x}", "${HOME}", "__proto__", "NULL", "日本", "päge",
        #"\"; DROP TABLE things; --"#, #"x') ; DELETE FROM crawl_runs; --"#, #"\"\""#, #"a\\b"#, #"line\nbreak"#,
        #"\r\n"#, #"tab\t"#, #"nul\u0000"#, #"\u001b[2J\u0007"#, #"\u009b31m"#, #"\u202eevil"#, #"\ud83d\ude00"#,
    ]

    @Test("Keys that come twice: the last one counts, however it is spelled, in columns, keys and unknown fields")
    func duplicateKeys() async throws {
        let body = #"""
            [{"id":"x","id":"a","name":"first","name":"last"},
             {"id":"x","\u0069d":"b","n\u0061me":"first","name":"last"},
             {"id":"c","o":{"p":1,"p":2},"o":3,"o":{"p":[1],"p":[2]}},
             {"id":"d","name":"text","name":null},
             {"id":"e","doc":{"k":1,"k":2}},
             {"id":"f","id":null},
             {"id":"f","id":7}]
            """#
        let scene = try HostileScene { _ in [.answer(text: body)] }
        try scene.writeSource(pagination: #"{ "style": "single" }"#)
        let result = try await scene.crawl(["--source", "things.json"])
        #expect(result.exitCode == 0, "\(result)")
        let stored = try await scene.query(
            "SELECT group_concat(id || '=' || ifnull(name, '-') || '=' || ifnull(doc, '-'), ';') FROM things")
        #expect(stored == #"a=last=-;b=last=-;c=-=-;d=-=-;e=-={"k":1,"k":2}"#)
        #expect(try await scene.query("SELECT extra FROM things WHERE id = 'c'").contains(#"[2]"#))
        #expect(try await scene.query("SELECT count(*) FROM crawl_rejects") == "2")
        try await scene.expectOrder(after: result)
    }

    @Test(
        "Unknown fields named like SQL, like columns and tables of ours: they stand in extra, and nothing else happens")
    func unknownFields() async throws {
        let fields = Self.names.enumerated().map { #""\#($0.element)":\#($0.offset)"# }
        let long = #""\#(String(repeating: "n", count: 100_000))":1"#
        let many = (0..<5000).map { #""f\#($0)":\#($0)"# }
        let body = #"[{"id":"a",\#((fields + [long] + many).joined(separator: ","))}]"#
        let scene = try HostileScene { _ in [.answer(text: body)] }
        try scene.writeSource(pagination: #"{ "style": "single" }"#)
        let result = try await scene.crawl(["--source", "things.json"])
        #expect(result.exitCode == 0, "\(result)")
        let count = try await scene.query("SELECT count(*) FROM things, json_each(things.extra)")
        #expect(count == "\(Self.names.count + 1 + 5000)")
        for index in [0, 1, 2, 38, 39] {
            let value = try await scene.query(
                "SELECT json_each.value FROM things, json_each(extra) LIMIT 1 OFFSET \(index)")
            #expect(value == "\(index)")
        }
        #expect(try await scene.query("SELECT typeof(page) FROM things") == "integer")
        for command in [["list", "things"], ["export", "things", "-o", "-"], ["status"]] {
            let shown = try await scene.crawl(command)
            #expect(shown.exitCode == 0, "\(shown)")
        }
        try await scene.expectOrder(after: result)
    }

    @Test("An API with such names is probed, crawled, listed, exported and verified")
    func probed() async throws {
        let scene = try HostileScene { _ in
            let records = (1...3).map { number in
                let fields = Self.names.map { #""\#($0)":"\#(number)""# }
                return #"{"id":"k\#(number)",\#(fields.joined(separator: ","))}"#
            }
            return [.answer(text: "[" + records.joined(separator: ",") + "]")]
        }
        let result = try await scene.crawl(["probe", scene.server.url("/things"), "--run"])
        #expect(result.exitCode == 0, "\(result)")
        let columns = try await scene.query("SELECT count(*), max(length(name)) FROM pragma_table_info('things')")
        #expect(columns.hasPrefix("\(Self.names.count + 3)|"), "\(columns)")
        let odd = try await scene.query(
            "SELECT count(*) FROM pragma_table_info('things') WHERE name GLOB '*[^A-Za-z0-9_]*' OR name = ''")
        #expect(odd == "0")
        #expect(try await scene.query("SELECT count(*), count(extra) FROM things") == "3|0")
        let dump = try await scene.query(".dump things")
        #expect(dump.contains("CREATE TABLE") && dump.contains("COMMIT"))
        for format in ["csv", "tsv", "json", "ndjson"] {
            let exported = try await scene.crawl(["export", "things", "--format", format, "-o", "-"])
            #expect(exported.exitCode == 0 && exported.output.contains("k3"), "\(exported)")
        }
        let listed = try await scene.crawl(["list", "things"])
        #expect(listed.exitCode == 0 && listed.output.contains("k3"), "\(listed)")
        let again = try await scene.crawl(["resume"])
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectOrder(after: result)
    }

    @Test("5,000 different names in each record become as many columns as a table takes, the rest stands in extra")
    func manyNames() async throws {
        let scene = try HostileScene { _ in
            let records = (1...3).map { number in
                #"{"id":"k\#(number)","# + (0..<5000).map { #""f\#($0)":\#(number)"# }.joined(separator: ",") + "}"
            }
            return [.answer(text: "[" + records.joined(separator: ",") + "]")]
        }
        let result = try await scene.crawl(["probe", scene.server.url("/things"), "--run"])
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*), count(extra) FROM things") == "3|3")
        try await scene.expectOrder(after: result)
    }
}
