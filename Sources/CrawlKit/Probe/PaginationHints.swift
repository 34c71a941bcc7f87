import CrawlCore
import CrawlHTTP
import CrawlJSON

/// What an answer says by its names about how its pages hang together.
struct PaginationHints: Sendable {
    /// A place that names the next page, and what it names.
    struct Next: Sendable {
        var place: AnswerPlace
        /// What stands there; nil where the place is there and names nothing.
        var value: String?
        /// Query parameters that may take it, the likeliest first.
        var parameters: [String] = []
        /// The place in words.
        var shown: String
    }

    /// The next address.
    private(set) var address: Next?
    /// Cursors, the likeliest first.
    private(set) var cursors: [Next] = []
    /// Whether there are more, and where that stands.
    private(set) var more: (place: AnswerPlace, value: Bool, shown: String)?
    /// Numbers that may be that of all records, the likeliest first.
    private(set) var totals: [(place: AnswerPlace, value: Int, shown: String)] = []
    /// The number of pages.
    private(set) var pages: (place: AnswerPlace, value: Int, shown: String)?
    /// The number of this page, and the name of its field.
    private(set) var currentPage: (name: String, value: Int)?
    /// The place of this page's first record, and the name of its field.
    private(set) var currentOffset: (name: String, value: Int)?
    /// Names of fields that say how many records there are on a page.
    private(set) var sizeNames: [String] = []
    /// Whether the answer looks like OData, or like Elasticsearch.
    let isOData: Bool
    let isElasticsearch: Bool
    let hasListOfLinks: Bool

    private let envelope: Envelope

    init(_ page: ProbedPage, list: RecordList) {
        envelope = Envelope(page, list: list)
        let received = list.records(in: page.body).count
        isOData =
            envelope.entries.contains { $0.written.lowercased().hasPrefix("@odata.") }
            || list.path.components == ["value"]
        isElasticsearch = list.path.components.suffix(2) == ["hits", "hits"]
        hasListOfLinks = envelope.hasListOfLinks
        findAddress()
        findCursors()
        findMore()
        findTotals(received)
        findPlaces(received)
    }

    // MARK: The next page

    private mutating func findAddress() {
        if let target = LinkHeader.next(in: envelope.headers.values(of: "Link")) {
            address = Next(place: .linkHeader, value: target, shown: "the header Link")
            return
        }
        let named = envelope.entries.filter { Self.namesNext($0.path) }
        if let entry = named.first(where: { $0.text.map(Self.isAddress) == true }) {
            address = Next(place: entry.place, value: entry.text, shown: Self.shown(entry.path))
        } else if let entry = named.first(where: { $0.value == .null && hasAddressBeside($0) }) {
            address = Next(place: entry.place, value: nil, shown: Self.shown(entry.path))
        }
    }

    /// Whether other entries beside one are addresses, or are named like the other half of such a pair.
    private func hasAddressBeside(_ entry: Envelope.Entry) -> Bool {
        let parent = entry.path.dropLast()
        return envelope.entries.contains { other in
            guard other.path != entry.path, other.path.dropLast() == parent else { return false }
            return other.text.map(Self.isAddress) == true || ["previous", "prev"].contains(other.name)
        }
    }

    private static func namesNext(_ path: [String]) -> Bool {
        let folded = path.suffix(2).map(\.folded)
        guard let last = folded.last, !last.contains("prev") else { return false }
        let isNext = last.contains("next") || (folded.first == "next" && ["href", "url", "uri"].contains(last))
        return isNext && !folded.contains { $0.contains("prev") }
    }

