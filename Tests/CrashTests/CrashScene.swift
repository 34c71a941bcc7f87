import CrawlCore
import Foundation
import StandInAPI
import TestSupport
import Testing

/// A database whose crawls get killed, and the server that knows the truth.
final class CrashScene: Sendable {
    let folder: TemporaryFolder
    let server: StandInServer

    init(people: Int?, latency: Duration) throws {
        folder = try TemporaryFolder()
        var configuration = StandInConfiguration()
        configuration.seed = 11
        configuration.people = people
        configuration.latency = latency
        server = try StandInServer(configuration: configuration)
    }

    deinit {
        server.stop()
    }

    var database: String { folder.file("output/crawl.db") }

    /// The keys of all people that there are.
    var truth: [String] {
        (0..<(server.population.size ?? 0)).map { server.population.uid(at: $0) }.sorted()
    }

    /// Starts `crawl` in the folder, pointed at the server.
    func start(_ arguments: [String]) throws -> Program {
        try Program(
            Program.built("crawl"), arguments,
            environment: ["CRAWL_ENDPOINT_USERS": server.baseURL + "/api/v2/users"], workingFolder: folder.path)
    }

    /// Starts `crawl` and kills it after that time.
    ///
    /// - Returns: How it ended; not by the signal where it was quicker.
    func kill(_ arguments: [String], after time: Duration) async throws -> Program.Result {
        // Time has to pass here: the instant of the kill is what the test is about.
        let instant = ContinuousClock.now + time
        return try await start(arguments).end(by: SIGKILL) { ContinuousClock.now >= instant }
    }

    /// Starts `crawl` and kills it when the server has seen so many further requests, and then some time has passed.
    func kill(
        _ arguments: [String], afterRequests count: Int, and time: Duration = .zero
    ) async throws -> Program.Result {
        let requests = server.statistics.requests + count
        let seen = Locked<ContinuousClock.Instant?>(nil)
        return try await start(arguments).end(by: SIGKILL) { [server] in
            guard server.statistics.requests >= requests else { return false }
            let since = seen.withLock { seen in
                seen = seen ?? .now
                return seen ?? .now
            }
            return ContinuousClock.now - since >= time
        }
    }

    func crawl(_ arguments: String...) async throws -> Program.Result {
        try await start(arguments).end()
    }

    /// The rows that the sqlite3 shell finds; empty where the table is not there yet.
    func query(_ sql: String) async throws -> [String] {
        let program = try Program("/usr/bin/sqlite3", ["-readonly", database, sql], workingFolder: folder.path)
        return await program.end().output.split(separator: "\n").map(String.init)
    }

    /// How many users are stored.
    func storedCount() async throws -> Int {
        try await query("SELECT count(*) FROM users").first.flatMap { Int($0) } ?? 0
    }

    /// Expects a database in order, or none yet.
    func expectInOrder(_ note: String) async throws {
        let result = try await crawl("verify")
        let isMissing = result.exitCode == 74 && result.errors.contains("There is no database output/crawl.db yet")
        #expect(result.exitCode == 0 || isMissing, "\(note): \(result)")
    }
}

/// Numbers from 0 to 1 that fill the range evenly, however many are taken.
struct EvenSpread: Sequence, IteratorProtocol {
    private var value = 0.0

    mutating func next() -> Double? {
        // The golden ratio leaves no gaps: https://oeis.org/A001622
        value = (value + 0.618_033_988_749_895).truncatingRemainder(dividingBy: 1)
        return value
    }
}
