import CrawlHTTP

/// Decides whether and where the next address that an answer names is followed: on the scheme and host that were asked,
/// nowhere else.
///
/// Headers with secrets go where the pages lead, so that a page must not lead them to another host.
struct NextAddress: Sendable {
    /// Where the first request went.
    let endpoint: Endpoint
    /// The address in the source file, whose links mean the endpoint where that stands in for it.
    let home: String

    /// Why an address is not followed, as a part of a sentence.
    struct Refusal: Error, Equatable {
        var evidence: String
    }

    /// The address to ask next, absolute, without the secrets that the endpoint's own address holds.
    ///
    /// - A relative address is resolved against the one that answered.
    /// - One on the same host stays on the scheme and port that were asked.
    /// - One that says `http` where `https` was asked does so too, as servers behind a proxy write it.
    /// - One on the host that the source file names means the endpoint that is asked in its place.
    ///
    /// - Parameter asked: The address that answered, after redirects.
    /// - Throws: `Refusal` for any other.
    func resolve(_ reference: String, from asked: HTTPURL) throws(Refusal) -> String {
        guard let target = asked.resolving(reference) else {
            throw Refusal(evidence: "it names a next address that is no http or https address")
        }
        if asked.scheme == "https", target.scheme == "http" { return try kept(target.pathAndQuery, at: asked) }
        for known in [asked, HTTPURL(endpoint.url)].compactMap({ $0 }) where known.means(target) {
            return try kept(target.pathAndQuery, at: known)
        }
        if let home = HTTPURL(home), home.means(target), let endpoint = HTTPURL(endpoint.url) {
            // The endpoint may have the same things at another path.
            let query = target.pathAndQuery.drop { $0 != "?" }
            return try kept(target.path == home.path ? endpoint.path + query : target.pathAndQuery, at: endpoint)
        }
        throw Refusal(
            evidence: "it names a next address on another host, \(target.authority) instead of \(asked.authority), "
                + "which is not followed")
    }

    private func kept(_ pathAndQuery: String, at origin: HTTPURL) throws(Refusal) -> String {
        guard let url = origin.resolving(pathAndQuery) else {
            throw Refusal(evidence: "it names a next address that is no http or https address")
        }
        return endpoint.removingSecretItems(from: url.text)
    }
}

extension HTTPURL {
    /// Whether an address leads to this host: the same name and either the same port or none of its own.
    fileprivate func means(_ other: HTTPURL) -> Bool {
        host == other.host && (port == other.port || other.port == (other.scheme == "https" ? 443 : 80))
    }

    /// The path without the query.
    fileprivate var path: String { String(pathAndQuery.prefix { $0 != "?" }) }
}
