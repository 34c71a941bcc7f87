import StandInAPI
import Testing

/// A source file for one style of the stand-in's collection.
struct CollectionSource: Sendable, CustomTestStringConvertible {
    /// The name of the case.
    var name: String
    /// The last part of the path.
    var style: String
    /// The value of `pagination`.
    var pagination: String
    var records = "$"
    var key = #""id""#
    /// What comes before the fields of a thing.
    var prefix: [String] = []
    /// The columns and the types that differ from the usual ones.
    var types: [String: String] = [:]
    /// The columns beside the usual ones.
    var further = ""
    /// The columns that the source leaves out.
    var without: Set<String> = []

    var testDescription: String { name }

    /// The source file; the table is `things`.
    func json(at server: StandInServer) -> String {
        let fields = [
            ("id", "integer"), ("name", "text"), ("country", "text"), ("code", "integer"), ("zip", "text"),
            ("stock", "integer"), ("price", "real"), ("active", "boolean"), ("created_at", "text"),
        ]
        let columns = fields.filter { !without.contains($0.0) }.map { field, type in
            let path = (prefix + [field]).map { "\"\($0)\"" }.joined(separator: ", ")
            return #""\#(field)": { "path": [\#(path)], "type": "\#(types[field] ?? type)" }"#
        }
        return """
            { "name": "things", "url": "\(server.baseURL)/pages/\(style)", "pagination": \(pagination),
              "records": "\(records)", "key": \(key), "onDuplicate": "update",
              "columns": { \((columns + (further.isEmpty ? [] : [further])).joined(separator: ", ")) } }
            """
    }

    /// Every style, each with the end that it says itself.
    static let all = [
        CollectionSource(
            name: "cursor", style: "cursor",
            pagination: #"{"style":"cursor","parameter":"cursor","next":"next","sizeParameter":"limit","maxSize":25}"#,
            records: "data"),
        CollectionSource(
            name: "cursor-header", style: "cursor-header",
            pagination: #"""
                {"style":"cursor","parameter":"cursor","next":{"header":"X-Next-Cursor"},"sizeParameter":"limit","maxSize":25}
                """#),
        CollectionSource(
            name: "link", style: "link", pagination: #"{"style":"link","sizeParameter":"per_page","maxSize":25}"#),
        CollectionSource(
            name: "offset", style: "offset",
            pagination:
                #"{"style":"offset","parameter":"offset","sizeParameter":"limit","maxSize":25,"total":"total"}"#,
            records: "items"),
        CollectionSource(
            name: "page, number of pages", style: "page",
            pagination: #"""
                {"style":"page","parameter":"page","sizeParameter":"per_page","maxSize":25,"pages":"total_pages"}
                """#,
            records: "data"),
        CollectionSource(
            name: "page, number of records", style: "page",
            pagination: #"""
                {"style":"page","parameter":"page","sizeParameter":"per_page","maxSize":25,"total":"total"}
                """#,
            records: "data"),
        CollectionSource(
            name: "list", style: "list",
            pagination: #"{"style":"page","parameter":"page","sizeParameter":"per_page","maxSize":25}"#),
        CollectionSource(
            name: "starting-after", style: "starting-after",
            pagination: #"""
                {"style":"cursor","parameter":"starting_after","next":{"last":"id"},"more":"has_more",
                 "sizeParameter":"limit","maxSize":25}
                """#,
            records: "data"),
        CollectionSource(
            name: "jsonapi", style: "jsonapi",
            pagination: #"{"style":"link","next":"links.next","sizeParameter":"page[size]","maxSize":25}"#,
            records: "data", prefix: ["attributes"], further: #""id": "text""#, without: ["id"]),
        CollectionSource(
            name: "odata", style: "odata",
            pagination: #"{"style":"link","next":["@odata.nextLink"],"sizeParameter":"$top","maxSize":25}"#,
            records: "value"),
        CollectionSource(
            name: "results, next address", style: "results",
            pagination: #"{"style":"link","next":"next","sizeParameter":"limit","maxSize":25}"#, records: "results"),
        CollectionSource(
            name: "results, count", style: "results",
            pagination:
                #"{"style":"offset","parameter":"offset","sizeParameter":"limit","maxSize":25,"total":"count"}"#,
            records: "results"),
        CollectionSource(
            name: "hits", style: "hits",
            pagination:
                #"{"style":"offset","parameter":"from","sizeParameter":"size","maxSize":25,"total":"hits.total.value"}"#,
            records: "hits.hits", prefix: ["_source"]),
    ]

    static func named(_ name: String) throws -> CollectionSource {
        try #require(all.first { $0.name == name })
    }

    /// Those whose answers name the next cursor or address, so that they can run in a circle of it.
    static let following = all.filter {
        ["cursor", "cursor-header", "link", "jsonapi", "odata", "results, next address"].contains($0.name)
    }

    /// Those whose answers have a field for the next cursor or address.
    static let withField = all.filter {
        ["cursor", "jsonapi", "odata", "results, next address"].contains($0.name)
    }
}
