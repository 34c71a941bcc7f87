import CrawlCore
import Foundation
import StandInAPI
import Testing

@Suite struct FaultTests {
    @Test(arguments: [
        ("500:5", Fault(.serverError, every: 5)),
        ("429", Fault(.tooManyRequests)),
        ("429-seconds=2:10", Fault(.tooManySeconds, parameter: "2", every: 10)),
        (
            "retry-after=Thu, 01 Jan 1970 00:00:00 GMT:3",
            Fault(.retryAfter, parameter: "Thu, 01 Jan 1970 00:00:00 GMT", every: 3)
        ),
        ("retry-after=-5:1", Fault(.retryAfter, parameter: "-5")),
        ("reset:1@10", Fault(.reset, in: 10...Int.max)),
        ("503:1@1-3", Fault(.unavailable, in: 1...3)),
        ("tickers/html:2", Fault(.html, every: 2, source: "tickers")),
        ("quotes.crumb/429:1", Fault(.tooManyRequests, source: "quotes.crumb")),
    ])
    func textIsRead(text: String, fault: Fault) throws {
        #expect(try Fault(parsing: text) == fault)
        #expect(try Fault(parsing: fault.text) == fault)
    }

    @Test(arguments: [
        ("trunkated:5", "Did you mean 'truncated'?"), ("gzp:5", "Did you mean 'gzip'?"), ("500:0", "KIND:EVERY"),
        ("500:x", "KIND:EVERY"), ("500:1@5-2", "KIND:EVERY"), ("hang=soon:1", "whole number"), ("", "The faults are"),
        ("tikers/500:1", "Did you mean 'tickers'?"),
        ("xyzzyxyzzy:1", "The faults are 400"),
    ])
    func mistakesAreNamedWithTheMend(text: String, remedy: String) {
        #expect {
            try Fault(parsing: text)
        } throws: { error in
            let error = error as? CrawlError
            return error?.exitCode == .usage && error?.remedy?.contains(remedy) == true
        }
    }

    @Test func everyKindHasASummary() {
        for kind in FaultKind.allCases { #expect(!kind.summary.isEmpty) }
        let lines = FaultKind.listing.split(separator: "\n")
        #expect(lines.count == FaultKind.allCases.count)
        #expect(lines.contains("  429-seconds=…           429 with Retry-After in seconds (seconds, default: 1)"))
        #expect(Set(FaultKind.allCases.map(\.rawValue)).count == FaultKind.allCases.count)
    }

    @Test(arguments: [
        ("500:3", [200, 200, 500, 200, 200, 500, 200]), ("503:1@2-3", [200, 503, 503, 200, 200, 200, 200]),
        ("404:2@4", [200, 200, 200, 404, 200, 404, 200]), ("posts/500:1", [200, 200, 200, 200, 200, 200, 200]),
    ])
    func requestsAreCountedOverTheServer(text: String, expected: [Int]) throws {
        var configuration = StandInConfiguration()
        configuration.faults = [try Fault(parsing: text)]
        let server = try StandInServer(configuration: configuration)
        let statuses = try expected.map { _ in try get("/api/v2/users", from: server).status }
        #expect(statuses == expected)
    }

    @Test func severalFallTogetherAndCanBeExchanged() throws {
        var configuration = StandInConfiguration()
        configuration.faults = [Fault(.serverError, every: 4), Fault(.gzip, every: 3), Fault(.missingKey, every: 3)]
        let server = try StandInServer(configuration: configuration)
        let answers = try (1...4).map { _ in try get("/api/v2/users?size=5", from: server) }
        #expect(answers.map(\.status) == [200, 200, 200, 500])
        // Compressed, and with a record spoilt before that.
        #expect(answers[2].body.starts(with: [0x1F, 0x8B]) && !answers[1].body.starts(with: [0x1F, 0x8B]))
        #expect(answers[2].body.count(of: "\"uid\":") == 4 && answers[1].body.count(of: "\"uid\":") == 5)
        server.replaceFaults([])
        #expect(try (1...4).map { _ in try get("/api/v2/users", from: server).status } == [200, 200, 200, 200])
    }

    @Test func twoFaultsSpoilTheSameRecord() throws {
        var configuration = StandInConfiguration()
        configuration.faults = [Fault(.control), Fault(.missingKey), Fault(.numbers)]
        let server = try StandInServer(configuration: configuration)
        let body = try get("/api/v2/users?size=5", from: server).body
        #expect(body.count(of: "\\u001b[31m") == 1)
        #expect(body.count(of: "\"uid\":") == 4)
        #expect(body.count(of: "\"id\":9007199254740993") == 1)
    }
}

extension [UInt8] {
    /// How often the bytes of a text occur.
    fileprivate func count(of text: String) -> Int {
        String(decoding: self, as: UTF8.self).components(separatedBy: text).count - 1
    }
}
