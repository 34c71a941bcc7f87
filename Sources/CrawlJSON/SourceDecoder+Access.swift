import CrawlCore

/// What a source file says about getting in: the handshake, the fallback, what a complete answer is.
extension SourceDecoder {
    private static let styles = ["cookie-crumb"]

    mutating func authentication(_ value: JSONValue, headers: [String: String]) -> Authentication? {
        let place = "auth"
        let keys = ["style", "cookie", "crumb", "parameter", "userAgent"]
        guard let members = object(value, at: place, keys: keys) else { return nil }
        guard let style = text(members, "style", at: place) else { return nil }
        guard Self.styles.contains(style) else {
            note(place.within("style"), "unknown style '\(style.shown)'" + hint(style, Self.styles, else: Self.styles))
            return nil
        }
        let cookie = address(members, "cookie", at: place)
        let crumb = address(members, "crumb", at: place)
        let parameter = text(members, "parameter", at: place)
        let userAgent = text(members, "userAgent", at: place, isRequired: false)
        if let userAgent, !userAgent.isHeaderValue {
            note(place.within("userAgent"), "a header's value must not hold control characters")
        }
        for name in headers.keys.sorted() where name.lowercased() == "cookie" {
            note("headers".within(name), "the handshake under 'auth' sets this header")
        }
        for name in headers.keys.sorted() where name.lowercased() == "user-agent" && userAgent != nil {
            note("headers".within(name), "the same header as auth.userAgent; keep one of them")
        }
        guard let cookie, let crumb, let parameter else { return nil }
        return .cookieCrumb(CookieCrumb(cookie: cookie, crumb: crumb, parameter: parameter, userAgent: userAgent))
    }

    mutating func fallback(_ value: JSONValue, of source: Source) -> Fallback? {
        let place = "fallback"
        guard let members = object(value, at: place, keys: ["url", "each", "as", "records", "columns"]) else {
            return nil
        }
        if source.pagination != .single {
            note(place, "goes with the pagination style 'single' only, for it asks for one value after the other")
        }
        let url = text(members, "url", at: place)
        let template = url.flatMap { check(url: $0, at: place.within("url")) }
        let each = text(members, "each", at: place)
        if let each { checkPlaceholder(each, of: source, at: place.within("each")) }
        let own = template?.placeholders.filter { !placeholders(of: source).contains($0) } ?? []
        // Without a name of its own, the one placeholder that only this address has can be meant.
        let placeholder =
            text(members, "as", at: place, isRequired: false)
            ?? (each.map { template?.placeholders.contains($0) ?? true } == false && own.count == 1 ? own[0] : each)
        if let placeholder, let template, !template.placeholders.contains(placeholder) {
            note(
                place.within("url"),
                "lacks the placeholder {\(placeholder.shown)}" + hint(placeholder, template.placeholders))
        }
        let records = members["records"].flatMap { path($0, at: place.within("records")) } ?? JSONPath([])
        let paths = members["columns"].map { self.paths($0, of: source, at: place.within("columns")) } ?? [:]
        guard let url, let each else { return nil }
        return Fallback(url: url, each: each, placeholder: placeholder, records: records, paths: paths)
    }

    mutating func expectation(_ value: JSONValue, of source: Source) -> Expectation? {
        let place = "expect"
        guard let members = object(value, at: place, keys: ["column", "from"]) else { return nil }
        let column = text(members, "column", at: place)
        if let column { checkColumn(column, of: source, at: place.within("column")) }
        let placeholder = text(members, "from", at: place)
        if let placeholder { checkPlaceholder(placeholder, of: source, at: place.within("from")) }
        guard let column, let placeholder else { return nil }
        return Expectation(column: column, placeholder: placeholder)
    }

    /// The paths of columns that stand elsewhere in the fallback's records.
    private mutating func paths(_ value: JSONValue, of source: Source, at place: String) -> [String: JSONPath] {
        var paths: [String: JSONPath] = [:]
        for member in members(value, at: place) ?? [] {
            let own = place.within(member.key.shown)
            checkColumn(member.key, of: source, at: own)
            guard let path = path(member.value, at: own) else { continue }
            if path.components.isEmpty { note(own, "must lead into the record") }
            paths[member.key] = path
        }
        return paths
    }

    /// An address without placeholders or variables.
    private mutating func address(_ members: [String: JSONValue], _ key: String, at place: String) -> String? {
        guard let url = text(members, key, at: place) else { return nil }
        if let template = check(url: url, at: place.within(key)),
            !template.placeholders.isEmpty || !template.variables.isEmpty
        {
            note(place.within(key), "must be a whole address, without placeholders and variables")
        }
        return url
    }

    private mutating func checkPlaceholder(_ name: String, of source: Source, at place: String) {
        let names = placeholders(of: source)
        if !names.contains(name) {
            note(place, "the address under 'url' has no placeholder {\(name.shown)}" + hint(name, names))
        }
    }

    private func placeholders(of source: Source) -> [String] {
        (try? Template(parsing: source.url, hasPlaceholders: true).placeholders) ?? []
    }

    private mutating func checkColumn(_ name: String, of source: Source, at place: String) {
        let names = source.columns.map(\.name)
        if !names.contains(name) { note(place, "there is no column '\(name.shown)'" + hint(name, names)) }
    }
}
