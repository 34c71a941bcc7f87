/// What an answer must hold to be complete: a record for each value that was asked for.
public struct Expectation: Sendable, Equatable {
    /// The column that holds the value.
    public var column: String
    /// The placeholder whose values, separated by commas, were asked for.
    public var placeholder: String

    package init(column: String, placeholder: String) {
        self.column = column
        self.placeholder = placeholder
    }
}
