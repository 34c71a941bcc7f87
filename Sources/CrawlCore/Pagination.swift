/// How one page of a source leads to the next.
public enum Pagination: Sendable, Equatable {
    /// A random endpoint: the same request again brings other records.
    case `repeat`(sizeParameter: String?, maxSize: Int)
    /// One request brings everything.
    case single
    /// Pages are numbered, the first one `first`.
    case page(parameter: String, first: Int, sizeParameter: String?, maxSize: Int)
    /// Pages start at a record number, the first one 0.
    case offset(parameter: String, sizeParameter: String?, maxSize: Int)
    /// Each answer names the cursor of the next page at `next`.
    case cursor(parameter: String, next: JSONPath, sizeParameter: String? = nil, maxSize: Int = 1)
    /// Each answer names the next address in its `Link` header (RFC 8288).
    case link(sizeParameter: String? = nil, maxSize: Int = 1)

    /// The most records that one page may hold; 1 where the source cannot be asked for a size.
    public var maxSize: Int {
        switch self {
        case .repeat(_, let maxSize), .page(_, _, _, let maxSize), .offset(_, _, let maxSize),
            .cursor(_, _, _, let maxSize), .link(_, let maxSize):
            maxSize
        case .single: 1
        }
    }
}
