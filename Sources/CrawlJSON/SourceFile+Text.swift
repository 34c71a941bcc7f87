import CrawlCore

extension SourceFile {
    /// The source as a source file, ready to be saved and changed; decoding it gives the same source again.
    package static func text(of source: Source) -> String {
        var lines = [member("name", .text(source.name))]
        if !source.notes.isEmpty {
            // One a line, for they are long.
            let notes = source.notes.map { "    " + JSONValue.text($0).text }
            lines.append("  \"notes\": [\n" + notes.joined(separator: ",\n") + "\n  ]")
        }
        lines += [
            member("url", .text(source.url)),
            member("pagination", value(source.pagination)),
            member("records", value(source.records)),
        ]
        if let limit = source.limit { lines.append(member("limit", .integer(Int64(limit)))) }
        lines += [
            member("key", value(names: source.key)),
            member("onDuplicate", .text(source.onDuplicate.rawValue)),
        ]
        if !source.headline.isEmpty { lines.append(member("headline", value(names: source.headline))) }
        if source.emptyTextIsNull { lines.append(member("emptyTextIsNull", .bool(true))) }
        if !source.set.isEmpty { lines.append(member("set", value(source.set))) }
        if !source.headers.isEmpty { lines.append(member("headers", value(source.headers))) }
        lines += accessMembers(of: source)
        let columns = source.columns.map { "  " + member($0.name, value($0)) }
        lines.append("  \"columns\": {\n" + columns.joined(separator: ",\n") + "\n  }")
        return "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    }

    static func member(_ key: String, _ value: JSONValue) -> String {
        "  \(JSONValue.text(key).text): \(spaced(value))"
    }

    /// A value on one line, with blanks to please the eye.
    private static func spaced(_ value: JSONValue) -> String {
        switch value {
        case .object(let members):
            let members = members.map { "\(JSONValue.text($0.key).text): \(spaced($0.value))" }
            return "{ " + members.joined(separator: ", ") + " }"
        case .array(let elements): return "[" + elements.map(spaced).joined(separator: ", ") + "]"
        default: return value.text
        }
    }

    /// One name as a text, several as a list.
    private static func value(names: [String]) -> JSONValue {
        names.count == 1 ? .text(names[0]) : .array(names.map { .text($0) })
    }

    static func value(_ path: JSONPath) -> JSONValue {
        let text = path.description
        let isPlain =
            path.components.isEmpty || (JSONPath(parsing: text) == path && !text.hasPrefix("$") && !text.contains("["))
        return isPlain ? .text(text) : .array(path.components.map { .text($0) })
    }

    private static func value(_ texts: [String: String]) -> JSONValue {
        .object(texts.sorted { $0.key < $1.key }.map { JSONMember($0.key, .text($0.value)) })
    }

    private static func value(_ column: Column) -> JSONValue {
        let type = column.type.rawValue + (column.isRequired ? "!" : "")
        let hasOwnPath = column.path != JSONPath([column.name])
        guard hasOwnPath || column.acceptsNumbers else { return .text(type) }
        var members: [JSONMember] = []
        if hasOwnPath { members.append(JSONMember("path", value(column.path))) }
        members.append(JSONMember("type", .text(type)))
        if column.acceptsNumbers { members.append(JSONMember("accept", .array([.text("string"), .text("number")]))) }
        return .object(members)
    }
}
