import CrawlCore

extension SourceDecoder {
    /// The pagination styles and the keys of each.
    private static let styles: [(name: String, keys: [String])] = [
        ("repeat", ["sizeParameter", "maxSize"]),
        ("single", []),
        ("page", ["parameter", "first", "sizeParameter", "maxSize", "total", "pages", "more"]),
        ("offset", ["parameter", "first", "sizeParameter", "maxSize", "total", "pages", "more"]),
        ("cursor", ["parameter", "next", "more", "sizeParameter", "maxSize"]),
        ("link", ["next", "more", "sizeParameter", "maxSize"]),
    ]

    /// Decodes `pagination`; `columns` are those that a cursor may come from.
    mutating func pagination(_ value: JSONValue, columns: [Column]) -> Pagination? {
        let place = "pagination"
        let names = Self.styles.map(\.name)
        guard case .object = value else {
            note(place, "expected an object, got \(value.kind.withArticle)")
            return nil
        }
        guard case .text(let name)? = value["style"] else {
            note(place, "the key 'style' is missing; styles are " + names.joined(separator: ", "))
            return nil
        }
        guard let style = Self.styles.first(where: { $0.name == name }) else {
            note(place.within("style"), "unknown style '\(name.shown)'" + hint(name, names, else: names))
            return nil
        }
        guard let members = object(value, at: place, keys: ["style"] + style.keys) else { return nil }
        let size = text(members, "sizeParameter", at: place, isRequired: false)
        // A short page may be the last one, so numbered pages need their size; elsewhere it matters only where it is asked.
        let needsSize = name == "page" || name == "offset" || size != nil
        let maxSize = integer(members, "maxSize", at: place, least: 1, isRequired: needsSize) ?? 1
        let more = answerPlace(members, "more", at: place)
        switch name {
        case "repeat": return .repeat(sizeParameter: size, maxSize: maxSize)
        case "page", "offset":
            let end = PageEnd(
                total: answerPlace(members, "total", at: place), pages: answerPlace(members, "pages", at: place),
                more: more)
            let first = integer(members, "first", at: place, least: 0) ?? (name == "page" ? 1 : 0)
            return text(members, "parameter", at: place).map { parameter in
                name == "page"
                    ? .page(parameter: parameter, first: first, sizeParameter: size, maxSize: maxSize, end: end)
                    : .offset(parameter: parameter, first: first, sizeParameter: size, maxSize: maxSize, end: end)
            }
        case "cursor":
            let next = cursorPlace(members["next"], columns: columns)
            guard let parameter = text(members, "parameter", at: place), let next else { return nil }
            return .cursor(parameter: parameter, next: next, more: more, sizeParameter: size, maxSize: maxSize)
        case "link":
            let next = answerPlace(members, "next", at: place) ?? .linkHeader
            return .link(next: next, more: more, sizeParameter: size, maxSize: maxSize)
        default: return .single
        }
    }

    /// A path, or `{"header": name}`.
    private mutating func answerPlace(_ members: [String: JSONValue], _ key: String, at place: String) -> AnswerPlace? {
        guard let value = members[key] else { return nil }
        let place = place.within(key)
        guard case .object = value else {
            guard let path = path(value, at: place) else { return nil }
            if path.components.isEmpty { note(place, "must lead to a single value") }
            return .body(path)
        }
        guard let members = object(value, at: place, keys: ["header"]) else { return nil }
        return header(members, at: place)
    }

    private mutating func cursorPlace(_ value: JSONValue?, columns: [Column]) -> CursorPlace? {
        let place = "pagination"
        guard let value else {
            note(place, "the key 'next' is missing; it is the path to the next cursor")
            return nil
        }
        guard case .object = value else { return answerPlace(["next": value], "next", at: place).map { .answer($0) } }
        let next = place.within("next")
        guard let members = object(value, at: next, keys: ["header", "last"]) else { return nil }
        guard members["last"] != nil else { return header(members, at: next).map { .answer($0) } }
        if members["header"] != nil { note(next, "has both 'header' and 'last'") }
        guard let name = text(members, "last", at: next) else { return nil }
        guard let column = columns.first(where: { $0.name == name }) else {
            note(next.within("last"), "there is no column '\(name.shown)'" + hint(name, columns.map(\.name)))
            return nil
        }
        if column.type == .json || column.type == .boolean {
            note(next.within("last"), "the column '\(name)' is \(column.type.rawValue), which is no cursor")
        }
        return .lastRecord(column: name)
    }

    private mutating func header(_ members: [String: JSONValue], at place: String) -> AnswerPlace? {
        guard let name = text(members, "header", at: place) else { return nil }
        if !name.isHeaderName { note(place.within("header"), "no header can have this name") }
        return .header(name)
    }
}
