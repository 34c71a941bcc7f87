import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl export", .fewAtOnce)
struct ExportTests {
    /// The columns of an export without `--columns`.
    static let columns = FirstCrawlTests.columns.components(separatedBy: ", ").filter { $0 != "page" }

    @Test("writes output/users.csv with all columns, and says so on stderr")
    func plain() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "50")
        let result = try await scene.crawl("export", "users")
        #expect(result.exitCode == 0)
        #expect(result.output == "")
        #expect(result.errors.contains(#/^50 users written to output/users\.csv \(\d+\.\d KB\)\n$/#), "\(result)")
        let lines = scene.contents("output/users.csv").split(separator: "\n")
        #expect(lines.first == Substring(Self.columns.joined(separator: ",")))
        #expect(!scene.contents("output/users.csv").contains("\r"))
        #expect(scene.names() == ["crawl.db", "users.csv"])
    }

    @Test("what the sqlite3 shell reads back from CSV is what is stored", arguments: [false, true])
    func roundTrip(isNasty: Bool) async throws {
        let scene = isNasty ? try await NastyPeople.scene() : try Scene()
        if !isNasty { _ = try await scene.crawl("--count", "300", "--page-size", "100") }
        #expect(try await scene.crawl("export", "users").exitCode == 0)
        let differences = Self.columns.map { column in
            column.hasPrefix("address_coordinates")
                ? "CAST(nullif(back.\(column), '') AS REAL) IS NOT users.\(column)"
                : "back.\(column) IS NOT coalesce(CAST(users.\(column) AS TEXT), '')"
        }
        let result = try await scene.shell(
            """
            sqlite3 back.db '.import --csv output/users.csv back' "ATTACH 'output/crawl.db' AS crawled" \
            "SELECT count(*) FROM back" \
            "SELECT count(*) FROM users LEFT JOIN back USING (uid) WHERE \(differences.joined(separator: " OR "))" \
            "SELECT group_concat(uid) FROM users LEFT JOIN back USING (uid) WHERE \(differences.joined(separator: " OR "))"
            """)
        #expect(result.output == "\(isNasty ? NastyPeople.texts.count : 300)\n0\n\n", "\(result)")
        #expect(result.errors == "")
    }

    @Test("JSON and NDJSON hold the same values, with numbers as numbers", arguments: ["json", "ndjson"])
    func json(_ format: String) async throws {
        let scene = try await NastyPeople.scene()
        let result = try await scene.crawl("export", "users", "--format", format)
        #expect(result.exitCode == 0, "\(result)")
        let text = scene.contents("output/users.\(format)")
        let rows: [[String: Any]]
        if format == "json" {
            rows = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        } else {
            rows = try EventLines(text).objects
        }
        #expect(rows.map { $0["first_name"] as? String } == NastyPeople.texts)
        #expect(rows.map { $0["id"] as? Int } == Array(NastyPeople.texts.indices))
        #expect(rows.allSatisfy { $0["last_name"] is NSNull })
        // The text, for Foundation on Linux reads the last digit of a double wrongly; and SQLite knows no negative zero.
        #expect(
            rows.indices.dropFirst().allSatisfy { text.contains("\"address_coordinates_lat\":\(-0.1 * Double($0)),") })
        #expect(rows[7]["address_zip_code"] as? String == "07", "text stays text")
        let extra = rows[7]["extra"] as? [String: [String: String]]
        #expect(extra == ["odd": ["text": "\"\""]], "what is JSON in the table is JSON in the file")
        #expect(Set(rows[0].keys) == Set(Self.columns))
    }

    @Test("TSV has a line a record and a tab a column, whatever the texts hold")
    func tsv() async throws {
        let scene = try await NastyPeople.scene()
        let result = try await scene.crawl("export", "users", "--format", "tsv", "-o", "-")
        #expect(result.exitCode == 0, "\(result)")
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == NastyPeople.texts.count + 1)
        #expect(
            lines.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == Self.columns.count }
        )
    }

    @Test("a table without rows gives the header alone", arguments: ["csv", "tsv", "json", "ndjson"])
    func noRows(_ format: String) async throws {
        let scene = try Scene { $0.faults = [Fault(.missingKey)] }
        let crawled = try await scene.crawl("--count", "5", "--page-size", "1")
        #expect(crawled.exitCode == 3, "\(crawled)")
        let result = try await scene.crawl("export", "users", "--format", format, "-o", "-")
        #expect(result.exitCode == 0, "\(result)")
        switch format {
        case "csv": #expect(result.output == Self.columns.joined(separator: ",") + "\n")
        case "tsv": #expect(result.output == Self.columns.joined(separator: "\t") + "\n")
        case "json": #expect(result.output.filter { !$0.isWhitespace } == "[]")
        default: #expect(result.output == "")
        }
    }

    @Test("--columns chooses and orders; page is one of them when asked for")
    func chosenColumns() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "3", "--page-size", "1")
        let result = try await scene.crawl("export", "users", "--columns", "page,uid,id", "-o", "-")
        #expect(result.exitCode == 0)
        #expect(result.errors == "")
        let expected = try await scene.query("SELECT page || ',' || uid || ',' || id FROM users ORDER BY rowid")
        #expect(result.output == "page,uid,id\n\(expected)\n")
        let elsewhere = try await scene.crawl("export", "users", "--columns", "uid", "-o", "a/b/c.csv")
        #expect(elsewhere.exitCode == 0)
        #expect(scene.contents("a/b/c.csv").hasPrefix("uid\n"))
    }

    @Test("--excel: byte order mark, CRLF, and no text is taken for a formula")
    func excel() async throws {
        let scene = try await NastyPeople.scene()
        let columns = "first_name,address_coordinates_lat"
        let result = try await scene.crawl("export", "users", "--excel", "--columns", columns, "-o", "x.csv")
        #expect(result.exitCode == 0, "\(result)")
        let bytes = scene.bytes("x.csv")
        #expect(bytes.starts(with: [0xEF, 0xBB, 0xBF]))
        let text = String(decoding: bytes.dropFirst(3), as: UTF8.self)
        #expect(text.unicodeScalars.starts(with: "first_name,address_coordinates_lat\r\n".unicodeScalars))
        for (index, formula) in NastyPeople.texts.enumerated() where "=+-@".contains(formula.first ?? " ") {
            let number = -0.1 * Double(index)
            let quoted = formula.replacingOccurrences(of: "\"", with: "\"\"")
            #expect(text.contains("\"'\(quoted)\",\(number)\r\n"), "\(formula) is not neutralised, or its number is")
        }
        let wrong = try await scene.crawl("export", "users", "--excel", "--format", "json")
        #expect(wrong.exitCode == 64, "\(wrong)")
    }

    @Test("crawl --csv does both")
    func crawlAndExport() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "20", "--csv", "people.csv")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.errors.contains("20 users written to people.csv"), "\(result)")
        #expect(scene.contents("people.csv").split(separator: "\n").count == 21)
        let again = try await scene.crawl("--count", "20", "--csv", "again.csv")
        #expect(again.exitCode == 0)
        #expect(scene.contents("again.csv") == scene.contents("people.csv"), "also when there is nothing to crawl")
    }

    @Test("a NUL in a text is kept in every format", arguments: ["csv", "tsv", "json", "ndjson"])
    func nul(_ format: String) async throws {
        let scene = try Scene { $0.faults = [Fault(.nul)] }
        _ = try await scene.crawl("--count", "2", "--page-size", "1")
        let result = try await scene.crawl("export", "users", "--columns", "first_name", "--format", format, "-o", "-")
        #expect(result.exitCode == 0, "\(result)")
        let kept = format.hasSuffix("json") ? #"nul\u0000inside"# : "nul\0inside"
        #expect(result.output.contains(kept), "\(result.output.debugDescription)")
    }
}
