/// Where a source that refuses its answer is asked instead, one value of a list at a time.
public struct Fallback: Sendable, Equatable {
    /// The address of one request, with the placeholder `placeholder` for the value that is asked for.
    public var url: String
    /// The placeholder of the source's own address whose values, separated by commas, are asked for one by one.
    public var each: String
    /// The placeholder in `url` that takes one value.
    public var placeholder: String
    /// The way from the top of an answer to its record or records.
    public var records: JSONPath
    /// Where columns stand in these records, by the column's name, for those that stand elsewhere than usual.
    public var paths: [String: JSONPath]

    package init(
        url: String, each: String, placeholder: String? = nil, records: JSONPath = JSONPath([]),
        paths: [String: JSONPath] = [:]
    ) {
        self.url = url
        self.each = each
        self.placeholder = placeholder ?? each
        self.records = records
        self.paths = paths
    }
}
