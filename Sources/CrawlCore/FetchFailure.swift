/// Why one attempt to fetch a page brought nothing that can be stored.
package enum FetchFailure: Error, Sendable, Equatable {
    /// No HTTP answer arrived whole. `detail` is the transport's own sentence, without secrets.
    case network(NetworkFault, detail: String)
    /// An answer with a status other than 200. `body` holds its first bytes as printable text.
    case status(Int, retryAfter: String?, body: String)
    /// A complete answer that is no page of the source.
    case unreadable(UnreadableKind, detail: String)
    /// The handshake before the request came to nothing. `detail` reads on from the host's name, without secrets.
    case handshake(HandshakeProblem, detail: String)

    /// How sure it is that a numbered page is behind the last one, nil where the failure has nothing to do with that.
    package var absence: Pager.Absence? {
        guard case .status(let status, _, _) = self else { return nil }
        return switch status {
        case 204, 400, 404, 410, 416, 422: .denied
        case 403, 405, 500, 501: .possible
        default: nil
        }
    }
}

/// The ways in which a complete answer does not help the handshake on.
package enum HandshakeProblem: String, Sendable, CaseIterable {
    /// The cookie address sets no cookie.
    case noCookie
    /// A page that wants a person's consent stands before the cookie.
    case consent
    /// The crumb address answers with an empty text.
    case emptyCrumb
    /// The crumb address answers with something else than a crumb.
    case notACrumb
}

/// The ways in which no HTTP answer arrives whole.
package enum NetworkFault: String, Sendable, CaseIterable {
    /// The name of the host does not resolve.
    case nameNotResolved
    /// Nothing accepts connections at the address.
    case connectionRefused
    /// The proxy could not be reached or would not connect.
    case proxy
    /// The connection closed without a byte of an answer, or was reset.
    case connectionClosed
    /// The connection closed before the announced end of the answer.
    case truncated
    /// The content encoding (gzip, deflate, br) is broken.
    case badEncoding
    /// The time-out passed, or the answer came too slowly.
    case timedOut
    /// The answer is larger than the body cap.
    case bodyTooLarge
    /// The headers are larger than the header cap, or are not HTTP.
    case notHTTP
    /// The certificate has expired, or is not valid yet.
    case certificateDates
    /// The certificate is one for other names.
    case certificateName
    /// Nobody that is trusted vouches for the certificate.
    case certificateAuthority
    /// The server speaks no TLS at all.
    case notTLS
    /// The server speaks no version of TLS, or no cipher, that is safe enough.
    case oldTLS
    /// TLS failed for another reason.
    case tls
    /// More redirects than allowed.
    case tooManyRedirects
    /// A redirect that would leave https, http(s) altogether, or a public address for a private one.
    case unsafeRedirect
    /// The address is no http or https URL.
    case badURL
    /// The request was cancelled from this side.
    case cancelled
    /// Anything else.
    case other
}

/// The ways in which a complete answer is no page of the source.
package enum UnreadableKind: String, Sendable, CaseIterable {
    /// No content at all.
    case empty
    /// Not JSON, HTML for example.
    case notJSON
    /// JSON that ends too early.
    case truncated
    /// Bytes that are not UTF-8.
    case invalidUTF8
    /// Nested deeper than the cap.
    case tooDeep
    /// More values in one record, or around the records, than the cap.
    case tooDense
    /// JSON without a list or object where the source file says that the records are.
    case noRecords
}
