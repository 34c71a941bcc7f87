/// Which proxy stands between this machine and a host, from the environment, as curl reads it.
///
/// `http_proxy` (lower case only: a CGI program's `HTTP_PROXY` comes from the request), `https_proxy`, `all_proxy` and
/// `no_proxy`, the last three in upper case too. This machine itself is never asked through a proxy. See
/// [curl's manual](https://curl.se/docs/manpage.html#ENVIRONMENT).
package struct ProxySettings: Sendable, Equatable {
    private var http: String?
    private var https: String?
    private var exceptions: [Substring]

    package init(environment: [String: String]) {
        func value(_ names: String...) -> String? {
            names.lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        }
        let all = value("all_proxy", "ALL_PROXY")
        http = value("http_proxy") ?? all
        https = value("https_proxy", "HTTPS_PROXY") ?? all
        exceptions = (value("no_proxy", "NO_PROXY") ?? "").lowercased().split { $0 == "," || $0 == " " }
    }

    /// The proxy's address for a request, nil where it goes straight.
    package func proxy(for url: HTTPURL) -> String? {
        guard let proxy = url.scheme == "https" ? https : http else { return nil }
        return url.isLoopback || exceptions.contains { matches($0, url.host) } ? nil : proxy
    }

    private func matches(_ exception: Substring, _ host: String) -> Bool {
        if exception == "*" { return true }
        if let address = NetworkAddress(host) {
            let parts = exception.split(separator: "/", maxSplits: 1).map(String.init)
            guard let network = parts.first.map(Self.withoutBrackets).flatMap(NetworkAddress.init) else { return false }
            return address.matches(network, bits: parts.count == 2 ? Int(parts[1]) ?? -1 : network.bytes.count * 8)
        }
        let domain = exception.drop { $0 == "." }
        return !domain.isEmpty && (host == domain || host.hasSuffix("." + domain))
    }

    private static func withoutBrackets(_ text: String) -> String {
        text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
    }
}
