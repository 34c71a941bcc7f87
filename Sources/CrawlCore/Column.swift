/// One column of a source's table and where its value stands in a record.
public struct Column: Sendable, Equatable {
    /// The name of the column in the table.
    public var name: String
    /// The way from the record to the value.
    public var path: JSONPath
    /// The type that the value must have.
    public var type: ColumnType
    /// Whether a record without a value (absent or null) is rejected.
    public var isRequired: Bool
    /// Whether a text column also takes a JSON number, kept in the digits that were sent.
    public var acceptsNumbers: Bool

    package init(
        _ name: String, path: JSONPath? = nil, _ type: ColumnType, isRequired: Bool = false,
        acceptsNumbers: Bool = false
    ) {
        self.name = name
        self.path = path ?? JSONPath([name])
        self.type = type
        self.isRequired = isRequired
        self.acceptsNumbers = acceptsNumbers
    }
}

/// The types that a column can have.
public enum ColumnType: String, Sendable, CaseIterable {
    /// A JSON string, kept as it is.
    case text
    /// A whole number within 64 bits; `3.0` counts as 3, `3.5` is rejected.
    case integer
    /// A JSON number as an IEEE 754 double.
    case real
    /// `true` or `false`, stored as 1 or 0.
    case boolean
    /// Any JSON value, stored as the text that was sent.
    case json
}

/// A way into a JSON value: object keys from the outside in; a component of digits also selects an array element.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
    /// The keys, outermost first; empty for the value itself.
    public let components: [String]

    package init(_ components: [String]) {
        self.components = components
    }

    /// Reads `$`, `results` or `quotes.USD.price`.
    package init(parsing text: String) {
        components = text == "$" || text.isEmpty ? [] : text.split(separator: ".").map(String.init)
    }

    /// The path in the notation of source files: `$` for the value itself, else the keys joined by dots.
    public var description: String {
        components.isEmpty ? "$" : components.joined(separator: ".")
    }
}
