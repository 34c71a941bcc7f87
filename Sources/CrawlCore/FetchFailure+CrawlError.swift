#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension FetchFailure {
    /// Where a request that failed for good went, for the message about it.
    package struct Place: Sendable, Equatable {
        /// The source's name.
        package var source: String
        /// The host that was asked, with the port where it is not the usual one.
        package var host: String
        /// The attempts that were made.
        package var attempts: Int
        /// What was asked for where that is not a page, such as `the cookie`.
        package var purpose: String?

        package init(source: String, host: String, attempts: Int, purpose: String? = nil) {
            self.source = source
            self.host = host
            self.attempts = attempts
            self.purpose = purpose
        }

        /// The beginning of a message.
        fileprivate var introduction: String {
            purpose.map { "\(source): asked for \($0), " } ?? "\(source): "
        }
    }

    /// The error that a person sees when no further attempt is made.
    package func crawlError(at place: Place) -> CrawlError {
        let message = "\(place.introduction)\(reason(host: place.host))\(Self.attempts(place.attempts))"
        return CrawlError(exitCode, message, remedy: remedy(host: place.host))
    }

    /// The error of a server that asks to wait longer than allowed, until `until`.
    package func stoppedForNow(at place: Place, until: Date, maxWait: Duration) -> CrawlError {
        CrawlError(
            .tryLater,
            "\(place.introduction)\(place.host) asks to wait until \(Timestamp.text(until)), longer than --max-wait allows "
                + "(\(maxWait.components.seconds) s)",
            remedy: "Go on after that time, or allow a longer wait with --max-wait.")
    }

    /// What went wrong, in a few words: for retries, the ledger and messages; without secrets.
    package func reason(host: String) -> String {
        switch self {
        case .network(_, let detail):
            return detail
        case .status(let status, _, let body):
            let name = Self.statusNames[status].map { " \($0)" } ?? ""
            return "\(host) answered \(status)\(name)" + (body.isEmpty ? "" : ": \(body)")
        case .unreadable(let kind, let detail):
            let what =
                switch kind {
                case .empty: "with no content"
                case .notJSON: "with something that is not JSON"
                case .truncated: "with JSON that ends too early"
                case .invalidUTF8: "with text that is not UTF-8"
                case .tooDeep: "with JSON that is nested too deep"
                case .tooDense: "with more than can be taken at once"
                case .noRecords: "without the records that the source file promises"
                }
            return "\(host) answered \(what)" + (detail.isEmpty ? "" : ": \(detail)")
        case .handshake(_, let detail):
            return "\(host) \(detail)"
        }
    }

    /// The exit code for a failure that is final.
    private var exitCode: ExitCode {
        switch self {
        case .status(401, _, _), .status(403, _, _): .denied
        case .status: .unavailable
        case .unreadable: .unreadable
        case .handshake(.notACrumb, _): .unreadable
        case .handshake: .denied
        case .network(.badURL, _): .badSource
        case .network(.bodyTooLarge, _): .unreadable
        case .network: .unavailable
        }
    }

    private func remedy(host: String) -> String? {
        switch self {
        case .status(let status, _, _): Self.remedy(status: status, host: host)
        case .unreadable(.noRecords, _): "Compare the answer with `records` in the source file; `crawl probe` shows it."
        case .unreadable(.tooDeep, _), .unreadable(.tooDense, _): "Check that the address is the API's."
        case .unreadable: "It may be an error page that passes: try again later, or check the address."
        case .handshake: "The service does not let this network in for now: try again later, or from another one."
        case .network(let fault, _): Self.remedy(fault: fault, host: host)
        }
    }

    private static func remedy(status: Int, host: String) -> String {
        switch status {
        // A redirect that says where it leads is followed.
        case 301, 302, 303, 307, 308: "The redirect names no address (Location); check the one that was asked."
        case 401, 403: "Check the key or the headers in the source file; \(host) refuses access."
        case 402: "The plan at \(host) does not include this; no retry helps."
        case 404, 410: "Check the address; it may have moved."
        case 407: "Check the name and password in the address of the proxy."
        case 429: "Ask more slowly with --rate, or go on later."
        case 500...: "The fault is on the server's side: try again later."
        default: "Check the address and its parameters."
        }
    }

    private static func remedy(fault: NetworkFault, host: String) -> String? {
        switch fault {
        case .nameNotResolved: "Check the name and the network; --endpoint names another server."
        case .connectionRefused: "Check that a server runs there; --endpoint names another one."
        case .proxy: "Check the proxy that the environment names (http_proxy, https_proxy, no_proxy)."
        case .timedOut: "Try again later, or allow more time with --timeout."
        case .bodyTooLarge: "Ask for fewer records at a time with --page-size."
        case .certificateDates:
            "Whoever runs \(host) has to renew its certificate; check this machine's clock as well."
        case .certificateName: "Check the name in the address: the server there answers for another one."
        case .certificateAuthority: "For a certificate of your own, name its authority's file in SSL_CERT_FILE."
        case .notTLS: "Check the port, or write the address with http:// instead of https://."
        case .oldTLS: "Whoever runs \(host) has to offer TLS 1.2 or newer."
        case .tls: "Check scheme and port of the address, and the files that SSL_CERT_FILE and SSL_CERT_DIR name."
        case .notHTTP: "Check scheme and port of the address."
        case .tooManyRedirects, .unsafeRedirect: "Check the address, and name the final one with --endpoint."
        case .badURL: "Check its host and port; an address looks like https://example.org:8443/path."
        case .connectionClosed, .truncated, .badEncoding, .other: "Try again later."
        case .cancelled: nil
        }
    }

    private static func attempts(_ count: Int) -> String {
        count > 1 ? " (after \(count) attempts)" : ""
    }

    private static let statusNames = [
        400: "Bad Request", 401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 406: "Not Acceptable", 407: "Proxy Authentication Required", 408: "Request Timeout",
        410: "Gone", 422: "Unprocessable Content", 425: "Too Early", 429: "Too Many Requests",
        451: "Unavailable For Legal Reasons", 500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway",
        503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
