import CrawlCore
import CrawlJSON
import Testing

@testable import CrawlKit

/// An API, and the source file that describes it.
struct ShapeCase: Sendable, CustomTestStringConvertible {
    var name: String
    var api: @Sendable () -> FakeAPI
    var source: String
    var url: String
    var pagination: Pagination
    var records: JSONPath = JSONPath([])
    var key: [String]
    var types: [String: String]
    /// The records of a crawl; nil for endless ones.
    var count: Int?
    var testDescription: String { name }
}

@Suite("Probing real shapes")
struct ProbeShapeTests {
    static func body(_ path: String...) -> AnswerPlace { .body(JSONPath(path)) }

    static let cases = [
        ShapeCase(
            name: "jsonplaceholder, everything at once", api: { .jsonPlaceholder() }, source: "jsonplaceholder_posts",
            url: "https://jsonplaceholder.typicode.com/posts", pagination: .single, key: ["id"],
            types: ["userId": "integer", "id": "integer!", "title": "text", "body": "text"], count: 100),
        ShapeCase(
            name: "jsonplaceholder, page by page", api: { .jsonPlaceholder("?_page=1&_limit=10") },
            source: "jsonplaceholder_posts", url: "https://jsonplaceholder.typicode.com/posts?_page=1",
            pagination: .link(sizeParameter: "_limit", maxSize: 100), key: ["id"], types: ["id": "integer!"],
            count: 100),
        ShapeCase(
            name: "randomuser", api: { .randomUser() }, source: "randomuser_api", url: "https://randomuser.me/api/",
            pagination: .repeat(sizeParameter: "results", maxSize: 100), records: JSONPath(["results"]),
            key: ["login_uuid"],
            types: [
                "login_uuid": "text!", "location_postcode": "text+", "name_first": "text", "dob_age": "integer",
                "location_street_number": "integer",
            ]),
        ShapeCase(
            name: "randomuser with a seed", api: { .randomUser("?seed=abc&results=10") }, source: "randomuser_api",
            url: "https://randomuser.me/api/?seed=abc",
            pagination: .page(parameter: "page", sizeParameter: "results", maxSize: 100),
            records: JSONPath(["results"]), key: ["login_uuid"], types: ["login_uuid": "text!"]),
        ShapeCase(
            name: "random-data-api", api: { .randomData() }, source: "people",
            url: "https://random-data-api.com/api/v2/people",
            pagination: .repeat(sizeParameter: "size", maxSize: 100), key: ["uid"],
            types: ["uid": "text!", "id": "integer", "address_zip_code": "text", "address_coordinates_lat": "real"]),
        ShapeCase(
            name: "GitHub issues", api: { .gitHub() }, source: "issues",
            url: "https://api.github.com/repos/apple/swift/issues?state=open",
            pagination: .link(sizeParameter: "per_page", maxSize: 100), key: ["id"],
            types: [
                "id": "integer!", "number": "integer", "labels": "json", "locked": "boolean", "user_login": "text",
                "body": "text", "reactions_1": "integer",
            ], count: 75),
        ShapeCase(
            name: "Stripe", api: { .stripe() }, source: "charges", url: "https://api.stripe.com/v1/charges",
            pagination: .cursor(
                parameter: "starting_after", next: .lastRecord(column: "id"), more: body("has_more"),
                sizeParameter: "limit", maxSize: 100),
            records: JSONPath(["data"]), key: ["id"],
            types: [
                "id": "text!", "paid": "boolean", "billing_details_address_postal_code": "text", "metadata": "json",
            ],
            count: 64),
        ShapeCase(
            name: "Elasticsearch", api: { .elasticsearch() }, source: "books",
            url: "https://search.example.test/books/_search?q=swift",
            pagination: .offset(
                parameter: "from", sizeParameter: "size", maxSize: 100,
                end: PageEnd(total: body("hits", "total", "value"))),
            records: JSONPath(["hits", "hits"]), key: ["_id"],
            types: ["_id": "text!", "_score": "real", "_source_isbn": "text", "_source_tags": "json"], count: 43),
        ShapeCase(
            name: "JSON:API", api: { .jsonAPI() }, source: "articles", url: "https://api.example.test/articles",
            pagination: .link(next: body("links", "next"), sizeParameter: "page[size]", maxSize: 25),
            records: JSONPath(["data"]), key: ["id"],
            types: ["id": "text!", "attributes_created_at": "text", "relationships_author_data_id": "text"], count: 38),
        ShapeCase(
            name: "OData", api: { .odata() }, source: "Products",
            url: "https://services.example.test/V4/Products?$filter=Price%20gt%201",
            pagination: .link(next: body("@odata.nextLink"), sizeParameter: "$top", maxSize: 20),
            records: JSONPath(["value"]), key: ["ProductID"],
            types: ["ProductID": "integer!", "odata_etag": "text", "Price": "real"], count: 55),
        ShapeCase(
            name: "Django REST framework", api: { .django() }, source: "planets",
            url: "https://django.example.test/api/v1/planets/?format=json",
            pagination: .link(next: body("next"), maxSize: 10), records: JSONPath(["results"]), key: ["name"],
            types: ["name": "text!", "diameter": "text", "url": "text"], count: 37),
        ShapeCase(
            name: "coinpaprika", api: { .coinpaprika() }, source: "coinpaprika_tickers",
            url: "https://api.coinpaprika.com/v1/tickers", pagination: .single, key: ["id"],
            types: [
                "id": "text!", "symbol": "text", "rank": "integer", "beta_value": "real", "quotes_USD_price": "real",
                "total_supply": "real",
            ], count: 120),
        ShapeCase(
            name: "Google", api: { .google() }, source: "files",
            url: "https://content.example.test/v2/files?fields=*",
            pagination: .cursor(
                parameter: "pageToken", next: .answer(body("nextPageToken")), sizeParameter: "pageSize", maxSize: 50),
            records: JSONPath(["files"]), key: ["id"], types: ["id": "text!", "size": "text"], count: 70),
        ShapeCase(
            name: "Spring Data", api: { .spring() }, source: "orders", url: "https://spring.example.test/api/orders",
            pagination: .page(
                parameter: "page", first: 0, sizeParameter: "size", maxSize: 100,
                end: PageEnd(total: body("totalElements"))),
            records: JSONPath(["content"]), key: ["orderId"], types: ["orderId": "integer!", "total": "real"], count: 45
        ),
        ShapeCase(
            name: "pages from 0, nothing said", api: { .zeroBased() }, source: "things",
            url: "https://plain.example.test/things.json",
            pagination: .page(parameter: "page", first: 0, sizeParameter: nil, maxSize: 10), key: ["id"],
            types: ["id": "integer!", "name": "text"], count: 33),
        ShapeCase(
            name: "pages from 1, nothing said", api: { .oneBased() }, source: "things",
            url: "https://plain.example.test/things.json?lang=en",
            pagination: .page(parameter: "page", sizeParameter: nil, maxSize: 10), key: ["id"],
            types: ["id": "integer!"], count: 33),
        ShapeCase(
            name: "a cursor in a header", api: { .headerCursor() }, source: "events",
            url: "https://header.example.test/events",
            pagination: .cursor(parameter: "cursor", next: .answer(.header("X-Next-Cursor")), maxSize: 10),
            key: ["event_id"], types: ["event_id": "text!"], count: 41),
        ShapeCase(
            name: "a key of two columns", api: { .composite() }, source: "population",
            url: "https://stats.example.test/population",
            pagination: .offset(
                parameter: "offset", sizeParameter: "limit", maxSize: 100, end: PageEnd(total: body("total"))),
            records: JSONPath(["items"]), key: ["country", "year"],
            types: ["country": "text!", "year": "integer!", "value": "integer"], count: 60),
    ]

