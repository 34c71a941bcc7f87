import CrawlCore
import CrawlHTTP
import CrawlJSON
import CrawlStore

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
        /// Records of a page that has not changed since it was stored; `batch` is empty then.
        var unchanged = 0
        /// What to keep of the page, to ask for it conditionally later.
        var cache: CachedPage?
    }

    /// A request that brought no page.
    struct Failure: Error, Sendable {
        var request: PageRequest
        /// The host that was asked, with its port where that is not the usual one.
        var host: String
        var attempts: Int
        var cause: FetchFailure
        /// Until when the server asks to wait, where that is longer than allowed.
        var postponedUntil: Date?
    }

    let source: Source
    let client: any HTTPClient
    let clock: HostClock
    let policy: RetryPolicy
    let reader: PageReader
    let timeout: Duration
    /// What is known of pages from loads before; nil where nothing of that kind is kept.
    let knownPages: KnownPages?
    let tally: Tally
    let report: @Sendable (CrawlEvent) -> Void

    /// Fetches a page.
    ///
    /// - Parameter isOnTrial: Whether another endpoint stands by, so that one that is out of reach is not asked again.
    func fetch(
        _ request: PageRequest, from endpoint: Endpoint, isOnTrial: Bool
    ) async throws(Failure) -> Arrival {
        let address = PageAddress(request, at: endpoint)
        var attempt = 1
        while true {
            let cause: FetchFailure
            do {
                try await clock.pass(address.host)
                return try await ask(request, endpoint, address, attempt)
            } catch let failure as FetchFailure {
                cause = failure
            } catch {
                cause = Self.cancelled
            }
            var failure = Failure(request: request, host: address.host, attempts: attempt, cause: cause)
            if isOnTrial, cause.isOutOfReach { throw failure }
            var random = SystemRandomNumberGenerator()
            switch policy.decide(cause, attempt: attempt, now: Date(), using: &random) {
            case .giveUp:
                throw failure
            case .stopForNow(let wait):
                await clock.hold(address.host, for: wait)
                failure.postponedUntil = Date(timeIntervalSinceNow: wait.seconds)
                throw failure
            case .retry(let wait):
                report(
                    .retry(
                        CrawlEvent.Retry(
                            source: source.name, url: address.shown, attempt: attempt, wait: wait.seconds,
                            reason: cause.reason(host: address.host))))
                do {
                    try await pause(wait, cause, address.host)
                } catch {
                    failure.cause = Self.cancelled
                    throw failure
                }
            }
            attempt += 1
        }
    }

    private static let cancelled = FetchFailure.network(.cancelled, detail: "The request was cancelled")

    /// Waits before the next attempt; all lanes wait where the server has too much to do.
    private func pause(_ wait: Duration, _ cause: FetchFailure, _ host: String) async throws {
        switch cause {
        case .status(429, _, _), .status(503, _, _): await clock.hold(host, for: wait)
        default: try await Task.sleep(for: wait)
        }
    }

    /// One attempt.
    private func ask(
        _ request: PageRequest, _ endpoint: Endpoint, _ address: PageAddress, _ attempt: Int
    ) async throws(FetchFailure) -> Arrival {
        tally.countRequest(isRetry: attempt > 1)
        let known = knownPages?.page(address.cacheKey)
        var question = HTTPRequest(url: address.url, timeout: timeout)
        for field in known.map(KnownPages.conditions) ?? [] {
            question.headers.add(name: field.name, value: field.value)
        }
        let response: HTTPResponse
        do {
            response = try await client.send(question)
        } catch {
            reportRequest(address.shown, status: nil, bytes: 0, seconds: 0)
            throw error
        }
        reportRequest(
            address.shown, status: response.status, bytes: response.body.count, seconds: response.seconds)
        if response.status == 304, let known { return unchanged(request, address, attempt, response, known) }
        if let failure = response.failure() { throw failure }
        let page = try reader.read(
            UnsafeRawBufferPointer(start: response.body.pointer, count: response.body.count),
            capacity: response.body.capacity, owner: response.body)
        let now = Date()
        let facts = PageFacts(
            page, response, source: source, addresses: NextAddress(endpoint: endpoint.url, home: source.url))
        return Arrival(
            request: request, batch: page.records, facts: facts, url: address.shown, status: response.status,
            attempts: attempt, bytes: response.body.count, fetchedAt: Timestamp.text(now),
            cache: facts.deadEnd == nil ? knownPages?.entry(address.cacheKey, response.headers, facts, now: now) : nil)
    }

    /// A page that the server says has not changed since it was stored.
    private func unchanged(
        _ request: PageRequest, _ address: PageAddress, _ attempt: Int, _ response: HTTPResponse,
        _ known: CachedPage
    ) -> Arrival {
        let now = Date()
        return Arrival(
            request: request, batch: RecordBatch(columnCount: source.columns.count + 1, rows: []),
            facts: known.facts, url: address.shown, status: response.status, attempts: attempt,
            bytes: response.body.count, fetchedAt: Timestamp.text(now), unchanged: known.facts.received,
            cache: knownPages?.entry(address.cacheKey, response.headers, known.facts, known: known, now: now))
    }

    private func reportRequest(_ url: String, status: Int?, bytes: Int, seconds: Double) {
        report(
            .request(
                CrawlEvent.Request(source: source.name, url: url, status: status, bytes: bytes, seconds: seconds)))
    }
}

extension FetchFailure {
    /// Whether nothing at all answers at the address, so that another endpoint may take over.
    var isOutOfReach: Bool {
        guard case .network(let fault, _) = self else { return false }
        return [.nameNotResolved, .connectionRefused, .proxy].contains(fault)
    }
}
