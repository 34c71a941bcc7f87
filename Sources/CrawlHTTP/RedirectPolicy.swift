import CrawlCore

/// What becomes of an answer that points to another address.
///
/// Followed by hand, because libcurl 7.88 goes from https to http and sends fields of the caller's own to any host.
package struct RedirectPolicy: Sendable, Equatable {
    /// The most redirects that one request may follow.
    package var limit = 10

    package init(limit: Int = 10) {
        self.limit = limit
    }

    /// The place to go on at.
    package struct Step: Sendable, Equatable {
        /// The address to ask next.
        package var url: HTTPURL
        /// Whether secrets are sent there: it is the origin that asked for the redirect.
        package var keepsSecrets: Bool
        /// Whether the address that the host's name resolves to must be a public one.
        package var mustBePublic: Bool
    }

    /// Whether an answer of this status points elsewhere, if it has a `Location`.
    package static func isRedirect(status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Decides where a redirect leads.
    ///
    /// `connectedAddress` is the IP address that answered, nil where a proxy stood between; `followed` counts the
    /// redirects before this one.
    /// - Throws: `.tooManyRedirects` or `.unsafeRedirect`, with hosts and schemes in the detail and nothing more.
    package func follow(
        _ location: String, from origin: HTTPURL, connectedAddress: String?, followed: Int
    ) throws(FetchFailure) -> Step {
        guard followed < limit else {
            throw .network(.tooManyRedirects, detail: "\(origin.authority) redirected more than \(limit) times")
        }
        guard let url = origin.resolving(location) else {
            throw unsafe("\(origin.authority) redirects to something that is no http or https address")
        }
        guard !(origin.scheme == "https" && url.scheme == "http") else {
            throw unsafe("\(origin.authority) redirects from https to http, at \(url.authority)")
        }
        let isFromPublic = !origin.isPrivate && connectedAddress.flatMap(NetworkAddress.init)?.isPrivate != true
        guard !(isFromPublic && url.isPrivate) else {
            throw unsafe("\(origin.authority) redirects to \(url.authority), which is no public address")
        }
        return Step(url: url, keepsSecrets: url.isSameOrigin(as: origin), mustBePublic: isFromPublic)
    }

    private func unsafe(_ detail: String) -> FetchFailure {
        .network(.unsafeRedirect, detail: detail)
    }
}