    @Test("describes the API and loads all of it", arguments: cases)
    func shape(_ row: ShapeCase) async throws {
        let api = row.api()
        let finding = try await api.probe()
        let source = finding.source
        #expect(api.requests.count <= 8, "\(api.requests)")
        #expect(source.name == row.source)
        #expect(source.url == row.url)
        #expect(source.pagination == row.pagination, "\(source.notes)")
        #expect(source.records == row.records)
        #expect(source.key == row.key, "\(source.notes)")
        for (name, type) in row.types {
            let column = try #require(source.columns.first { $0.name == name }, "\(source.columns.map(\.name))")
            let found = column.type.rawValue + (column.isRequired ? "!" : "") + (column.acceptsNumbers ? "+" : "")
            #expect(found == type, "\(name)")
        }
        let text = SourceFile.text(of: source)
        #expect(try SourceFile.source(from: Array(text.utf8), file: "probed.json") == source, "\(text)")

        let crawl = try api.crawl(source, pages: row.count == nil ? 3 : 60)
        #expect(crawl.rejects == [])
        let places = source.key.compactMap { name in source.columns.firstIndex { $0.name == name } }
        let keys = Set(crawl.rows.map { row in places.map { "\(row[$0])" }.joined(separator: "|") })
        if let count = row.count {
            #expect(keys.count == count && crawl.rows.count == count)
        } else {
            #expect(keys.count == 300)
        }
    }
}
