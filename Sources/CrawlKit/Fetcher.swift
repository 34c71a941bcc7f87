import CrawlCore
import CrawlHTTP
import CrawlJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Fetches one page: waits for its turn at the host, asks, reads, and asks again where that may help.
struct Fetcher: Sendable {
    /// A page that arrived and was read.
    struct Arrival: Sendable {
        var request: PageRequest
        var batch: RecordBatch
        var facts: PageFacts
        /// The address without secrets.
        var url: String
        var status: Int
        var attempts: Int
        var bytes: Int
        var fetchedAt: String
    }

    /// A request that brought no page.
    struct Failure: Error, Sendable {
        var request: PageRequest
        var url: String
        var attempts: Int
        var cause: FetchFailure
        /// The wait that the server asked for, where it is longer than allowed.
        var postponement: Duration?
    }

    let source: Source
    let client: any HTTPClient
    let clock: HostClock
    let policy: RetryPolicy
    let reader: PageReader
    let timeout: Duration
    let tally: Tally
    let report: @Sendable (CrawlEvent) -> Void

    /// Fetches a page.
    ///
    /// - Parameter isFirst: Whether the endpoint is on trial: where it cannot be reached at all, it is not asked again,
    ///   because another one stands by.
    func fetch(
        _ request: PageRequest, from endpoint: Endpoint, isOnTrial: Bool
    ) async throws(Failure) -> Arrival {
        let address = address(of: request, at: endpoint)
        let shown = URLText.display(address)
        let host = URLText.host(of: address)
        var attempt = 1
        while true {
            let cause: FetchFailure
            do {
                try await clock.pass(host)
                return try await ask(request, address, shown, attempt)
            } catch let failure as FetchFailure {
                cause = failure
            } catch {
                cause = .network(.cancelled, detail: "The request was cancelled")
            }
            if isOnTrial, cause.isOutOfReach {
                throw Failure(request: request, url: shown, attempts: attempt, cause: cause)
            }
            switch policy.decide(cause, attempt: attempt) {
            case .giveUp:
                throw Failure(request: request, url: shown, attempts: attempt, cause: cause)
            case .stopForNow(let wait):
                await clock.hold(host, for: wait)
                throw Failure(request: request, url: shown, attempts: attempt, cause: cause, postponement: wait)
            case .retry(let wait):
                report(
                    .retry(
                        CrawlEvent.Retry(
                            source: source.name, url: shown, attempt: attempt, wait: wait.seconds,
                            reason: cause.summary)))
                do {
                    if cause.asksForPatience {
                        await clock.hold(host, for: wait)
                    } else {
                        try await clock.sleep(for: wait)
                    }
                } catch {
                    throw Failure(
                        request: request, url: shown, attempts: attempt,
                        cause: .network(.cancelled, detail: "The request was cancelled"))
                }
            }
            attempt += 1
        }
    }

    /// One attempt.
    private func ask(
        _ request: PageRequest, _ address: String, _ shown: String, _ attempt: Int
    ) async throws(FetchFailure) -> Arrival {
        tally.countRequest(isRetry: attempt > 1)
        let response: HTTPResponse
        do {
            response = try await client.send(HTTPRequest(url: address, timeout: timeout))
        } catch {
            reportRequest(shown, status: nil, bytes: 0, seconds: 0)
            throw error
        }
        reportRequest(shown, status: response.status, bytes: response.body.count, seconds: response.seconds)
        guard response.status == 200 else {
            throw .status(
                response.status, retryAfter: response.headers["retry-after"],
                body: response.body.withUnsafeBytes { Printable.text($0) })
        }
        let page = try reader.read(
            UnsafeRawBufferPointer(start: response.body.pointer, count: response.body.count),
            capacity: response.body.capacity, owner: response.body)
        return Arrival(
            request: request, batch: page.records, facts: facts(page, response), url: shown, status: response.status,
            attempts: attempt, bytes: response.body.count, fetchedAt: Timestamp.text(Date()))
    }

    private func address(of request: PageRequest, at endpoint: Endpoint) -> String {
        guard let address = request.address else {
            return URLText.replacing(request.query, in: endpoint.url)
        }
        return address
    }

    private func facts(_ page: PageReader.Page, _ response: HTTPResponse) -> PageFacts {
        var facts = PageFacts(received: page.records.receivedCount)
        switch source.pagination {
        case .repeat, .single:
            break
        case .page, .offset:
            facts.total = response.headers["x-total-count"].flatMap { Int($0) }
            facts.fingerprint = page.records.fingerprint(key: source.keyIndices)
        case .cursor(_, let next):
            facts.next = page.captured[next]?.cursorText
            facts.fingerprint = page.records.fingerprint(key: source.keyIndices)
        case .link:
            facts.next = LinkHeader.next(in: response.headers.values(of: "link"), relativeTo: response.finalURL)
            facts.fingerprint = page.records.fingerprint(key: source.keyIndices)
        }
        return facts
    }

    private func reportRequest(_ url: String, status: Int?, bytes: Int, seconds: Double) {
        report(
            .request(
                CrawlEvent.Request(source: source.name, url: url, status: status, bytes: bytes, seconds: seconds)))
    }
}
