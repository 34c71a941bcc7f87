import CrawlCore
import CrawlJSON
import Testing

@testable import CrawlKit

@Suite("Names that a probe gives")
struct ProbeNamesTests {
    @Test(
        "any key becomes a name that a table can have",
        arguments: [
            (["id"], "id"), (["userId"], "userId"), (["address", "zip code"], "address_zip_code"),
            (["_id"], "_id"), (["@odata.etag"], "odata_etag"), (["$ref"], "ref"), (["+1"], "_1"), (["1st"], "_1st"),
            (["x\"; DROP TABLE things; --"], "x_DROP_TABLE_things"), (["a\nb\u{0}c\u{1b}[31md"], "a_b_c_31md"),
            (["größe"], "gr_e"), (["日本語"], "column"), ([""], "column"), (["___"], "column"), (["a", ""], "a"),
            (["extra"], "extra_value"), (["Page"], "Page_value"), (["ROWID"], "ROWID_value"), (["oid"], "oid_value"),
            (["_rowid_"], "_rowid"), (["crawl_runs"], "_crawl_runs"), (["SQLITE_master"], "_SQLITE_master"),
            (["select"], "select"), (["'"], "column"), (["a'b"], "a_b"), (["\u{202e}rtl"], "rtl"),
            ([String(repeating: "n", count: 300)], String(repeating: "n", count: 60)),
        ] as [([String], String)])
    func name(path: [String], expected: String) {
        var names = ColumnNames()
        #expect(names.name(for: path) == expected)
    }

    @Test("names that come twice, or differ in case only, are told apart")
    func twice() {
        var names = ColumnNames()
        let long = String(repeating: "n", count: 300)
        let found = [["a_b"], ["a", "b"], ["A.B"], ["a b"], [long], [long + "x"]].map { names.name(for: $0) }
        #expect(Array(found.prefix(4)) == ["a_b", "a_b_2", "A_B_3", "a_b_4"])
        #expect(found[4].count == 60 && found[5].count == 60 && found[4] != found[5])
    }

    @Test("hostile keys give a source file that is right, and every record is read at its place")
    func hostile() async throws {
        let keys = [
            "id", "extra", "page", "rowid", "a\"b", "x'; DROP TABLE things; --", "line\nbreak", "tab\t", "nul\u{0}",
            "\u{1b}[2J", "a.b", "$", "$.x", "a[0]", "{x}", "${HOME}", "", " ", "crawl_runs", "sqlite_x", "ID", "Id",
            "日本", "päge", "\u{202e}evil", "0", "-", "select", "__proto__",
        ]
        let records = (1...3).map { number in
            JSONValue.object(keys.map { JSONMember($0, .text("\($0)\(number)")) }).text
        }
        let api = FakeAPI("https://hostile.example.test/things") { _ in
            FakeAPI.Answer(body: "[\(records.joined(separator: ","))]")
        }
        let finding = try await api.probe()
        let source = finding.source
        #expect(source.key == ["id"])
        #expect(source.columns.count == keys.count)
        let text = SourceFile.text(of: source)
        #expect(try SourceFile.source(from: Array(text.utf8), file: "hostile.json") == source)
        let isPlain = text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7f }
        #expect(isPlain)
        let crawl = try api.crawl(source)
        #expect(crawl.rejects == [])
        #expect(crawl.rows.count == 3)
        for (index, key) in keys.enumerated() {
            let column = try #require(
                source.columns.firstIndex { $0.path.components == [key] }, "\(key.debugDescription)")
            #expect(crawl.rows[1][column] == .text("\(key)2"), "\(index)")
        }
    }

    @Test(
        "the source's name comes from the address",
        arguments: [
            ("https://api.example.com/v1/things?x=1", "things"), ("https://example.com/", "example"),
            ("https://api.example.com/search", "example"), ("https://a.example/data/things.json", "things"),
            ("https://jsonplaceholder.typicode.com/posts", "jsonplaceholder_posts"),
            ("https://a.example/page", "page"), ("https://a.example/12/34", "a"),
            ("http://127.0.0.1:8090/", "source"), ("https://a.example/%D0%BF", "D0_BF"),
            ("https://a.example/crawl_runs", "_crawl_runs"),
        ])
    func sourceName(url: String, expected: String) async throws {
        let api = FakeAPI(url) { _ in FakeAPI.Answer(body: #"[{"id":1},{"id":2}]"#) }
        #expect(try await api.probe().source.name == expected)
    }
}
