import CrawlCore

extension SourceDecoder {
    /// The pagination styles and the keys of each.
    private static let styles: [(name: String, keys: [String])] = [
        ("repeat", ["sizeParameter", "maxSize"]),
        ("single", []),
        ("page", ["parameter", "first", "sizeParameter", "maxSize"]),
        ("offset", ["parameter", "sizeParameter", "maxSize"]),
        ("cursor", ["parameter", "next", "sizeParameter", "maxSize"]),
        ("link", ["sizeParameter", "maxSize"]),
    ]

    mutating func pagination(_ value: JSONValue) -> Pagination? {
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
        // A short page is the last one, so numbered pages need their size; elsewhere it matters only where it is asked.
        let needsSize = name == "page" || name == "offset" || size != nil
        let maxSize = integer(members, "maxSize", at: place, least: 1, isRequired: needsSize) ?? 1
        switch name {
        case "repeat": return .repeat(sizeParameter: size, maxSize: maxSize)
        case "page":
            let first = integer(members, "first", at: place, least: 0) ?? 1
            return text(members, "parameter", at: place).map {
                .page(parameter: $0, first: first, sizeParameter: size, maxSize: maxSize)
            }
        case "offset":
            return text(members, "parameter", at: place).map {
                .offset(parameter: $0, sizeParameter: size, maxSize: maxSize)
            }
        case "cursor":
            if members["next"] == nil { note(place, "the key 'next' is missing; it is the path to the next cursor") }
            let next = members["next"].flatMap { path($0, at: place.within("next")) }
            guard let parameter = text(members, "parameter", at: place), let next else { return nil }
            return .cursor(parameter: parameter, next: next, sizeParameter: size, maxSize: maxSize)
        case "link": return .link(sizeParameter: size, maxSize: maxSize)
        default: return .single
        }
    }
}
