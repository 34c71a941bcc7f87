/// Addresses as text: parameters set, secrets hidden.
///
/// An address is taken as the bytes that it is; to find where its characters end would take ten times as long.
package enum URLText {
    /// What stands in the place of a secret.
    package static let mask = "***"

    /// The address with these query parameters.
    ///
    /// A parameter that is there already gets the new value in its place, a second one of the name goes; others are
    /// added at the end, in order. What is not touched stays as it was, byte for byte. A fragment is left out.
    package static func setting(_ items: [(name: String, value: String)], in url: String) -> String {
        let (beginning, query) = split(url)
        var parts = query.map { $0.utf8.split(separator: ampersand).map { String(Substring($0)) } } ?? []
        for (name, value) in items {
            let item = encoded(name) + "=" + encoded(value)
            let places = parts.indices.filter { decoded(Substring(parts[$0].utf8.prefix { $0 != equalSign })) == name }
            for place in places.dropFirst().reversed() { parts.remove(at: place) }
            if let place = places.first {
                parts[place] = item
            } else {
                parts.append(item)
            }
        }
        return parts.isEmpty ? String(beginning) : beginning + "?" + parts.joined(separator: "&")
    }

    /// The text percent-encoded outside the unreserved set
    /// ([RFC 3986, 2.3](https://www.rfc-editor.org/rfc/rfc3986#section-2.3)), as it may stand anywhere in an address.
    package static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            if isUnreserved(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + String(byte >> 4, radix: 16, uppercase: true)
                result += String(byte & 15, radix: 16, uppercase: true)
            }
        }
        return result
    }

    /// The address as people, the ledger and events may see it.
    ///
    /// User and password are left out; the values of parameters whose names sound like secrets, and every one of
    /// `secrets` wherever it stands, are replaced by `mask`.
    package static func display(_ url: String, hiding secrets: some Sequence<String> = [String]()) -> String {
        let (beginning, query) = split(withoutUserInfo(url))
        var text = String(beginning)
        if let query {
            let parts = query.utf8.split(separator: ampersand, omittingEmptySubsequences: false).map { part in
                let name = Substring(part.prefix { $0 != equalSign })
                return name.endIndex != part.endIndex && isSecret(decoded(name))
                    ? name + "=" + mask : String(Substring(part))
            }
            text += "?" + parts.joined(separator: "&")
        }
        return hiding(secrets, in: text)
    }

    /// The text with `mask` for every one of `secrets`, as it is or percent-encoded.
    package static func hiding(_ secrets: some Sequence<String>, in text: String) -> String {
        // The longest first, so that a secret that contains another leaves nothing of itself.
        let forms = Set(secrets.flatMap { [$0, encoded($0)] }).filter { !$0.isEmpty }
        return forms.sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }.reduce(text) { text, form in
            text.contains(form)
                ? text.split(separator: form, omittingEmptySubsequences: false).joined(separator: mask) : text
        }
    }

    /// Whether a query parameter of that name is likely to hold a secret: one of its words, or its end, says so.
    package static func isSecret(_ name: String) -> Bool {
        let lowerCased = name.lowercased()
        let words = lowerCased.utf8.split { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
        return words.contains { secretWords.contains(String(Substring($0))) }
            || secretEnds.contains { lowerCased.hasSuffix($0) }
    }

    private static let secretWords: Set<String> = [
        "key", "token", "crumb", "secret", "password", "passwd", "passphrase", "pwd", "pass", "sig", "signature",
        "auth", "authorization", "credential", "credentials", "cookie", "session", "sid", "jwt", "bearer",
    ]
    private static let ampersand = UInt8(ascii: "&")
    private static let equalSign = UInt8(ascii: "=")
    private static let secretEnds = [
        "apikey", "appkey", "accesskey", "token", "secret", "password", "signature", "appid",
    ]

    /// The address up to its query, and the query without `?`; the fragment is left out.
    static func split(_ url: String) -> (beginning: Substring, query: Substring?) {
        let address = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = address.firstIndex(of: UInt8(ascii: "?")) else { return (Substring(address), nil) }
        return (Substring(address[..<mark]), Substring(address[address.index(after: mark)...]))
    }

    private static func withoutUserInfo(_ url: String) -> String {
        let bytes = url.utf8
        guard bytes.contains(UInt8(ascii: "@")), let slash = bytes.firstIndex(of: UInt8(ascii: "/")),
            slash == bytes.startIndex || bytes[bytes.index(before: slash)] == UInt8(ascii: ":")
        else { return url }
        // libcurl takes one slash or three for two.
        let behindScheme = bytes[slash...].drop { $0 == UInt8(ascii: "/") }
        let authority = behindScheme.prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
        }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return url }
        return String(Substring(bytes[..<behindScheme.startIndex])) + Substring(bytes[bytes.index(after: at)...])
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// The text with `%41` and `+` undone, for comparing names and values.
    package static func decoded(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(text)
        }
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
