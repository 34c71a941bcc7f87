import CrawlCore
import CrawlHTTP
import CrawlJSON
import CrawlStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Fetches one page: makes its request, with credentials where the source wants some, and reads the answer.
struct Fetcher: Sendable {
    /// A page that arrived and was read.
    struct Arrival: Sendable {
        var request: PageRequest
        var batch: RecordBatch
        /// The bytes that the batch is read from; nil where there are none.
        var body: ResponseBody?
        var facts: PageFacts
        /// The address without secrets.
        var url: String
        var status: Int
        var attempts: Int
        var bytes: Int
        var fetchedAt: String
        /// Records of a page that has not changed since it was stored; `batch` is empty then.
        var unchanged = 0
        /// Seconds that the answer took.
        var seconds: Double
        /// What to keep of the page, to ask for it conditionally later.
        var cache: CachedPage?
    }

    /// A request that brought no page.
    struct Failure: Error, Sendable {
        var request: PageRequest
        var reason: Requester.Failure

        var cause: FetchFailure { reason.cause }
        var host: String { reason.host }
    }

    let source: Source
    let access: SourceAccess
    let requester: Requester
    let handshake: Handshake?
    let reader: PageReader
    let fallbackReader: PageReader?
    /// What is known of pages from loads before; nil where nothing of that kind is kept.
    let knownPages: KnownPages?

    /// Fetches a page.
    ///
    /// - Parameter isOnTrial: Whether another endpoint stands by, so that one that is out of reach is not asked again.
    func fetch(
        _ page: PageRequest, from endpoint: Endpoint, isOnTrial: Bool
    ) async throws(Failure) -> Arrival {
        do throws(Requester.Failure) {
            if let value = page.value { return try await fetch(value, page) }
            let credentials = try await handshake?.credentials()
            do throws(Requester.Failure) {
                return try await fetch(page, access.requests.page(page, at: endpoint, with: credentials), isOnTrial)
            } catch {
                guard case .status(401, _, _) = error.cause, let handshake,
                    let renewed = try await handshake.credentials(after: credentials)
                else { throw error }
                let request = access.requests.page(page, at: endpoint, with: renewed)
                return try await fetch(page, request, false, after: error.attempts)
            }
        } catch {
            throw Failure(request: page, reason: error)
        }
    }

    /// Fetches the page of one value from the fallback.
    private func fetch(_ value: String, _ page: PageRequest) async throws(Requester.Failure) -> Arrival {
        guard let endpoint = access.fallback?.endpoints[value], let fallbackReader else {
            preconditionFailure("no fallback was planned for '\(value)'")
        }
        let request = access.requests.further(endpoint, of: access.endpoint)
        return try await requester.send(request) { response, attempt throws(FetchFailure) in
            if let failure = response.failure() { throw failure }
            return try arrival(page, request, attempt, response, fallbackReader)
        }
    }

    private func fetch(
        _ page: PageRequest, _ request: RequestBuilder.Request, _ isOnTrial: Bool, after attempts: Int = 0
    ) async throws(Requester.Failure) -> Arrival {
        var request = request
        // A server may have written a secret into the cursor that it gave.
        request.shown = access.secrets.hide(in: request.shown)
        request.cacheKey = access.secrets.hide(in: request.cacheKey)
        let known = knownPages?.page(request.cacheKey)
        for field in known.map(KnownPages.conditions) ?? [] {
            request.http.headers.add(name: field.name, value: field.value)
        }
        let question = request
        return try await requester.send(question, isOnTrial: isOnTrial, after: attempts) {
            response, attempt throws(FetchFailure) in
            if response.status == 304, let known { return unchanged(page, question, attempt, response, known) }
            if let failure = response.failure() { throw failure }
            var arrival = try arrival(page, question, attempt, response, reader)
            // A page behind which nobody can go on is not taken for known, nor one whose cursor is a secret.
            let next = arrival.facts.next ?? ""
            if arrival.facts.deadEnd == nil, access.secrets.hide(in: next) == next {
                arrival.cache = knownPages?.entry(question.cacheKey, response.headers, arrival.facts, now: Date())
            }
            return arrival
        }
    }

    private func arrival(
        _ page: PageRequest, _ request: RequestBuilder.Request, _ attempt: Int, _ response: HTTPResponse,
        _ reader: PageReader
    ) throws(FetchFailure) -> Arrival {
        let content = try reader.read(
            UnsafeRawBufferPointer(start: response.body.pointer, count: response.body.count),
            capacity: response.body.capacity, owner: response.body)
        return Arrival(
            request: page, batch: content.records, body: response.body,
            facts: PageFacts(
                content, response, source: source,
                addresses: NextAddress(endpoint: access.endpoint, home: source.url)), url: request.shown,
            status: response.status, attempts: attempt, bytes: response.body.count,
            fetchedAt: Timestamp.text(Date()), seconds: response.seconds)
    }

    /// A page that the server says has not changed since it was stored.
    private func unchanged(
        _ page: PageRequest, _ request: RequestBuilder.Request, _ attempt: Int, _ response: HTTPResponse,
        _ known: CachedPage
    ) -> Arrival {
        let now = Date()
        let facts = known.facts.renewed(by: response.headers, of: source)
        return Arrival(
            request: page, batch: RecordBatch(columnCount: source.columns.count + 1, rows: []),
            facts: facts, url: request.shown, status: response.status, attempts: attempt,
            bytes: response.body.count, fetchedAt: Timestamp.text(now), unchanged: known.facts.received,
            seconds: response.seconds,
            cache: knownPages?.entry(request.cacheKey, response.headers, facts, known: known, now: now))
    }
}
