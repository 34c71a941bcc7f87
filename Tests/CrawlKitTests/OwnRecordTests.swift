import CrawlKit
import Foundation
import TestSupport
import Testing

/// Records of a program's own source: every type that a column can be read as, and what does not fit.
@Suite("Records of an own source", .timeLimit(Sanitizer.limit(minutes: 5)))
struct OwnRecordTests {
    static let source = """
        { "name": "orders", "url": "http://127.0.0.1:1/orders", "pagination": { "style": "single" }, "key": "id",
          "columns": { "id": "integer", "state": "text", "total": "real", "isPaid": "boolean", "ordered_at": "text",
            "shipped_at": "integer", "link": "text", "lines": "json", "tags": "json", "limits": "json" } }
        """
    static let full = """
        {"id":7,"state":"open","total":12.35,"isPaid":true,"ordered_at":"2026-11-30T08:05:06Z","shipped_at":1764490000,
        "link":"https://example.test/7","lines":[{"name":"tea","at":"2026-01-02T03:04:05.250Z"}],"tags":["a","b"],
        "limits":5,"colour":"red"}
        """

    struct Order: CrawledRecord, Equatable {
        enum State: String, Codable { case open, closed }
        struct Line: Codable, Equatable {
            var name: String
            var at: Date
        }
        static let source = "orders"
        var id: Int16
        var state: State?
        var total: Double?
        var isPaid: Bool?
        var orderedAt: Date?
        var shippedAt: Date?
        var link: URL?
        var lines: [Line]?
        var tags: Set<String>?
        var limits: Int?
        var extra: [String: String]?
        var page: Int

        enum CodingKeys: String, CodingKey {
            case id, state, total, isPaid
            case orderedAt = "ordered_at"
            case shippedAt = "shipped_at"
            case link, lines, tags, limits, extra, page
        }
    }

    /// The records of an answer, stored and read back.
    private func stored<Record: CrawledRecord>(_ answer: String, as type: Record.Type) async throws -> [Record] {
        let folder = try TemporaryFolder()
        return try await ScriptedServer.run([.answer(text: answer)]) { server in
            var options = CrawlOptions()
            options.database = folder.file("crawl.db")
            options.endpoints["orders"] = server.url()
            try await Crawl(Source(json: Self.source), options: options).complete()
            return try await CrawlDatabase(options.database).records(of: type).collect()
        }
    }

    @Test func everyTypeIsRead() async throws {
        let orders = try await stored("[\(Self.full),{\"id\":8}]", as: Order.self)
        #expect(orders.count == 2)
        let order = try #require(orders.first)
        #expect(order.id == 7)
        #expect(order.state == .open)
        #expect(order.total == 12.35)
        #expect(order.isPaid == true)
        #expect(order.orderedAt == Date(timeIntervalSince1970: 1_796_025_906))
        #expect(order.shippedAt == Date(timeIntervalSince1970: 1_764_490_000))
        #expect(order.link == URL(string: "https://example.test/7"))
        #expect(order.lines == [Order.Line(name: "tea", at: Date(timeIntervalSince1970: 1_767_323_045.25))])
        #expect(order.tags == ["a", "b"])
        #expect(order.limits == 5)
        #expect(order.extra == ["colour": "red"])
        #expect(order.page == 1)
        let empty = try #require(orders.last)
        #expect(empty == Order(id: 8, page: 1))
    }

    struct Plain: CrawledRecord {
        static let source = "orders"
        var id: String { "\(number)" }
        var number: UInt64
        var total: Decimal
        var lines: String

        enum CodingKeys: String, CodingKey {
            case number = "id"
            case total, lines
        }
    }

    @Test func numbersAndJSONHaveOtherFormsToo() async throws {
        let order = try #require(try await stored("[\(Self.full)]", as: Plain.self).first)
        #expect(order.number == 7)
        #expect(order.total == Decimal(string: "12.35"))
        #expect(order.lines == #"[{"name":"tea","at":"2026-01-02T03:04:05.250Z"}]"#)
    }

