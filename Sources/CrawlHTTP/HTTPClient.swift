import CrawlCore

/// What fetches an address.
package protocol HTTPClient: Sendable {
    /// Sends the request, follows redirects and returns the complete, decoded answer, whatever its status.
    ///
    /// - Throws: `FetchFailure.network` where no answer arrived whole, with the fault `.cancelled` as soon as the task
    ///   is cancelled; no other case.
    func send(_ request: HTTPRequest) async throws(FetchFailure) -> HTTPResponse

    /// Closes all connections and ends what runs in the background; later requests fail with `.cancelled`.
    func close() async
}
