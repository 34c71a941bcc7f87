extension URLText {
    /// The address without those query items that hold a secret and stand in `other` with the same value.
    ///
    /// For addresses that are kept: servers repeat the parameters of the request in the addresses that they name.
    package static func removingSecrets(of other: String, from url: String) -> String {
        let secrets = secretItems(in: other)
        guard !secrets.isEmpty else { return url }
        let (beginning, query) = split(url)
        guard let query else { return url }
        let parts = query.split(separator: "&").filter { part in
            let (name, value) = item(part)
            return !secrets.contains { $0.name == name && $0.value == value }
        }
        return parts.isEmpty ? String(beginning) : beginning + "?" + parts.joined(separator: "&")
    }

    /// The address with those query items of `other` that hold a secret, where it has none of the name.
    package static func addingSecrets(of other: String, to url: String) -> String {
        let names = items(in: url).map(\.name)
        let missing = secretItems(in: other).filter { !names.contains($0.name) }
        return missing.isEmpty ? url : setting(missing, in: url)
    }

    /// The items of the query, decoded, in order.
    package static func items(in url: String) -> [(name: String, value: String)] {
        (split(url).query ?? "").split(separator: "&").map { item($0) }
    }

    private static func secretItems(in url: String) -> [(name: String, value: String)] {
        items(in: url).filter { isSecret($0.name) && !$0.value.isEmpty }
    }

    private static func item(_ part: Substring) -> (name: String, value: String) {
        let name = part.prefix { $0 != "=" }
        return (decoded(name), decoded(part[name.endIndex...].dropFirst()))
    }
}

extension URLText {
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
