import CrawlCore

/// What a source file says about its requests: addresses, placeholders, headers.
extension SourceDecoder {
    /// Header fields that belong to the program.
    private static let ownHeaders = ["host", "connection", "content-length", "transfer-encoding", "accept-encoding"]

    mutating func set(_ value: JSONValue?) -> [String: String] {
        let set = texts(value, at: "set") { $0.isIdentifier ? nil : "a placeholder has letters, digits and _" }
        for (name, text) in set.sorted(by: { $0.key < $1.key }) {
            template(text, at: "set".within(name), hasPlaceholders: false)
        }
        return set
    }

    mutating func headers(_ value: JSONValue?) -> [String: String] {
        let headers = texts(value, at: "headers") { name in
            if Self.ownHeaders.contains(name.lowercased()) { return "the program sets this header itself" }
            return name.isHeaderName ? nil : "no header can have this name"
        }
        var seen: Set<String> = []
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            let place = "headers".within(name.shown)
            if !value.isHeaderValue { note(place, "a header's value must not hold control characters") }
            if !seen.insert(name.lowercased()).inserted { note(place, "the header is there in another spelling too") }
            template(value, at: place, hasPlaceholders: false)
        }
        return headers
    }

    /// Reports values for placeholders that no address has.
    mutating func checkSet(of source: Source) {
        let names = source.placeholders
        for name in source.set.keys.sorted() where !names.contains(name) && name.isIdentifier {
            note("set".within(name), "no address has the placeholder {\(name)}" + hint(name, names))
        }
    }

    /// Checks an address; nil where it is none.
    @discardableResult
    mutating func check(url: String, at place: String) -> Template? {
        let lowercased = url.lowercased()
        let scheme = ["https://", "http://"].first { lowercased.hasPrefix($0) }
        guard let scheme else {
            note(place, "'\(url.shown)' does not begin with https:// or http://")
            return nil
        }
        let host = url.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        if host.isEmpty { note(place, "'\(url.shown)' names no host") }
        if let port = host.split(separator: ":").dropFirst().last, port.allSatisfy(\.isNumber),
            UInt16(port) ?? 0 == 0
        {
            note(place, "'\(url.shown)' names no port from 1 to 65535")
        }
        if host.contains("@") { note(place, "a user name or password must not stand in the address; use headers") }
        if url.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) {
            note(place, "white space and control characters must be percent-encoded")
        }
        guard let template = template(url, at: place, hasPlaceholders: true) else { return nil }
        let beginning = url.prefix { $0 != "?" }
        if beginning.contains("${") {
            note(place, "a variable of the environment may stand behind the question mark only; use headers")
        }
        return template
    }

    /// Reads a text with placeholders and variables; reports one that cannot be read.
    @discardableResult
    mutating func template(_ text: String, at place: String, hasPlaceholders: Bool) -> Template? {
        do throws(Template.Problem) {
            return try Template(parsing: text, hasPlaceholders: hasPlaceholders)
        } catch {
            note(place, error.rule)
            return nil
        }
    }
}
