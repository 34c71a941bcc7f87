import CrawlCore

/// An HTTP client on libcurl's multi interface, with one thread of its own.
///
/// Connections stay open between requests, HTTP/2 is spoken where the server offers it over TLS, and the caches of
/// names, connections and TLS sessions serve all requests. The thread begins with the client and ends with `close()`
/// or with the last reference.
package final class CurlClient: HTTPClient {
    /// What does not change from request to request.
    package struct Options: Sendable {
        /// The `User-Agent` field of every request.
        package var userAgent: String
        /// The certificates that servers are checked against.
        package var certificates: CertificateStore
        /// The proxies to ask through.
        package var proxies: ProxySettings
        /// Which redirects are followed.
        package var redirects = RedirectPolicy()
        /// The time that a connection may take, less where the request's own time-out is shorter.
        package var connectTimeout = Duration.seconds(10)
        /// An answer whose body has begun is given up where over this time fewer than 10 bytes a second come.
        package var stallWindow = Duration.seconds(10)
        /// Hosts whose addresses no resolver is asked for, as `host:port:address`.
        package var fixedAddresses: [String] = []

        /// The options that the environment's variables ask for.
        package init(userAgent: String, environment: [String: String]) {
            self.userAgent = userAgent
            certificates = CertificateStore(environment: environment)
            proxies = ProxySettings(environment: environment)
        }
    }

    private let loop: TransferLoop

    package init(_ options: Options) {
        loop = TransferLoop(
            settings: EasyHandle.Settings(
                userAgent: options.userAgent, certificates: options.certificates,
                connectTimeout: options.connectTimeout, fixedAddresses: options.fixedAddresses),
            proxies: options.proxies, redirects: options.redirects, stallWindow: options.stallWindow)
        loop.launch()
    }

    deinit {
        loop.inbox.close()
    }

    package func send(_ request: HTTPRequest) async throws(FetchFailure) -> HTTPResponse {
        let transfer = Transfer(request)
        let inbox = loop.inbox
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.start(transfer, continuation)
            }
        } onCancel: {
            inbox.cancel(transfer)
        }
        transfer.takeOver()
        return try outcome.get()
    }

    /// Ends the thread and closes all connections; returns when that is done.
    ///
    /// Requests on their way and later ones fail with `.cancelled`.
    package func close() async {
        loop.inbox.close()
        await loop.inbox.waitForEnd()
    }
}