    private static func isAddress(_ text: String) -> Bool {
        let lower = text.lowercased()
        if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return true }
        if text.contains(where: { $0.isWhitespace }) { return false }
        return text.hasPrefix("?") || (text.hasPrefix("/") && text.count > 1)
            || (text.contains("?") && text.contains("="))
    }

    private mutating func findCursors() {
        for (name, parameters) in Self.cursorNames {
            for entry in envelope.entries where entry.name == name || entry.longName == name {
                guard let value = Self.cursor(entry.value), !Self.isAddress(value),
                    !cursors.contains(where: { $0.place == entry.place })
                else { continue }
                cursors.append(
                    Next(
                        place: entry.place, value: value, parameters: Self.spelled(parameters, like: entry.written),
                        shown: Self.shown(entry.path)))
            }
        }
        for field in envelope.headers.fields {
            let name = field.name.lowercased()
            guard name.hasPrefix("x-next") || name.hasSuffix("-cursor") || name.contains("continuation"),
                !field.value.isEmpty, !name.contains("prev"), !Self.isAddress(field.value)
            else { continue }
            let parameters =
                name.contains("page") && !name.contains("token")
                ? ["page"] : name.contains("offset") ? ["offset"] : ["cursor", "after", "continuationToken"]
            cursors.append(
                Next(
                    place: .header(field.name), value: field.value, parameters: parameters,
                    shown: "the header \(Printable.text(field.name.utf8))"))
        }
    }

    /// Folded names of fields for the next cursor, and the parameters that take it.
    private static let cursorNames: [(String, [String])] = [
        ("nextcursor", ["cursor", "next_cursor", "after"]), ("nextpagetoken", ["page_token", "next_page_token"]),
        ("nexttoken", ["next_token", "token"]), ("nextpage", ["page", "next_page"]),
        ("nextoffset", ["offset", "start"]), ("nextmarker", ["marker"]), ("nextkey", ["key", "start_key"]),
        ("nextid", ["next_id", "after", "since_id"]), ("nextmaxid", ["max_id"]), ("nextsince", ["since"]),
        ("endcursor", ["after", "cursor"]), ("continuationtoken", ["continuation_token"]),
        ("continuation", ["continuation", "continue"]), ("cursors.after", ["after"]),
        ("cursor.next", ["cursor", "next"]), ("next", ["cursor", "next", "after", "page", "offset"]),
        ("cursor", ["cursor", "after"]), ("after", ["after", "cursor"]), ("marker", ["marker"]),
        ("bookmark", ["bookmark"]), ("lastevaluatedkey", ["exclusive_start_key", "last_evaluated_key"]),
    ]

    private static func cursor(_ value: JSONValue) -> String? {
        switch value {
        case .text(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        case .number(let digits): digits
        default: nil
        }
    }

    /// Names in the spelling of another: `page_token` like `nextPageToken` is `pageToken`.
    static func spelled(_ names: [String], like written: String) -> [String] {
        guard !written.contains("_"), written.contains(where: \.isUppercase) else { return names }
        return names.map { name in
            let words = name.split(separator: "_")
            return words.enumerated().map { $0.offset == 0 ? String($0.element) : $0.element.capitalized }.joined()
        }
    }

    private mutating func findMore() {
        let names = ["hasmore", "hasnext", "hasnextpage", "more", "moreavailable", "istruncated", "truncated"]
        let entry = envelope.entry(names) { if case .bool = $0.value { true } else { false } }
        if let entry, case .bool(let value) = entry.value {
            more = (entry.place, value, Self.shown(entry.path))
        }
    }

    // MARK: Numbers

    private mutating func findTotals(_ received: Int) {
        let names = [
            "totalcount", "totalresults", "totalitems", "totalrecords", "totalelements", "totalhits", "total.value",
            "numfound", "nbhits", "recordstotal", "odatacount", "page.total", "total", "count", "matches", "found",
            "totalsize", "size.total",
        ]
        for name in names {
            for entry in envelope.entries where entry.name == name || entry.longName == name {
                if let value = entry.number, value >= received, !totals.contains(where: { $0.place == entry.place }) {
                    totals.append((entry.place, value, Self.shown(entry.path)))
                }
            }
        }
        for name in ["X-Total-Count", "X-Total", "X-WP-Total", "Total-Count", "X-Pagination-Total-Count"] {
            if let value = envelope.headers[name].flatMap({ Int($0) }), value >= received {
                totals.append((.header(name), value, "the header \(name)"))
            }
        }
        let pageNames = ["totalpages", "pagecount", "numpages", "lastpage", "nbpages", "pagestotal", "pages"]
        if let entry = envelope.entry(pageNames, where: { $0.number.map { $0 >= 0 } == true }),
            let value = entry.number
        {
            pages = (entry.place, value, Self.shown(entry.path))
        } else {
            for name in ["X-Total-Pages", "X-WP-TotalPages", "X-Pagination-Page-Count"] {
                if let value = envelope.headers[name].flatMap({ Int($0) }) {
                    pages = (.header(name), value, "the header \(name)")
                }
            }
        }
    }

    private mutating func findPlaces(_ received: Int) {
        let pageNames = ["currentpage", "pagenumber", "pageno", "pageindex", "page", "number"]
        let outermost = envelope.entries.filter { $0.number != nil && pageNames.contains($0.name) }
            .min { $0.path.count < $1.path.count }
        if let entry = outermost, let value = entry.number {
            currentPage = (entry.name == "number" || entry.name == "currentpage" ? "page" : entry.written, value)
        }
        let offsetNames = ["offset", "skip", "startindex", "start", "from"]
        if let entry = envelope.entry(offsetNames, where: { $0.number != nil }), let value = entry.number {
            currentOffset = (entry.written, value)
        }
        for entry in envelope.entries where entry.number == received && received > 0 {
            if Self.isSizeName(entry.written) { sizeNames.append(entry.written) }
        }
    }

    /// Folded names of query parameters and fields for the number of records on a page.
    private static let sizeNamesFolded: Set = [
        "perpage", "limit", "pagesize", "size", "top", "results", "rows", "maxresults", "take", "itemsperpage",
        "hitsperpage", "num", "resultsperpage", "pagelimit", "maxitems", "maxpagesize", "perpagecount", "pagecount",
    ]

    /// Whether a query parameter of that name asks for a number of records.
    static func isSizeName(_ name: String) -> Bool {
        let folded = name.folded.filter { $0 != "[" && $0 != "]" }
        return sizeNamesFolded.contains(folded) && folded != "pagecount"
    }

    private static func shown(_ path: [String]) -> String {
        "'" + Printable.text(path.joined(separator: ".").utf8) + "'"
    }
}
