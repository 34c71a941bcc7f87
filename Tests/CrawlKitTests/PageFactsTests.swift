import CrawlCore
import CrawlHTTP
import CrawlJSON
import Testing

@testable import CrawlKit

struct FactsCase: Sendable, CustomTestStringConvertible {
    var name: String
    var pagination: Pagination
    var headers: HTTPHeaders = [:]
    var body: String
    var received = 1
    var next: String?
    var total: Int?
    var pages: Int?
    var more: Bool?
    var isDeadEnd = false
    var testDescription: String { name }
}

@Suite("What an answer says about the next page")
struct PageFactsTests {
    static func cursor(_ next: CursorPlace, more: AnswerPlace? = nil) -> Pagination {
        .cursor(parameter: "after", next: next, more: more)
    }

    static func page(_ end: PageEnd = PageEnd()) -> Pagination {
        .page(parameter: "page", sizeParameter: nil, maxSize: 10, end: end)
    }

    static func body(_ path: String...) -> AnswerPlace { .body(JSONPath(path)) }

    static let row = #""rows":[{"id":7}]"#

    static let cases = [
        FactsCase(
            name: "cursor, a text", pagination: cursor(.answer(body("next"))), body: #"{"next":"abc",\#(row)}"#,
            next: "abc"),
        FactsCase(
            name: "cursor, a number behind the records", pagination: cursor(.answer(body("meta", "next"))),
            body: #"{\#(row),"meta":{"next":18446744073709551616}}"#, next: "18446744073709551616"),
        FactsCase(name: "cursor, null", pagination: cursor(.answer(body("next"))), body: #"{"next":null,\#(row)}"#),
        FactsCase(name: "cursor, false", pagination: cursor(.answer(body("next"))), body: #"{"next":false,\#(row)}"#),
        FactsCase(name: "cursor, empty", pagination: cursor(.answer(body("next"))), body: #"{"next":"",\#(row)}"#),
        FactsCase(name: "cursor, absent", pagination: cursor(.answer(body("next"))), body: #"{\#(row)}"#),
        FactsCase(
            name: "cursor in a header", pagination: cursor(.answer(.header("X-Next"))), headers: ["x-next": "3"],
            body: #"{\#(row)}"#, next: "3"),
        FactsCase(
            name: "an empty header", pagination: cursor(.answer(.header("X-Next"))), headers: ["x-next": ""],
            body: #"{\#(row)}"#),
        FactsCase(
            name: "the last record", pagination: cursor(.lastRecord(column: "id"), more: body("has_more")),
            body: #"{"has_more":true,"rows":[{"id":7},{"id":9}]}"#, received: 2, next: "9", more: true),
        FactsCase(
            name: "the last record, though it is rejected",
            pagination: cursor(.lastRecord(column: "id"), more: body("has_more")),
            body: #"{"has_more":true,"rows":[{"id":7},{"id":9,"price":"x"}]}"#, received: 2, next: "9", more: true),
        FactsCase(
            name: "the last record has no key", pagination: cursor(.lastRecord(column: "id"), more: body("has_more")),
            body: #"{"has_more":true,"rows":[{"id":7},{}]}"#, received: 2, more: true, isDeadEnd: true),
        FactsCase(
            name: "no record, no cursor", pagination: cursor(.lastRecord(column: "id"), more: body("has_more")),
            body: #"{"has_more":true,"rows":[]}"#, received: 0, more: true),
        FactsCase(
            name: "more, but no cursor", pagination: cursor(.answer(body("next")), more: body("has_more")),
            body: #"{"has_more":true,\#(row)}"#, more: true, isDeadEnd: true),
        FactsCase(
            name: "next address in Link", pagination: .link(),
            headers: ["Link": #"</p?page=2>; rel="next""#, "link": "<x>; rel=last"], body: #"{\#(row)}"#,
            next: "https://a.example/p?page=2"),
        FactsCase(
            name: "next address in a header of another name", pagination: .link(next: .header("X-Next-Page-Url")),
            headers: ["X-Next-Page-Url": "?page=2"], body: #"{\#(row)}"#, next: "https://a.example/things?page=2"),
        FactsCase(
            name: "next address under a key with a dot", pagination: .link(next: body("@odata.nextLink")),
            body: #"{\#(row),"@odata.nextLink":"?$skip=1"}"#, next: "https://a.example/things?$skip=1"),
        FactsCase(
            name: "next address on another host", pagination: .link(next: body("next")),
            body: #"{\#(row),"next":"https://b.example/"}"#, isDeadEnd: true),
        FactsCase(
            name: "no more, whatever the next address", pagination: .link(next: body("next"), more: body("more")),
            body: #"{\#(row),"next":"https://b.example/","more":false}"#, more: false),
        FactsCase(
            name: "total in the usual header", pagination: page(), headers: ["X-Total-Count": "250"],
            body: #"{\#(row)}"#, total: 250),
        FactsCase(
            name: "total in another header", pagination: page(PageEnd(total: .header("X-WP-Total"))),
            headers: ["x-wp-total": "9", "X-Total-Count": "250"], body: #"{\#(row)}"#, total: 9),
        FactsCase(
            name: "total and pages in the body", pagination: page(PageEnd(total: body("n"), pages: body("i", "p"))),
            body: #"{"n":"30","i":{"p":3},\#(row)}"#, total: 30, pages: 3),
        FactsCase(
            name: "a total that is none", pagination: page(PageEnd(total: body("n"))), headers: ["X-Total-Count": "2"],
            body: #"{"n":-1,\#(row)}"#),
        FactsCase(
            name: "more as a number", pagination: page(PageEnd(more: body("more"))), body: #"{"more":1,\#(row)}"#,
            more: true),
        FactsCase(
            name: "more as null says nothing", pagination: page(PageEnd(more: body("more"))),
            body: #"{"more":null,\#(row)}"#),
        FactsCase(
            name: "more in a header", pagination: page(PageEnd(more: .header("X-More"))), headers: ["X-More": "False"],
            body: #"{\#(row)}"#, more: false),
    ]

    @Test("reads it", arguments: cases)
    func facts(_ row: FactsCase) throws {
        let source = Source(
            name: "things", url: "https://a.example/things", pagination: row.pagination, records: JSONPath(["rows"]),
            key: ["id"], columns: [Column("id", .integer, isRequired: true), Column("price", .real)])
        let page = try PageReader(source, capturing: row.pagination.bodyPaths).read(Array(row.body.utf8))
        let response = HTTPResponse(
            status: 200, headers: row.headers, body: ResponseBody([]), wireBytes: 0, finalURL: source.url, seconds: 0)
        let facts = PageFacts(
            page, response, source: source,
            addresses: NextAddress(
                endpoint: Endpoint(kind: .live, Filling.Text(sent: source.url, shown: source.url)), home: source.url))
        #expect(facts.received == row.received)
        #expect(facts.next == row.next)
        #expect(facts.total == row.total)
        #expect(facts.pages == row.pages)
        #expect(facts.more == row.more)
        #expect((facts.deadEnd != nil) == row.isDeadEnd, "\(facts.deadEnd ?? "")")
    }
}
