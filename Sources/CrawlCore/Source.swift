/// A paginated JSON API, described as data.
///
/// The built-in sources and a user's own are both decoded from a short JSON file; README, "Add a source", documents
/// its keys.
public struct Source: Sendable, Equatable {
    /// The name of the source and of its table: letters, digits and `_`, not starting with a digit or `crawl_`.
    public var name: String
    /// The address of the first request, `http` or `https`, with `{placeholders}` that `set` fills.
    public var url: String
    /// How one page leads to the next.
    public var pagination: Pagination
    /// The way from the top of an answer to its list of records, or to one object that counts as a list of one.
    public var records: JSONPath
    /// Remarks for people; they change nothing.
    public var notes: [String] = []
    /// The file that the source was read from, nil for one that is built in or made in a program.
    public var file: SourceFileReference?
    /// The columns that together identify a record; their order is the order of the primary key.
    public var key: [String]
    /// What happens to a record whose key is stored already.
    public var onDuplicate: DuplicateRule
    /// The columns of the table, in the order of the source file.
    public var columns: [Column]
    /// The most records that are taken of one answer, whatever the server sends; nil for all.
    public var limit: Int?
    /// The columns whose changes are worth a line when the source is watched; empty for all.
    public var headline: [String] = []
    /// Whether an empty text stands for a missing number, as some APIs send it.
    public var emptyTextIsNull: Bool
    /// Defaults for the placeholders in `url`; `${NAME}` in a value is taken from the environment and is secret.
    public var set: [String: String]
    /// Request headers; `${NAME}` in a value is taken from the environment and is secret.
    public var headers: [String: String]
    /// What the source wants to see before it answers, nil for nothing.
    public var authentication: Authentication?
    /// Where it is asked where it refuses, nil for nowhere.
    public var fallback: Fallback?
    /// The records that a complete answer holds, nil where any will do.
    public var expectation: Expectation?

    package init(
        name: String, url: String, pagination: Pagination, records: JSONPath = JSONPath([]), key: [String],
        onDuplicate: DuplicateRule = .keep, columns: [Column], emptyTextIsNull: Bool = false,
        set: [String: String] = [:], headers: [String: String] = [:], authentication: Authentication? = nil,
        fallback: Fallback? = nil, expectation: Expectation? = nil
    ) {
        self.name = name
        self.url = url
        self.pagination = pagination
        self.records = records
        self.key = key
        self.onDuplicate = onDuplicate
        self.columns = columns
        self.emptyTextIsNull = emptyTextIsNull
        self.set = set
        self.headers = headers
        self.authentication = authentication
        self.fallback = fallback
        self.expectation = expectation
    }
}

/// A source file as a run remembers it.
public struct SourceFileReference: Sendable, Equatable {
    /// The absolute path.
    public var path: String
    /// A hash of all that the file says but its notes.
    public var digest: String

    package init(path: String, digest: String) {
        self.path = path
        self.digest = digest
    }
}

/// What happens to a record whose key is stored already.
public enum DuplicateRule: String, Sendable, CaseIterable {
    /// The record stored first stays as it is.
    case keep
    /// The stored record takes the values of the new one.
    case update
}
