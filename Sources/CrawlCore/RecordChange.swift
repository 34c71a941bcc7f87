/// A stored record that took new values, or one that is new.
public struct RecordChange: Sendable, Equatable {
    /// One column of a record that changed.
    public struct Column: Sendable, Equatable {
        /// The column's name.
        public var name: String
        /// The value before; null for a new record.
        public var before: RecordValue
        /// The value now.
        public var after: RecordValue

        package init(name: String, before: RecordValue, after: RecordValue) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    /// The values of the key columns, in the order of the key.
    public var key: [RecordValue]
    /// Whether the record was not stored before.
    public var isNew: Bool
    /// The columns whose values differ, in the order of the table; all that have a value in a new record.
    public var columns: [Column]

    package init(key: [RecordValue], isNew: Bool, columns: [Column]) {
        self.key = key
        self.isNew = isNew
        self.columns = columns
    }
}

/// A value of a stored record.
public enum RecordValue: Sendable, Equatable, CustomStringConvertible {
    /// No value.
    case null
    /// A whole number; a boolean is 0 or 1.
    case integer(Int64)
    /// A number.
    case real(Double)
    /// A text, or a JSON value in the text that was sent.
    case text(String)

    /// The value as text; empty for null.
    public var description: String {
        switch self {
        case .null: ""
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        }
    }

    /// The value as a number, nil where it is none.
    public var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .null, .text: nil
        }
    }
}
