import CCurl

/// An `http` or `https` address in its parts, read by the same parser that libcurl connects with.
///
/// Two parsers that disagree about where a host ends are how checks of redirects are got round.
package struct HTTPURL: Sendable, Equatable {
    /// `http` or `https`.
    package let scheme: String
    /// The host, lower-cased, an IPv6 address without brackets.
    package let host: String
    /// The port, the scheme's own where none is named.
    package let port: Int
    /// The name and the password before the host, decoded; secrets both.
    package let user: String?
    package let password: String?
    /// The whole address, normalised, without user, password and fragment.
    package let text: String

    /// Reads an absolute address; nil where it is none, or neither `http` nor `https`.
    package init?(_ text: String) {
        self.init(text, relativeTo: nil)
    }

    /// Reads a reference relative to this address, as a `Location` or `Link` field holds it.
    ///
    /// Bytes that no address may hold are percent-encoded. User information in the reference is left out; that of this
    /// address is kept for the same origin only.
    package func resolving(_ reference: String) -> HTTPURL? {
        Self.mayBeHTTP(reference) ? HTTPURL(reference, relativeTo: self) : nil
    }

    /// Whether a reference has no scheme, or begins like an http or https address in full.
    ///
    /// libcurl takes `javascript:…` for the name of a file, and others take `http:\\\\` for `http://`; whoever writes so
    /// means nothing good.
    private static func mayBeHTTP(_ reference: String) -> Bool {
        let text = reference.drop { $0 == " " || $0.isNewline || $0 == "\t" }
        let name = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        guard name.first?.isLetter == true, text[name.endIndex...].hasPrefix(":") else { return true }
        return ["http", "https"].contains(name.lowercased()) && text[name.endIndex...].hasPrefix("://")
    }

    private init?(_ reference: String, relativeTo base: HTTPURL?) {
        // To C the text would end there, and what is read would not be what stands in the ledger.
        guard !reference.utf8.contains(0), let handle = curl_url() else { return nil }
        defer { curl_url_cleanup(handle) }
        if let base {
            guard curl_url_set(handle, CURLUPART_URL, base.text, 0) == CURLUE_OK else { return nil }
        }
        guard curl_url_set(handle, CURLUPART_URL, reference, UInt32(CURLU_URLENCODE)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased(), scheme == "http" || scheme == "https",
            let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = Self.part(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT).flatMap({ Int($0) })
        else { return nil }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()).lowercased() : host.lowercased()
        self.port = port
        if let base {
            let isSameOrigin = base.scheme == scheme && base.host == self.host && base.port == port
            user = isSameOrigin ? base.user : nil
            password = isSameOrigin ? base.password : nil
        } else {
            user = Self.part(CURLUPART_USER, of: handle, flags: CURLU_URLDECODE)
            password = Self.part(CURLUPART_PASSWORD, of: handle, flags: CURLU_URLDECODE)
        }
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_FRAGMENT] {
            guard curl_url_set(handle, part, nil, 0) == CURLUE_OK else { return nil }
        }
        guard let text = Self.part(CURLUPART_URL, of: handle) else { return nil }
        self.text = text
    }

    /// The host, and the port where it is not the scheme's own: the name of what a rate limit counts for.
    package var authority: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return port == (scheme == "https" ? 443 : 80) ? name : "\(name):\(port)"
    }

    /// What stands behind the authority: the path and, behind `?`, the query.
    package var pathAndQuery: String {
        String(text.dropFirst(scheme.count + 3).drop { $0 != "/" && $0 != "?" })
    }

    /// Whether secrets meant for one address may be sent to the other: scheme, host and port are equal.
    package func isSameOrigin(as other: HTTPURL) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }

    /// Whether the host is this machine by its name or its address, without asking for either.
    package var isLoopback: Bool {
        // A dot at the end of a name changes nothing but the text.
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return name == "localhost" || name.hasSuffix(".localhost") || NetworkAddress(name)?.isLoopback == true
    }

    /// Whether the host is, by its name or its address, nothing that the internet can reach.
    package var isPrivate: Bool {
        isLoopback || NetworkAddress(host)?.isPrivate == true
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
