import CrawlCore
import CrawlHTTP

/// The address of one request, in the forms in which it is needed.
struct PageAddress: Sendable {
    /// The address to ask; may hold secrets.
    let url: String
    /// The address for the ledger and for messages: without secrets.
    let shown: String
    /// What a rate limit and a server's wish to wait count for: the host, with the port where it is not the usual one.
    let host: String
    /// The address under which the page is known from load to load.
    ///
    /// The stand-in's leaves out the port, which differs each time.
    let cacheKey: String

    init(_ request: PageRequest, at endpoint: Endpoint) {
        let items = request.query.map { (name: $0.name, value: $0.value) }
        url =
            request.address.map { URLText.addingSecrets(of: endpoint.url, to: $0) }
            ?? URLText.setting(items, in: endpoint.url)
        shown = URLText.display(url)
        let parsed = HTTPURL(url)
        host = parsed?.authority ?? url
        cacheKey = endpoint.kind == .standIn ? Endpoint.standInLabel + (parsed?.pathAndQuery ?? "") : shown
    }
}
