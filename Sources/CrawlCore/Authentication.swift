/// What a source wants to see before it answers.
public enum Authentication: Sendable, Equatable {
    /// A cookie of one address and a text of another, which belong together and are sent with every request.
    case cookieCrumb(CookieCrumb)

    /// The addresses that are asked beforehand, by the names that `--endpoint` uses behind the source's.
    package var addresses: [(name: String, url: String)] {
        switch self {
        case .cookieCrumb(let handshake): [("cookie", handshake.cookie), ("crumb", handshake.crumb)]
        }
    }

    /// The `User-Agent` field of the source's requests, nil for the program's own.
    package var userAgent: String? {
        switch self {
        case .cookieCrumb(let handshake): handshake.userAgent
        }
    }
}

/// The handshake of services that hand out a cookie and then a crumb that belongs to it.
public struct CookieCrumb: Sendable, Equatable {
    /// The address that sets the cookie, whatever status it answers with.
    public var cookie: String
    /// The address that answers the cookie with the crumb, as plain text.
    public var crumb: String
    /// The query parameter that carries the crumb.
    public var parameter: String
    /// The `User-Agent` field of all requests of the source, nil for the program's own.
    public var userAgent: String?

    package init(cookie: String, crumb: String, parameter: String, userAgent: String? = nil) {
        self.cookie = cookie
        self.crumb = crumb
        self.parameter = parameter
        self.userAgent = userAgent
    }
}
