import CrawlCore
import CrawlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes requests: waits for its turn at the host, asks, and asks again where that may help.
struct Requester: Sendable {
    /// A request that brought nothing, for good.
    struct Failure: Error, Sendable {
        /// The host that was asked, with its port where that is not the usual one.
        var host: String
        var attempts: Int
        /// Why, without secrets.
        var cause: FetchFailure
        /// Until when the server asks to wait, where that is longer than allowed.
        var postponedUntil: Date?
        /// What was asked for where that is not a page, such as `the cookie`.
        var purpose: String?
        /// The address that was asked, without secrets.
        var url: String?
    }

    /// The source's name.
    let source: String
    let client: any HTTPClient
    let clock: HostClock
    let policy: RetryPolicy
    let tally: Tally
    let secrets: SecretValues
    /// Called when a server says that there is too much.
    let pushedBack: @Sendable () -> Void
    let report: @Sendable (CrawlEvent) -> Void

    /// Makes a request until an answer can be read or no further attempt makes sense.
    ///
    /// - Parameters:
    ///   - isOnTrial: Whether another endpoint stands by, so that one that is out of reach is not asked again.
    ///   - attempts: The attempts that were made for the same thing before.
    ///   - read: Takes an answer and the number of its attempt; what it throws counts like a failed request.
    func send<Value>(
        _ request: RequestBuilder.Request, isOnTrial: Bool = false, after attempts: Int = 0, purpose: String? = nil,
        read: (HTTPResponse, _ attempt: Int) throws(FetchFailure) -> Value
    ) async throws(Failure) -> Value {
        var attempt = 1
        while true {
            let cause: FetchFailure
            let hold = await clock.remainingHold(request.host)
            if hold > policy.maxWait {
                // An earlier crawl was told to wait, and that time is not over.
                throw Failure(
                    host: request.host, attempts: attempts + attempt, cause: .status(429, retryAfter: nil, body: ""),
                    postponedUntil: Date(timeIntervalSinceNow: hold.seconds), purpose: purpose, url: request.shown)
            }
            do {
                try await clock.pass(request.host)
                return try await ask(request, isRetry: attempts + attempt > 1) { response throws(FetchFailure) in
                    try read(response, attempts + attempt)
                }
            } catch let failure as FetchFailure {
                cause = secrets.hide(in: failure)
            } catch {
                cause = Self.cancelled
            }
            var failure = Failure(
                host: request.host, attempts: attempts + attempt, cause: cause, purpose: purpose, url: request.shown)
            if isOnTrial, cause.isOutOfReach { throw failure }
            notePushBack(cause, request.host)
            var random = SystemRandomNumberGenerator()
            switch policy.decide(cause, attempt: attempt, now: Date(), using: &random) {
            case .giveUp:
                throw failure
            case .stopForNow(let wait):
                await clock.hold(request.host, for: wait)
                failure.postponedUntil = Date(timeIntervalSinceNow: wait.seconds)
                throw failure
            case .retry(let wait):
                report(
                    .retry(
                        CrawlEvent.Retry(
                            source: source, url: request.shown, attempt: attempt, wait: wait.seconds,
                            reason: cause.reason(host: request.host))))
                do {
                    try await pause(wait, cause, request.host)
                } catch {
                    failure.cause = Self.cancelled
                    throw failure
                }
            }
            attempt += 1
        }
    }

    /// Makes all lanes go more slowly, and fewer of them, where a server has too much to do.
    private func notePushBack(_ cause: FetchFailure, _ host: String) {
        switch cause {
        case .status(429, _, _):
            clock.refused(host)
            pushedBack()
        case .status(503, _, _), .network(.timedOut, _):
            pushedBack()
        default:
            break
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
    private func ask<Value>(
        _ request: RequestBuilder.Request, isRetry: Bool, read: (HTTPResponse) throws(FetchFailure) -> Value
    ) async throws(FetchFailure) -> Value {
        tally.countRequest(isRetry: isRetry)
        let response: HTTPResponse
        do {
            response = try await client.send(request.http)
        } catch {
            reportRequest(request.shown, status: nil, bytes: 0, seconds: 0)
            throw error
        }
        reportRequest(
            request.shown, status: response.status, bytes: response.body.count, seconds: response.seconds)
        if response.status != 429 { clock.accepted(request.host) }
        return try read(response)
    }

    private func reportRequest(_ url: String, status: Int?, bytes: Int, seconds: Double) {
        report(.request(CrawlEvent.Request(source: source, url: url, status: status, bytes: bytes, seconds: seconds)))
    }
}

extension FetchFailure {
    /// Whether nothing at all answers at the address, so that another endpoint may take over.
    var isOutOfReach: Bool {
        guard case .network(let fault, _) = self else { return false }
        return [.nameNotResolved, .connectionRefused, .proxy].contains(fault)
    }
}
