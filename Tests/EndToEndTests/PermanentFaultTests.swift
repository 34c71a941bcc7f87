import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("A server that is at fault with every request", .fewAtOnce)
struct PermanentFaultTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var fault: String
        var exitCode: Int32
        /// The requests that are made.
        var requests: Int
        /// What the message says.
        var says: [String]
        var arguments: [String] = []

        var testDescription: String { fault }
    }

    /// What is asked again for, with the retries that the test allows.
    private static let retried = 3
    private static let once = 1

    private static func status(_ status: Int, _ name: String, _ remedy: String, exitCode: Int32 = 69, _ requests: Int)
        -> Case
    {
        let body =
            status < 500 ? #"{"error":"stand-in fault \#(status)"}"# : "<title>\(status) from the stand-in</title>"
        return Case(
            fault: "\(status)", exitCode: exitCode, requests: requests,
            says: ["answered \(status) \(name): ", body, remedy])
    }

    static let statuses = [
        status(400, "Bad Request", "Check the address and its parameters.", once),
        status(401, "Unauthorized", "Check the key", exitCode: 77, once),
        status(402, "Payment Required", "no retry helps", once),
        status(403, "Forbidden", "Check the key", exitCode: 77, once),
        status(404, "Not Found", "Check the address", once),
        status(408, "Request Timeout", "(after 3 attempts)", retried),
        status(410, "Gone", "Check the address", once),
        status(425, "Too Early", "(after 3 attempts)", retried),
        status(429, "Too Many Requests", "--rate", retried),
        status(500, "Internal Server Error", "try again later", retried),
        status(502, "Bad Gateway", "try again later", retried),
        status(503, "Service Unavailable", "try again later", retried),
        status(504, "Gateway Timeout", "try again later", retried),
    ]

    static let retryAfter = [
        Case(fault: "429-seconds=0", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "429-date=-60", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "503-seconds=0", exitCode: 69, requests: retried, says: ["503"]),
        Case(fault: "503-date=0", exitCode: 69, requests: retried, says: ["503"]),
        Case(fault: "retry-after=120junk", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "retry-after=-5", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "retry-after=1.5", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "retry-after=", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "retry-after=Wed, 21 Oct 2015 07:28:00 GMT", exitCode: 69, requests: retried, says: ["429"]),
        Case(fault: "429-seconds=3600", exitCode: 75, requests: once, says: ["asks to wait until 20", "--max-wait"]),
        Case(fault: "429-date=3600", exitCode: 75, requests: once, says: ["asks to wait until 20", "--max-wait"]),
        Case(fault: "503-seconds=3600", exitCode: 75, requests: once, says: ["asks to wait until 20", "--max-wait"]),
        Case(fault: "503-date=3600", exitCode: 75, requests: once, says: ["asks to wait until 20", "--max-wait"]),
        Case(
            fault: "retry-after=99999999999999999999", exitCode: 75, requests: once, says: ["asks to wait until 20"]),
    ]

    static let bodies = [
        Case(
            fault: "html", exitCode: 65, requests: retried, says: ["not JSON", "<!DOCTYPE html>", "try again later"]),
        Case(fault: "error-object", exitCode: 65, requests: once, says: ["something went wrong"]),
        Case(fault: "no-content", exitCode: 69, requests: once, says: ["204"]),
        Case(fault: "empty", exitCode: 65, requests: retried, says: ["no content"]),
        Case(fault: "not-json", exitCode: 65, requests: retried, says: ["not JSON", "this is { not JSON"]),
        Case(fault: "truncated", exitCode: 69, requests: retried, says: ["ended the answer too early, after "]),
        Case(fault: "truncated=0", exitCode: 69, requests: retried, says: ["ended the answer too early"]),
        Case(fault: "truncated-json", exitCode: 65, requests: retried, says: ["JSON that ends too early"]),
        Case(fault: "invalid-utf8", exitCode: 65, requests: retried, says: ["not UTF-8"]),
        Case(fault: "gzip-truncated", exitCode: 69, requests: retried, says: ["not whole gzip data"]),
        Case(fault: "gzip-lie", exitCode: 69, requests: retried, says: ["not whole gzip data"]),
        Case(
            fault: "gzip-bomb=80", exitCode: 65, requests: once, says: ["larger than 67108864 bytes", "--page-size"]),
        Case(fault: "huge", exitCode: 65, requests: once, says: ["larger than 67108864 bytes", "--page-size"]),
        Case(fault: "deep", exitCode: 65, requests: once, says: ["nested too deep"]),
    ]

    static let connections = [
        Case(fault: "close", exitCode: 69, requests: retried, says: ["closed the connection without an answer"]),
        Case(fault: "reset", exitCode: 69, requests: retried, says: ["closed the connection without an answer"]),
        Case(
            fault: "hang", exitCode: 69, requests: 2, says: ["did not answer within 1.5 s", "--timeout"],
            arguments: ["--timeout", "1.5", "--retries", "1"]),
        Case(
            fault: "slow", exitCode: 69, requests: 2, says: ["did not answer within 1.5 s", "--timeout"],
            arguments: ["--timeout", "1500ms", "--retries", "1"]),
        Case(
            fault: "drip", exitCode: 69, requests: 2, says: ["did not end its answer within 1.5 s", "--timeout"],
            arguments: ["--timeout", "1500ms", "--retries", "1"]),
        Case(fault: "headers", exitCode: 69, requests: once, says: ["header", "larger than 262144 bytes"]),
        Case(fault: "not-http", exitCode: 69, requests: once, says: ["did not answer in HTTP", "scheme and port"]),
        Case(
            fault: "redirect-loop", exitCode: 69, requests: 11, says: ["redirected more than 10 times", "--endpoint"]),
        Case(fault: "redirect-file", exitCode: 69, requests: once, says: ["redirects to something that is no http"]),
    ]

    @Test(
        "ends with its exit code, says what came and what to do, and goes on once the server is well",
        arguments: statuses + retryAfter + bodies + connections)
    func fault(_ item: Case) async throws {
        let scene = try Scene()
        scene.server.replaceFaults([try Fault(parsing: item.fault + ":1")])
        let arguments = ["--count", "12", "--page-size", "4"]
        let limits = item.arguments.contains("--retries") ? [] : ["--retries", "2"]
        let result = try await scene.crawl(arguments + limits + item.arguments)
        #expect(result.exitCode == item.exitCode, "\(result)")
        #expect(scene.requests.count == item.requests)
        #expect(
            result.errors.contains("Error: users: 127.0.0.1:\(scene.server.port) ")
                || result.errors.contains("Error: users: the answer of 127.0.0.1:\(scene.server.port) ")
                || result.errors.contains("Error: users: the header of 127.0.0.1:\(scene.server.port) "), "\(result)")
        for part in item.says {
            #expect(result.errors.contains(part), "the error does not say '\(part)': \(result)")
        }
        if item.exitCode != 77 { #expect(result.errors.contains("Continue with: crawl --count 12"), "\(result)") }
        #expect(result.output.hasPrefix("0 users stored in output/crawl.db: 0 new, 0 duplicates; "), "\(result)")
        let retries = item.requests == 11 ? 0 : item.requests - 1
        #expect(result.output.contains(retries == 1 ? "1 retry" : "\(retries) retries"), "\(result)")
        let left = try await scene.query("SELECT state, reason <> '', (SELECT count(*) FROM users) FROM crawl_runs")
        #expect(left == "failed|1|0")

        scene.server.replaceFaults([])
        guard item.exitCode != 75 else { return }
        let again = try await scene.crawl(arguments)
        #expect(again.exitCode == 0, "\(again)")
        let healed = try await scene.query(
            "SELECT count(*), min(state), (SELECT count(DISTINCT uid) FROM users) FROM crawl_runs")
        #expect(healed == "1|complete|12")
        try await scene.expectVerified()
    }
}