    @Test func aTypeMayDecodeItself() async throws {
        struct Wrapped: CrawledRecord {
            static let source = "orders"
            var order: Order
            var id: Int16 { order.id }
            init(from decoder: any Decoder) throws { order = try Order(from: decoder) }
        }
        #expect(try await stored("[\(Self.full)]", as: Wrapped.self).map(\.id) == [7])
    }

    // MARK: What does not fit

    /// A record with one property, which does not fit.
    struct Wrong<Value: Decodable & Sendable, Name: PropertyName>: CrawledRecord {
        static var source: String { "orders" }
        var id = 0
        var value: Value

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            value = try decoder.container(keyedBy: Key.self).decode(Value.self, forKey: Key(stringValue: Name.text))
        }
    }

    protocol PropertyName: Sendable { static var text: String { get } }
    enum ID: PropertyName { static let text = "id" }
    enum State: PropertyName { static let text = "state" }
    enum Total: PropertyName { static let text = "total" }
    enum Paid: PropertyName { static let text = "isPaid" }
    enum Shipped: PropertyName { static let text = "shipped_at" }
    enum Lines: PropertyName { static let text = "lines" }
    enum Misspelt: PropertyName { static let text = "stat" }

    struct Misfit: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var answer: String
        var read: @Sendable (OwnRecordTests, String) async throws -> Void
        var words: [String]

        init<Record: CrawledRecord>(_ name: String, _ answer: String, _ type: Record.Type, _ words: String...) {
            testDescription = name
            self.answer = answer
            read = { tests, answer in _ = try await tests.stored("[{\"id\":7,\(answer)}]", as: type) }
            self.words = words
        }
    }

    static let misfits = [
        Misfit("NULL for a text", #""state":null"#, Wrong<String, State>.self, "column 'state'", "NULL", "String"),
        Misfit("a text for a number", #""state":"s3cret""#, Wrong<Int, State>.self, "column 'state'", "a text", "Int"),
        Misfit("a text for a list", #""state":"s3cret""#, Wrong<[String], State>.self, "column 'state'", "a list"),
        Misfit("a number for a text", #""total":1.5"#, Wrong<String, Total>.self, "column 'total'", "real", "String"),
        Misfit("a fraction for an integer", #""total":1.5"#, Wrong<Int, Total>.self, "column 'total'", "real", "Int"),
        Misfit("a number too great", #""shipped_at":300"#, Wrong<Int8, Shipped>.self, "column 'shipped_at'", "Int8"),
        Misfit("a number for a boolean", #""total":1.5"#, Wrong<Bool, Total>.self, "column 'total'", "Bool"),
        Misfit("a boolean for a number", #""isPaid":true"#, Wrong<Int, Paid>.self, "column 'isPaid'", "boolean"),
        Misfit("no time", #""state":"soon""#, Wrong<Date, State>.self, "column 'state'", "Date", "RFC 3339"),
        Misfit("another word", #""state":"lost""#, Wrong<Order.State, State>.self, "column 'state'", "State"),
        Misfit("JSON of another shape", #""lines":{"a":1}"#, Wrong<[Int], Lines>.self, "column 'lines'"),
        Misfit(
            "JSON without a key", #""lines":[{"at":"x"}]"#, Wrong<[Order.Line], Lines>.self, "column 'lines.Index 0'",
            "name"),
        Misfit("NULL for JSON", #""lines":null"#, Wrong<[Int], Lines>.self, "column 'lines'", "NULL"),
        Misfit("no such column", #""state":"x""#, Wrong<String, Misspelt>.self, "no column 'stat'", "'state'"),
    ]

    @Test("the error names the column and the type, and no value", arguments: misfits)
    func misfit(_ misfit: Misfit) async throws {
        let error = await #expect(throws: CrawlError.self) { try await misfit.read(self, misfit.answer) }
        let message = error?.message ?? ""
        for word in misfit.words + ["orders", "id \"7\""] {
            #expect(message.contains(word), "'\(word)' is missing: \(message)")
        }
        #expect(!message.contains("s3cret"))
        #expect(error?.remedy != nil)
    }
}
