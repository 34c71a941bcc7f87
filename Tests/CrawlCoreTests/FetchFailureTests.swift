import Foundation
import Testing

@testable import CrawlCore

@Suite("Failures as errors that a person sees")
struct FetchFailureTests {
    private let place = FetchFailure.Place(source: "users", host: "api.example", attempts: 4)

    @Test(
        "A final failure says what happened and where, what to do, and ends with the contract's code",
        arguments: [
            (
                .status(503, retryAfter: nil, body: "<h1>down</h1>"), .unavailable,
                "users: api.example answered 503 Service Unavailable: <h1>down</h1> (after 4 attempts)"
            ),
            (
                .status(404, retryAfter: nil, body: "{}"), .unavailable,
                "users: api.example answered 404 Not Found: {} (after 4 attempts)"
            ),
            (
                .status(599, retryAfter: nil, body: ""), .unavailable,
                "users: api.example answered 599 (after 4 attempts)"
            ),
            (
                .status(401, retryAfter: nil, body: "no"), .denied,
                "users: api.example answered 401 Unauthorized: no (after 4 attempts)"
            ),
            (
                .status(403, retryAfter: nil, body: ""), .denied,
                "users: api.example answered 403 Forbidden (after 4 attempts)"
            ),
            (
                .unreadable(.notJSON, detail: "<html>"), .unreadable,
                "users: api.example answered with something that is not JSON: <html> (after 4 attempts)"
            ),
            (
                .unreadable(.empty, detail: ""), .unreadable,
                "users: api.example answered with no content (after 4 attempts)"
            ),
            (
                .network(.nameNotResolved, detail: "Could not resolve host: api.example"), .unavailable,
                "users: Could not resolve host: api.example (after 4 attempts)"
            ),
            (
                .network(.bodyTooLarge, detail: "the answer of api.example is larger than 9 bytes"), .unreadable,
                "users: the answer of api.example is larger than 9 bytes (after 4 attempts)"
            ),
            (.network(.badEncoding, detail: "cut"), .unavailable, "users: cut (after 4 attempts)"),
        ] as [(FetchFailure, ExitCode, String)])
    func errors(failure: FetchFailure, exitCode: ExitCode, message: String) {
        let error = failure.crawlError(at: place)
        #expect(error.exitCode == exitCode)
        #expect(error.message == message)
        #expect(error.remedy?.hasSuffix(".") == true)
    }

    @Test("One attempt is not counted")
    func oneAttempt() {
        let place = FetchFailure.Place(source: "users", host: "api.example", attempts: 1)
        let error = FetchFailure.status(400, retryAfter: nil, body: "").crawlError(at: place)
        #expect(error.message == "users: api.example answered 400 Bad Request")
    }

    @Test("Every fault of the network has a remedy", arguments: NetworkFault.allCases.filter { $0 != .cancelled })
    func remedies(fault: NetworkFault) {
        #expect(FetchFailure.network(fault, detail: "x").crawlError(at: place).remedy != nil)
    }

    @Test("A wait that is too long says until when, with exit code 75")
    func stoppedForNow() {
        let error = FetchFailure.status(429, retryAfter: "7200", body: "").stoppedForNow(
            at: place, until: Date(timeIntervalSince1970: 784_118_977), maxWait: .seconds(120))
        #expect(error.exitCode == .tryLater)
        #expect(
            error.message
                == "users: api.example asks to wait until 1994-11-06T10:49:37.000Z, longer than --max-wait allows (120 s)"
        )
    }
}
