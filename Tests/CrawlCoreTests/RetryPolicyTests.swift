import Foundation
import Testing

@testable import CrawlCore

/// Always the same number: 0 for no wait, the greatest for the longest one.
private struct FixedNumber: RandomNumberGenerator {
    var number: UInt64

    mutating func next() -> UInt64 { number }
}

@Suite("RetryPolicy")
struct RetryPolicyTests {
    private let now = Date(timeIntervalSince1970: 784_111_777)

    private func decide(
        _ failure: FetchFailure, attempt: Int = 1, policy: RetryPolicy = RetryPolicy(), random: UInt64 = .max
    ) -> RetryPolicy.Decision {
        var random = FixedNumber(number: random)
        return policy.decide(failure, attempt: attempt, now: now, using: &random)
    }

    private func retries(_ failure: FetchFailure) -> Int {
        (1...9).first { decide(failure, attempt: $0) == .giveUp }.map { $0 - 1 } ?? 9
    }

    @Test(
        "Statuses that pass are asked again, statuses that stay are not",
        arguments: [
            (408, 3), (425, 3), (429, 3), (500, 3), (502, 3), (503, 3), (504, 3),
            (400, 0), (401, 0), (402, 0), (403, 0), (404, 0), (405, 0), (407, 0), (410, 0), (422, 0), (451, 0),
            (501, 0),
            (505, 0), (204, 0), (302, 0),
        ])
    func statuses(status: Int, count: Int) {
        #expect(retries(.status(status, retryAfter: nil, body: "")) == count)
    }

    private static let faults: [NetworkFault: Int] = [
        .nameNotResolved: 1, .connectionRefused: 3, .proxy: 3, .connectionClosed: 3, .truncated: 3, .badEncoding: 3,
        .timedOut: 3, .bodyTooLarge: 0, .notHTTP: 0, .certificateDates: 0, .certificateName: 0,
        .certificateAuthority: 0, .notTLS: 0, .oldTLS: 0, .tls: 0, .tooManyRedirects: 0, .unsafeRedirect: 0, .badURL: 0,
        .cancelled: 0, .other: 3,
    ]

    @Test("Faults of the network that pass are tried again", arguments: NetworkFault.allCases)
    func networkFaults(fault: NetworkFault) {
        #expect(retries(.network(fault, detail: "")) == Self.faults[fault])
    }

    @Test(
        "Pages that may be an error page or cut off are asked for again",
        arguments: [
            (UnreadableKind.empty, 3), (.notJSON, 3), (.truncated, 3), (.invalidUTF8, 3), (.tooDeep, 0),
            (.tooDense, 0), (.noRecords, 0),
        ])
    func unreadable(kind: UnreadableKind, count: Int) {
        #expect(retries(.unreadable(kind, detail: "")) == count)
    }

    @Test("No retries are made where none are allowed")
    func noRetries() {
        let policy = RetryPolicy(retries: 0)
        #expect(decide(.network(.timedOut, detail: ""), policy: policy) == .giveUp)
        #expect(decide(.network(.nameNotResolved, detail: ""), policy: policy) == .giveUp)
    }

    @Test("The bound of the wait doubles up to its cap; the wait is anything below it")
    func backoff() throws {
        let policy = RetryPolicy(retries: 100, base: .milliseconds(500), cap: .seconds(30))
        let failure = FetchFailure.status(500, retryAfter: nil, body: "")
        for (attempt, bound) in [(1, 0.5), (2, 1), (3, 2), (4, 4), (6, 16), (7, 30), (64, 30), (100, 30)] {
            guard case .retry(let longest) = decide(failure, attempt: attempt, policy: policy) else {
                Issue.record("attempt \(attempt) is not repeated")
                continue
            }
            #expect(longest > .seconds(bound * 0.999) && longest <= .seconds(bound))
            #expect(decide(failure, attempt: attempt, policy: policy, random: 0) == .retry(after: .zero))
        }
    }

    @Test(
        "Retry-After counts on 429 and 503 only",
        arguments: [
            (429, "7", .retry(after: .seconds(7))), (503, "7", .retry(after: .seconds(7))),
            (429, "Sun, 06 Nov 1994 08:50:07 GMT", .retry(after: .seconds(30))),
            (429, "120", .retry(after: .seconds(120))), (429, "121", .stopForNow(wait: .seconds(121))),
            (503, "Sun, 06 Nov 1994 10:49:37 GMT", .stopForNow(wait: .seconds(7200))),
            (500, "7", .retry(after: .zero)), (429, "120junk", .retry(after: .zero)), (429, "-5", .retry(after: .zero)),
            (429, "0", .retry(after: .milliseconds(100))),
            (429, "Fri, 31 Dec 1993 23:59:59 GMT", .retry(after: .milliseconds(100))), (404, "7", .giveUp),
        ] as [(Int, String, RetryPolicy.Decision)])
    func retryAfter(status: Int, field: String, decision: RetryPolicy.Decision) {
        #expect(decide(.status(status, retryAfter: field, body: ""), random: 0) == decision)
    }

    @Test("A wait beyond the limit stops the crawl for now also after the last attempt; a short one then gives up")
    func lastAttempt() {
        #expect(decide(.status(429, retryAfter: "3600", body: ""), attempt: 4) == .stopForNow(wait: .seconds(3600)))
        #expect(decide(.status(429, retryAfter: "5", body: ""), attempt: 4) == .giveUp)
    }

    @Test("Retry-After: 0 does not undo the backoff")
    func zeroWait() {
        guard case .retry(let wait) = decide(.status(429, retryAfter: "0", body: ""), attempt: 3) else {
            Issue.record("it is not repeated")
            return
        }
        #expect(wait > .seconds(1.9))
    }
}
