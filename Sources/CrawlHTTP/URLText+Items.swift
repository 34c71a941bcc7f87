extension URLText {
    /// The items of the query, decoded, in order.
    package static func items(in url: String) -> [(name: String, value: String)] {
        parts(of: split(url).query ?? "", at: "&").map { part in
            let (name, value) = sides(of: part)
            return (decoded(name), decoded(value ?? ""))
        }
    }

    /// The address without the query items of these names.
    package static func removing(_ names: [String], from url: String) -> String {
        let (beginning, query) = split(url)
        guard let query else { return String(beginning) }
        let parts = parts(of: query, at: "&").filter { !names.contains(decoded(sides(of: $0).name)) }
        return parts.isEmpty ? String(beginning) : beginning + "?" + parts.joined(separator: "&")
    }

    /// The address up to `?` and the items behind it, without the fragment; all as they stand.
    package static func beginningAndItems(
        of url: String, omittingEmptyItems: Bool = true
    ) -> (beginning: String, items: [String]) {
        let (beginning, query) = split(url)
        let items = query.map { parts(of: $0, at: "&", omittingEmpty: omittingEmptyItems) } ?? []
        return (String(beginning), items.map(String.init))
    }

    /// What stands before the first `=` and behind it, nil where there is none; both as they stand.
    package static func sides(of item: some StringProtocol) -> (name: Substring, value: Substring?) {
        let sides = parts(of: item, at: "=", most: 1, omittingEmpty: false)
        return (sides[0], sides.count > 1 ? sides[1] : nil)
    }

    /// The pieces between the separators, cut at most so many times.
    ///
    /// A separator counts whatever follows it: to Swift's characters `&` and a combining mark would be one, which is no
    /// separator, while servers see bytes.
    package static func parts(
        of text: some StringProtocol, at separator: Unicode.Scalar, most: Int = .max, omittingEmpty: Bool = true
    ) -> [Substring] {
        Substring(text).unicodeScalars
            .split(separator: separator, maxSplits: most, omittingEmptySubsequences: omittingEmpty)
            .map { Substring($0) }
    }
}
