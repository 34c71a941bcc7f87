import CCurl
import Glibc

import CrawlCore

/// What libcurl knows about a transfer that failed, and what it amounts to.
struct TransferFault {
    /// libcurl's result.
    var code: CURLcode
    /// libcurl's own sentence; it names hosts and ports, never a path or a query.
    var explanation: String
    /// The host that was asked, and its port where it is not the usual one.
    var authority: String
    /// Whether a proxy was to be asked.
    var usesProxy: Bool
    /// The status with which the proxy answered CONNECT, 0 for none.
    var proxyStatus: Int
    /// The `errno` of the connection, 0 for none.
    var systemError: Int32
    /// Whether a status line came.
    var hasBegun: Bool
    /// Bytes of the body that came.
    var bodyBytes: Int
    /// The time that the request may take.
    var timeout: Duration

    /// The failure that the caller sees.
    var failure: FetchFailure {
        let kind = kind
        return .network(kind, detail: detail(kind))
    }

    private var kind: NetworkFault {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case CURLE_COULDNT_CONNECT: usesProxy ? .proxy : .connectionRefused
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PARTIAL_FILE: .truncated
        case CURLE_GOT_NOTHING: .connectionClosed
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: brokenConnection
        // libcurl 7.88 has no code of its own for a proxy that says no, nor for a head beyond its own cap.
        case CURLE_RECV_ERROR where proxyStatus >= 300: .proxy
        case CURLE_RECV_ERROR where explanation.hasPrefix("Too large response headers"): .notHTTP
        case CURLE_RECV_ERROR: brokenConnection
        // The URL was read before, so this is an answer that is not HTTP/1 or HTTP/2; a line beyond libcurl's cap
        // counts as out of memory.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_OUT_OF_MEMORY: .notHTTP
        case CURLE_SSL_CONNECT_ERROR where isReset: .connectionClosed
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CIPHER,
            CURLE_SSL_CERTPROBLEM, CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_SSL_ENGINE_INITFAILED:
            tlsFault
        default: .other
        }
    }

    /// What OpenSSL, which libcurl quotes, says is wrong.
    private var tlsFault: NetworkFault {
        let text = explanation.lowercased()
        func says(_ parts: String...) -> Bool { parts.contains { text.contains($0) } }
        return if says("certificate has expired", "certificate is not yet valid") {
            .certificateDates
        } else if says("does not match", "no alternative certificate subject name", "host name") {
            .certificateName
        } else if says("self-signed", "self signed", "unable to get local issuer", "unable to verify", "unknown ca") {
            .certificateAuthority
        } else if says("wrong version number", "packet length too long", "http request", "record layer failure") {
            .notTLS
        } else if says(
            "protocol version", "unsupported protocol", "no protocols available", "handshake failure", "legacy sigalg")
        {
            .oldTLS
        } else {
            .tls
        }
    }

    private var isReset: Bool {
        systemError == ECONNRESET || systemError == EPIPE || explanation.contains("SSL_ERROR_SYSCALL")
            || explanation.contains("unexpected eof")
    }

    private var brokenConnection: NetworkFault {
        hasBegun && systemError != ECONNRESET ? .truncated : .connectionClosed
    }

    private func detail(_ kind: NetworkFault) -> String {
        switch kind {
        case .connectionRefused: "\(authority) accepts no connection: \(systemReason)"
        case .connectionClosed where hasBegun: "\(authority) broke off the connection after \(bodyBytes) bytes"
        case .connectionClosed: "\(authority) closed the connection without an answer"
        case .truncated: "\(authority) ended the answer too early, after \(bodyBytes) bytes"
        case .timedOut where hasBegun: "\(authority) did not end its answer within \(seconds) s"
        case .timedOut: "\(authority) did not answer within \(seconds) s"
        case .notHTTP where code == CURLE_OUT_OF_MEMORY: "\(authority) sent a header line without an end"
        case .notHTTP: "\(authority) did not answer in HTTP: \(explanation)"
        case .proxy where proxyStatus != 0: "the proxy refused to connect to \(authority), with status \(proxyStatus)"
        case .notTLS: "no secure connection to \(authority): it speaks no TLS at that port (\(explanation))"
        case .certificateDates, .certificateName, .certificateAuthority, .oldTLS, .tls:
            "no secure connection to \(authority): \(explanation)"
        case .nameNotResolved: explanation
        default: "\(authority): \(explanation)"
        }
    }

    private var systemReason: String {
        systemError == 0 ? explanation : String(cString: strerror(systemError))
    }

    private var seconds: String {
        let (seconds, attoseconds) = timeout.components
        let tenths = attoseconds / 100_000_000_000_000_000
        return tenths == 0 ? "\(seconds)" : "\(seconds).\(tenths)"
    }
}
