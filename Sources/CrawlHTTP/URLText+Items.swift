extension URLText {
    /// The items of the query, decoded, in order.
    package static func items(in url: String) -> [(name: String, value: String)] {
        (split(url).query ?? "").split(separator: "&").map { part in
            let name = part.prefix { $0 != "=" }
            return (decoded(name), decoded(part[name.endIndex...].dropFirst()))
        }
    }

    /// The address without the query items of these names.
    package static func removing(_ names: [String], from url: String) -> String {
        let (beginning, query) = split(url)
        guard let query else { return String(beginning) }
        let parts = query.split(separator: "&").filter { part in
            !names.contains(decoded(part.prefix { $0 != "=" }))
        }
        return parts.isEmpty ? String(beginning) : beginning + "?" + parts.joined(separator: "&")
    }
}
