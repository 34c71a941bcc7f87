#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decides whether and when a failed attempt is made again.
///
/// Exponential backoff with full jitter
/// ([why](https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/)); a server's `Retry-After` comes
/// first where it counts, on 429 and 503.
package struct RetryPolicy: Sendable, Equatable {
    /// The attempts after the first.
    package var retries: Int
    /// The longest wait before an attempt; a server that asks for more stops the crawl for now.
    package var maxWait: Duration
    /// The upper bound of the first wait, doubled with each attempt.
    package var base: Duration
    /// The upper bound of every wait of this policy's own.
    package var cap: Duration

    package init(
        retries: Int = 3, maxWait: Duration = .seconds(120), base: Duration = .milliseconds(500),
        cap: Duration = .seconds(30)
    ) {
        self.retries = retries
        self.maxWait = maxWait
        self.base = base
        self.cap = cap
    }

    /// What to do about a failed attempt.
    package enum Decision: Sendable, Equatable {
        /// Make the next attempt after this time.
        case retry(after: Duration)
        /// No further attempt can be expected to succeed.
        case giveUp
        /// The server asks for a longer wait than allowed.
        case stopForNow(wait: Duration)
    }

    /// Decides about the attempt of that number, from 1.
    package func decide(
        _ failure: FetchFailure, attempt: Int, now: Date, using random: inout some RandomNumberGenerator
    ) -> Decision {
        let serverWait = serverWait(failure, now: now)
        if let serverWait, serverWait > maxWait { return .stopForNow(wait: serverWait) }
        guard attempt <= min(retries, mostRetries(of: failure)) else { return .giveUp }
        let backoff = backoff(attempt: attempt, using: &random)
        guard let serverWait else { return .retry(after: backoff) }
        // "At once" is no plan for a server that has too much to do.
        return .retry(after: serverWait > RetryAfter.floor ? serverWait : max(serverWait, backoff))
    }

    /// The wait that the server asked for, to be kept by all that ask the same host; nil where it asked for none.
    package func serverWait(_ failure: FetchFailure, now: Date) -> Duration? {
        guard case .status(429, let field?, _) = failure else {
            guard case .status(503, let field?, _) = failure else { return nil }
            return RetryAfter.wait(field, now: now)
        }
        return RetryAfter.wait(field, now: now)
    }

    /// A time between 0 and the bound for that attempt.
    private func backoff(attempt: Int, using random: inout some RandomNumberGenerator) -> Duration {
        let bound = min(base * (1 << min(attempt - 1, 20)), cap, maxWait)
        return bound * Double.random(in: 0..<1, using: &random)
    }

    /// How often at most an attempt that failed so is worth another.
    private func mostRetries(of failure: FetchFailure) -> Int {
        switch failure {
        case .status(let status, _, _):
            switch status {
            case 408, 425, 429, 500, 502, 503, 504: .max
            default: 0
            }
        case .unreadable(let kind, _):
            switch kind {
            // An error page with status 200 passes, as does a body that was cut off on its way to the server.
            case .empty, .notJSON, .truncated, .invalidUTF8: .max
            case .tooDeep, .tooDense, .noRecords: 0
            }
        case .handshake: 0
        case .network(let fault, _):
            switch fault {
            case .connectionRefused, .proxy, .connectionClosed, .truncated, .badEncoding, .timedOut, .other: .max
            // Once, because a resolver may fail for a moment; a mistyped host stays mistyped.
            case .nameNotResolved: 1
            case .bodyTooLarge, .notHTTP, .tooManyRedirects, .unsafeRedirect, .badURL, .cancelled: 0
            case .certificateDates, .certificateName, .certificateAuthority, .notTLS, .oldTLS, .tls: 0
            }
        }
    }
}
