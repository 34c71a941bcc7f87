/// `Link` fields, which name the next page.
///
/// See [RFC 8288, 3](https://www.rfc-editor.org/rfc/rfc8288#section-3).
package enum LinkHeader {
    /// The address of the first link with `rel="next"` as it was written, nil where there is none.
    package static func next(in fields: [String]) -> String? {
        fields.lazy.flatMap(links).first { $0.relations.contains("next") }?.target
    }

    /// One link of a field.
    struct Link: Equatable {
        /// What stands between the angle brackets.
        var target: String
        /// The lower-cased relation types of the first `rel` parameter.
        var relations: [String] = []
    }

    /// The links of a field; what is not in the field's form ends the reading.
    static func links(_ field: String) -> [Link] {
        var reader = Reader(field)
        var links: [Link] = []
        while reader.skip(upTo: "<") {
            guard let target = reader.text(upTo: ">") else { break }
            var link = Link(target: target)
            var hasRelation = false
            while let (name, value) = reader.parameter() {
                // Later ones do not count, RFC 8288, 3.3.
                guard name == "rel", !hasRelation else { continue }
                hasRelation = true
                link.relations = value.lowercased().split(separator: " ").map(String.init)
            }
            links.append(link)
        }
        return links
    }

    private struct Reader {
        private var rest: Substring

        init(_ text: String) {
            rest = text[...]
        }

        /// Goes on behind `mark`, over separators only; false where something else comes or nothing.
        mutating func skip(upTo mark: Character) -> Bool {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            guard rest.first == mark else { return false }
            rest.removeFirst()
            return true
        }

        /// The text before `mark`; goes on behind it.
        mutating func text(upTo mark: Character) -> String? {
            guard let end = rest.firstIndex(of: mark) else { return nil }
            defer { rest = rest[rest.index(after: end)...] }
            return String(rest[..<end])
        }

        /// The next `; name=value`; nil at the end of the link.
        mutating func parameter() -> (name: String, value: String)? {
            dropBlanks()
            guard rest.first == ";" else { return nil }
            rest.removeFirst()
            dropBlanks()
            let name = rest.prefix { $0 != "=" && $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
            rest = rest[name.endIndex...]
            dropBlanks()
            guard rest.first == "=" else { return (name.lowercased(), "") }
            rest.removeFirst()
            dropBlanks()
            return (name.lowercased(), rest.first == "\"" ? quoted() : token())
        }

        private mutating func dropBlanks() {
            rest = rest.drop { $0 == " " || $0 == "\t" }
        }

        private mutating func token() -> String {
            let value = rest.prefix { $0 != ";" && $0 != "," && $0 != " " && $0 != "\t" }
            rest = rest[value.endIndex...]
            return String(value)
        }

        private mutating func quoted() -> String {
            rest.removeFirst()
            var value = ""
            while let character = rest.popFirst(), character != "\"" {
                guard character == "\\" else {
                    value.append(character)
                    continue
                }
                if let escaped = rest.popFirst() { value.append(escaped) }
            }
            return value
        }
    }
}
