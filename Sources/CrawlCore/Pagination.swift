/// How one page of a source leads to the next, and how the last one shows.
public enum Pagination: Sendable, Equatable {
    /// A random endpoint: the same request again brings other records.
    case `repeat`(sizeParameter: String?, maxSize: Int)
    /// One request brings everything.
    case single
    /// Pages are numbered, the first one `first`.
    case page(parameter: String, first: Int = 1, sizeParameter: String?, maxSize: Int, end: PageEnd = PageEnd())
    /// Pages start at a record number, the first one at `first`.
    case offset(parameter: String, first: Int = 0, sizeParameter: String?, maxSize: Int, end: PageEnd = PageEnd())
    /// Each answer names the cursor of the next page, until `next` is absent, null, empty or false.
    case cursor(
        parameter: String, next: CursorPlace, more: AnswerPlace? = nil, sizeParameter: String? = nil, maxSize: Int = 1)
    /// Each answer names the next address at `next`, as a rule in its `Link` header (RFC 8288), until that is absent,
    /// null, empty or false.
    case link(next: AnswerPlace = .linkHeader, more: AnswerPlace? = nil, sizeParameter: String? = nil, maxSize: Int = 1)

    /// The most records that one page may hold; 1 where the source cannot be asked for a size.
    public var maxSize: Int {
        switch self {
        case .repeat(_, let maxSize), .page(_, _, _, let maxSize, _), .offset(_, _, _, let maxSize, _),
            .cursor(_, _, _, _, let maxSize), .link(_, _, _, let maxSize):
            maxSize
        case .single: 1
        }
    }

    /// The query parameter that asks for a number of records; nil where none does.
    package var sizeParameter: String? {
        switch self {
        case .repeat(let name, _), .page(_, _, let name, _, _), .offset(_, _, let name, _, _),
            .cursor(_, _, _, let name, _), .link(_, _, let name, _):
            name
        case .single: nil
        }
    }

    /// The paths from the top of an answer to the values that decide about the next page.
    package var bodyPaths: [JSONPath] {
        let places: [AnswerPlace?] =
            switch self {
            case .repeat, .single: []
            case .page(_, _, _, _, let end), .offset(_, _, _, _, let end): [end.total, end.pages, end.more]
            case .cursor(_, .answer(let next), let more, _, _): [next, more]
            case .cursor(_, .lastRecord, let more, _, _): [more]
            case .link(let next, let more, _, _): [next, more]
            }
        var paths: [JSONPath] = []
        for case .body(let path)? in places where !paths.contains(path) { paths.append(path) }
        return paths
    }
}

/// A place in an answer where a single value stands.
public enum AnswerPlace: Sendable, Equatable {
    /// In the body, at a path from its top.
    case body(JSONPath)
    /// In the header field of that name.
    case header(String)

    /// The `Link` header, whose value is read as RFC 8288 says.
    public static let linkHeader = AnswerPlace.header("Link")
}

/// Where the next cursor comes from.
public enum CursorPlace: Sendable, Equatable {
    /// The answer names it.
    case answer(AnswerPlace)
    /// It is the value of that column in the last record of the page.
    case lastRecord(column: String)
}

/// What an answer with a numbered page says about the end of the source.
///
/// What it says counts. Where it says nothing, an empty page is the last, and a short one where no page follows.
public struct PageEnd: Sendable, Equatable {
    /// The number of records in the whole source; the header `X-Total-Count` where nil.
    public var total: AnswerPlace?
    /// The number of pages.
    public var pages: AnswerPlace?
    /// Whether another page follows.
    public var more: AnswerPlace?

    /// Describes the end; without a place the header `X-Total-Count` tells it, or a page that is none.
    public init(total: AnswerPlace? = nil, pages: AnswerPlace? = nil, more: AnswerPlace? = nil) {
        self.total = total
        self.pages = pages
        self.more = more
    }

    /// The place of the total that counts, by default the header that is most common.
    package var totalPlace: AnswerPlace { total ?? .header("X-Total-Count") }
}
