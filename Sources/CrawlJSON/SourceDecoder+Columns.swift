import CrawlCore

extension SourceDecoder {
    /// The most columns of a source; SQLite's own limit is 2,000.
    private static let mostColumns = 1000
    /// Columns that every table has beside the source's own.
    private static let reserved = ["extra", "page"]
    /// What other systems call the types.
    private static let otherNames: [String: ColumnType] = [
        "string": .text, "str": .text, "varchar": .text, "char": .text, "date": .text, "datetime": .text,
        "int": .integer, "int64": .integer, "bigint": .integer, "long": .integer,
        "float": .real, "double": .real, "number": .real, "decimal": .real, "numeric": .real,
        "bool": .boolean, "object": .json, "array": .json, "list": .json, "any": .json,
    ]

    mutating func columns(_ value: JSONValue) -> [Column]? {
        guard let members = members(value, at: "columns") else { return nil }
        if members.isEmpty { note("columns", "there must be at least one") }
        if members.count > Self.mostColumns { note("columns", "more than \(Self.mostColumns)") }
        var seen: [String: String] = [:]
        return members.compactMap { member in
            let place = "columns.\(member.key.shown)"
            check(name: member.key, at: place)
            let folded = member.key.lowercased()
            if Self.reserved.contains(folded) {
                note(place, "every table has a column '\(folded)' of its own; choose another name and give the path")
            }
            if let other = seen[folded], other != member.key {
                note(place, "differs from the column '\(other.shown)' in upper and lower case only")
            }
            seen[folded] = member.key
            return column(member.key, member.value, at: place)
        }
    }

    private mutating func column(_ name: String, _ value: JSONValue, at place: String) -> Column? {
        if case .text(let word) = value {
            guard let (type, isRequired) = type(word, at: place) else { return nil }
            return Column(name, type, isRequired: isRequired)
        }
        guard let members = object(value, at: place, keys: ["path", "type", "required", "accept"]) else { return nil }
        let path = members["path"].flatMap { self.path($0, at: place.within("path")) }
        if let path, path.components.isEmpty { note(place.within("path"), "must lead into the record") }
        let isRequired = bool(members, "required", at: place) ?? false
        guard let word = text(members, "type", at: place), let (type, hasMark) = type(word, at: place) else {
            return nil
        }
        return Column(
            name, path: path, type, isRequired: isRequired || hasMark,
            acceptsNumbers: acceptsNumbers(members["accept"], type: type, at: place.within("accept")))
    }

    private mutating func type(_ word: String, at place: String) -> (ColumnType, isRequired: Bool)? {
        let isRequired = word.hasSuffix("!")
        let name = isRequired ? String(word.dropLast()) : word
        if let type = ColumnType(rawValue: name) { return (type, isRequired) }
        let names = ColumnType.allCases.map(\.rawValue)
        if let type = Self.otherNames[name.lowercased()] ?? ColumnType(rawValue: name.lowercased()) {
            note(place, "unknown type '\(name.shown)', use \(type.rawValue)")
        } else {
            note(place, "unknown type '\(name.shown)'" + hint(name, names, else: names))
        }
        return nil
    }

    private mutating func acceptsNumbers(_ value: JSONValue?, type: ColumnType, at place: String) -> Bool {
        guard let value else { return false }
        guard case .array(let elements) = value else {
            note(place, "expected a list such as [\"string\", \"number\"], got \(value.kind.withArticle)")
            return false
        }
        for element in elements where element != .text("string") && element != .text("number") {
            note(place, "knows \"string\" and \"number\", not \(element.text.shown)")
        }
        let acceptsNumbers = elements.contains(.text("number"))
        if acceptsNumbers, type != .text { note(place, "only a text column can take numbers as they are") }
        return acceptsNumbers
    }
}
