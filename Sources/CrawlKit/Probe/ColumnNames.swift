/// Makes names that a table can have out of any keys, each one different.
struct ColumnNames {
    /// The longest name.
    private static let longest = 60
    /// Names that every table has for itself, or that mean the row number.
    private static let taken: Set = ["extra", "page", "rowid", "oid", "_rowid_"]
    private static let forbiddenPrefixes = ["crawl_", "sqlite_"]

    private var seen: Set<String> = []

    /// The name for a path: its keys joined by `_`, with ASCII letters, digits and `_` only.
    mutating func name(for path: [String]) -> String {
        var base = Self.identifier(path.joined(separator: "_"), or: "column")
        if Self.taken.contains(base.lowercased()) { base += "_value" }
        var name = base
        var number = 2
        while !seen.insert(name.lowercased()).inserted {
            let end = "_\(number)"
            name = base.prefix(Self.longest - end.count) + end
            number += 1
        }
        return name
    }

    /// A text as a name that is free of everything that could be misread.
    static func identifier(_ text: String, or fallback: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars.prefix(500) {
            let isWord =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_")
            if isWord {
                name.unicodeScalars.append(scalar)
            } else if name.last != "_", !name.isEmpty {
                name += "_"
            }
        }
        while name.hasSuffix("_") { name.removeLast() }
        if name.allSatisfy({ $0 == "_" }) { name = fallback }
        if name.first?.isNumber == true { name = "_" + name }
        if forbiddenPrefixes.contains(where: { name.lowercased().hasPrefix($0) }) { name = "_" + name }
        return String(name.prefix(longest))
    }
}
