import CrawlCore
import CrawlJSON
import Foundation
import TestSupport
import Testing

/// Random pages, read here and by Foundation.
@Suite struct PropertyTests {
    static let columns = [
        column("id", .integer), column("name", .text), column("score", .real, path: "at.score"),
        column("open", .boolean, path: "at.open"), column("tags", .json), column("deep", .text, path: "a.b.c"),
    ]

    struct Score: Decodable {
        struct At: Decodable { var score: Double? }
        var at: At?
    }

    @Test func agreesWithFoundationOnRandomRecords() throws {
        var random = SeededGenerator(state: 2026)
        let reader = PageReader(makeSource(Self.columns))
        for _ in 0..<150 {
            let page = Self.page(&random)
            let batch = try reader.records(page)
            #expect(batch.rejects == [])
            let objects = try #require(
                try JSONSerialization.jsonObject(with: Data(page.utf8)) as? [[String: Any]], "\(page)")
            // JSONSerialization takes doubles through decimal numbers and loses the last bits; JSONDecoder does not.
            let scores = try JSONDecoder().decode([Score].self, from: Data(page.utf8)).map(\.at?.score)
            try #require(batch.rowCount == objects.count)
            for ((row, object), score) in zip(zip(batch.rows, objects), scores) {
                let message: Comment = "\(object)"
                #expect(row[0] == Self.cell(object, "id") { .integer($0.int64Value) }, message)
                #expect(row[2] == score.map { .real($0) } ?? .absent, message)
                #expect(row[3] == Self.cell(object, "at", "open") { .integer($0.boolValue ? 1 : 0) }, message)
                #expect(row[1] == Self.text(object, "name"), message)
                #expect(row[5] == Self.text(object, "a", "b", "c"), message)
                #expect(Self.value(row[4]) == Self.dig(object, ["tags"]) as? NSObject, message)
                #expect(Self.value(row[6]) == Self.leftOver(object), message)
            }
        }
    }

    @Test func acceptsOnlyWhatFoundationAccepts() throws {
        var random = SeededGenerator(state: 7)
        let reader = PageReader(makeSource(Self.columns))
        var readable = 0
        for _ in 0..<1000 {
            var page = Array(Self.page(&random).utf8)
            for _ in 0..<Int.random(in: 0...2, using: &random) where !page.isEmpty {
                let place = Int.random(in: page.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: page.remove(at: place)
                case 1: page.insert("{}[]:,\"\\0 .e-tn".utf8.randomElement(using: &random) ?? 0, at: place)
                default: page[place] = "{}[]:,\"\\0 .e-tn".utf8.randomElement(using: &random) ?? 0
                }
            }
            guard let batch = try? reader.read(page).records, batch.rejects.isEmpty else { continue }
            readable += 1
            let text = String(decoding: page, as: UTF8.self)
            #expect(throws: Never.self, "\(text)") { try JSONSerialization.jsonObject(with: Data(page)) }
            #expect(throws: Never.self, "\(text)") { try JSONValue(parsing: text) }
        }
        #expect(readable > 250, "enough pages stay whole for the test to mean something")
    }

    /// A page of a few records: fields in any order, some missing, some that no column names, blanks anywhere.
    private static func page(_ random: inout SeededGenerator) -> String {
        let records = (0..<Int.random(in: 1...12, using: &random)).map { _ in
            object(
                [
                    ("id", String(Int64.random(in: .min ... .max, using: &random))), ("name", text(&random)),
                    (
                        "at",
                        object([("score", number(&random)), ("open", "true"), (key(&random), text(&random))], &random)
                    ),
                    ("tags", value(&random, depth: 3)),
                    ("a", object([("b", object([("c", text(&random))], &random))], &random)),
                    (key(&random), value(&random, depth: 3)), (key(&random), value(&random, depth: 1)),
                ], &random)
        }
        return "[" + records.joined(separator: ",") + "]"
    }

    private static func object(_ fields: [(String, String)], _ random: inout SeededGenerator) -> String {
        var seen: Set<String> = []
        let chosen = fields.shuffled(using: &random).filter { field in
            seen.insert(field.0).inserted && Int.random(in: 0..<5, using: &random) > 0
        }
        let blanks = ["", "", " ", "\n\t"]
        return "{"
            + chosen.map { "\(blanks.randomElement(using: &random) ?? "")\"\($0.0)\" :\($0.1) " }.joined(separator: ",")
            + "}"
    }

    private static func key(_ random: inout SeededGenerator) -> String {
        ["x", "zip", "idx", "nam", "é", "a b", "long_key_that_fills_several_words_of_memory"].randomElement(
            using: &random)
            ?? "x"
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let parts = [
            "a", "é", "😀", "\\n", "\\\"", "\\\\", "\\u0041", "\\ud83d\\ude00", "]", "}", ",", " ", "0123456789abcdef",
        ]
        let count = Int.random(in: 0...40, using: &random)
        return "\"" + (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined() + "\""
    }

    private static func number(_ random: inout SeededGenerator) -> String {
        String(
            Double(
                sign: .plus, exponent: Int.random(in: -60...60, using: &random),
                significand: .random(in: 1..<2, using: &random)))
    }

    private static func value(_ random: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: "true"
        case 1: number(&random)
        case 2: "[]"
        case 3: String(Int.random(in: -5...5, using: &random))
        case 4: text(&random)
        case 5: "[ " + value(&random, depth: depth - 1) + "," + value(&random, depth: depth - 1) + "]"
        default: object([("k", value(&random, depth: depth - 1)), ("l", value(&random, depth: depth - 1))], &random)
        }
    }

    private static func dig(_ object: [String: Any], _ keys: [String]) -> Any? {
        keys.reduce(object as Any?) { ($0 as? [String: Any])?[$1] }
    }

    private static func cell(_ object: [String: Any], _ keys: String..., make: (NSNumber) -> CellValue) -> CellValue {
        (dig(object, keys) as? NSNumber).map(make) ?? .absent
    }

    private static func text(_ object: [String: Any], _ keys: String...) -> CellValue {
        (dig(object, keys) as? String).map { .text($0) } ?? .absent
    }

    private static func value(_ cell: CellValue) -> NSObject? {
        guard case .text(let text) = cell else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed) as? NSObject
    }

    /// What Foundation finds in a record beside the columns, without the objects that have nothing else in them.
    private static func leftOver(_ object: [String: Any]) -> NSObject? {
        var rest = object
        for name in ["id", "name", "tags"] { rest[name] = nil }
        func remove(_ keys: [String], from object: inout [String: Any]) {
            guard var inner = object[keys[0]] as? [String: Any] else { return }
            if keys.count > 2 { remove(Array(keys.dropFirst()), from: &inner) } else { inner[keys[1]] = nil }
            object[keys[0]] = inner.isEmpty ? nil : inner
        }
        for path in [["at", "score"], ["at", "open"], ["a", "b", "c"]] { remove(path, from: &rest) }
        return rest.isEmpty ? nil : rest as NSDictionary
    }
}
