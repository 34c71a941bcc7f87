/// Names of tables and columns in SQL.
enum SQLName {
    /// The name as a quoted identifier; any name without NUL is safe, whatever else is in it.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    /// The name as SQLite compares it: without regard to the case of ASCII letters, and of no others.
    static func folded(_ name: String) -> String {
        String(decoding: name.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
