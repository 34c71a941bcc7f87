import CrawlCore
import CrawlHTTP

/// Makes the requests of a source: addresses, headers, crumb, and what of it goes where.
///
/// Fields that hold secrets, user and password, secret parameters, cookie and crumb are for the origin of the source's
/// own address alone; other addresses of the source, and next addresses elsewhere, get the plain fields.
struct RequestBuilder: Sendable {
    /// A request, and how it may be seen.
    struct Request: Sendable {
        var http: HTTPRequest
        /// The address without secrets.
        var shown: String
        /// What a rate limit and a server's wish to wait count for: the host, with the port where it is not the usual one.
        var host: String
        /// The address under which the page is known from load to load.
        ///
        /// The stand-in's leaves out the port, which differs each time.
        var cacheKey: String
    }

    private let headers: HTTPHeaders
    private let plainHeaders: HTTPHeaders
    private let secretHeaderNames: Set<String>
    private let timeout: Duration

    /// Fills the headers of a source.
    ///
    /// - Throws: `CrawlError` (78) where a variable is not set.
    init(_ filling: Filling, timeout: Duration) throws(CrawlError) {
        var headers = HTTPHeaders()
        var plainHeaders = HTTPHeaders()
        var secretNames: Set<String> = []
        if let userAgent = filling.source.authentication?.userAgent {
            headers.add(name: "User-Agent", value: userAgent)
            plainHeaders.add(name: "User-Agent", value: userAgent)
        }
        for (name, text) in filling.source.headers.sorted(by: { $0.key < $1.key }) {
            let value = try filling.header(name, text)
            headers.add(name: name, value: value)
            if Self.isSecret(name, text) {
                secretNames.insert(name.lowercased())
            } else {
                plainHeaders.add(name: name, value: value)
            }
        }
        self.headers = headers
        self.plainHeaders = plainHeaders
        secretHeaderNames = secretNames
        self.timeout = timeout
    }

    /// Whether a header is to be kept from other origins and from messages, by its name or because of a variable in it.
    static func isSecret(_ name: String, _ text: String) -> Bool {
        text.contains("${") || URLText.isSecret(name)
    }

    /// The request for a page.
    func page(_ page: PageRequest, at endpoint: Endpoint, with credentials: Credentials? = nil) -> Request {
        let isOwnOrigin = page.address.map(endpoint.isOrigin) ?? true
        return request(
            Self.address(of: page, at: endpoint, isOwnOrigin: isOwnOrigin), at: endpoint, credentials,
            isOwnOrigin: isOwnOrigin)
    }

    /// The address under which a page is known from load to load.
    static func cacheKey(of page: PageRequest, at endpoint: Endpoint) -> String {
        let isOwnOrigin = page.address.map(endpoint.isOrigin) ?? true
        return cacheKey(address(of: page, at: endpoint, isOwnOrigin: isOwnOrigin), at: endpoint)
    }

    private static func address(of page: PageRequest, at endpoint: Endpoint, isOwnOrigin: Bool) -> Filling.Text {
        guard let address = page.address else {
            let items = page.query.map { (name: $0.name, value: $0.value) }
            let sent = URLText.setting(items, in: endpoint.url)
            let shown = endpoint.shown == endpoint.url ? sent : URLText.setting(items, in: endpoint.shown)
            return Filling.Text(sent: sent, shown: URLText.display(shown))
        }
        return Filling.Text(
            sent: isOwnOrigin ? endpoint.addingSecretItems(to: address) : address, shown: URLText.display(address))
    }

    private static func cacheKey(_ address: Filling.Text, at endpoint: Endpoint) -> String {
        guard endpoint.kind == .standIn else { return address.shown }
        return Endpoint.standInLabel + (HTTPURL(address.sent)?.pathAndQuery ?? "")
    }

    /// A request to one of the source's further addresses.
    func further(_ endpoint: Endpoint, of main: Endpoint, cookie: String? = nil) -> Request {
        var request = request(
            Filling.Text(sent: endpoint.url, shown: endpoint.shown), at: endpoint, nil,
            isOwnOrigin: main.isOrigin(of: endpoint.url))
        if let cookie { request.http.headers.add(name: "Cookie", value: cookie) }
        return request
    }

    private func request(
        _ address: Filling.Text, at endpoint: Endpoint, _ credentials: Credentials?, isOwnOrigin: Bool
    ) -> Request {
        var http = HTTPRequest(
            url: address.sent, headers: isOwnOrigin ? headers : plainHeaders, secretHeaderNames: secretHeaderNames,
            timeout: timeout)
        var shown = address.shown
        if let authorization = endpoint.authorization, endpoint.isOrigin(of: address.sent) {
            http.headers.removeAll { $0 == "authorization" }
            http.headers.add(name: "Authorization", value: authorization)
        }
        if let credentials, isOwnOrigin {
            http.headers.add(name: "Cookie", value: credentials.cookie)
            http.url = URLText.setting([(credentials.parameter, credentials.crumb)], in: address.sent)
            shown += "\(shown.contains("?") ? "&" : "?")\(URLText.encoded(credentials.parameter))=\(URLText.mask)"
        }
        return Request(
            http: http, shown: shown, host: HTTPURL(address.sent)?.authority ?? address.shown,
            cacheKey: Self.cacheKey(address, at: endpoint))
    }
}

extension Endpoint {
    /// Whether an address leads to the same scheme, host and port, so that secrets may go there.
    func isOrigin(of address: String) -> Bool {
        guard let own = HTTPURL(url), let other = HTTPURL(address) else { return address == url }
        return own.isSameOrigin(as: other)
    }

    /// The next address without the secrets that this address has in its query, so that it may be stored.
    func removingSecretItems(from address: String) -> String {
        let secrets = secretItems
        guard !secrets.isEmpty, isOrigin(of: address) else { return address }
        let (beginning, items) = URLText.beginningAndItems(of: address, omittingEmptyItems: false)
        let kept = items.filter { item in !secrets.contains { $0 == QueryItem(decoding: item) } }
        return kept.isEmpty ? beginning : beginning + "?" + kept.joined(separator: "&")
    }

    /// The address with those secrets again, but for parameters that it has itself.
    func addingSecretItems(to address: String) -> String {
        let names = Self.items(of: address).map { QueryItem(decoding: $0).name }
        let missing = secretItems.filter { !names.contains($0.name) }
        return missing.isEmpty ? address : URLText.setting(missing.map { ($0.name, $0.value) }, in: address)
    }

    /// The items of the query that may not be seen.
    var secretItems: [QueryItem] {
        guard url != shown else { return [] }
        let (sent, seen) = (Self.items(of: url), Self.items(of: shown))
        guard sent.count == seen.count else { return [] }
        return zip(sent, seen).filter { $0 != $1 }.map { QueryItem(decoding: $0.0) }
    }

    private static func items(of address: String) -> [String] {
        URLText.beginningAndItems(of: address, omittingEmptyItems: false).items
    }
}

extension QueryItem {
    /// Reads `name=value`, percent-encoded.
    fileprivate init(decoding item: String) {
        let (name, value) = URLText.sides(of: item)
        self.init(URLText.decoded(name), URLText.decoded(value ?? ""))
    }
}
