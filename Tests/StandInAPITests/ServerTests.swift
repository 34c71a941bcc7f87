import CrawlCore
import Foundation
import StandInAPI
import Testing

/// Threads and files are counted for the whole process, so these tests run one after another.
@Suite(.serialized) struct ServerTests {
    @Test func latencyDelaysEachAnswerAndBlocksNoOther() throws {
        var configuration = StandInConfiguration()
        configuration.latency = .milliseconds(200)
        let server = try StandInServer(configuration: configuration)
        let clients = try (0..<40).map { _ in try WireClient(server) }
        let started = ContinuousClock.now
        for client in clients { client.send("/api/v2/users?size=10") }
        for client in clients { #expect(client.receive().status == 200) }
        let elapsed = ContinuousClock.now - started
        // One after the other they would take eight seconds.
        #expect(elapsed >= .milliseconds(200) && elapsed < .seconds(8))
    }

    @Test func manyConnectionsStayAliveAndShareOnePopulation() throws {
        let server = try StandInServer()
        let clients = try (0..<32).map { _ in try WireClient(server) }
        var uids: Set<String> = []
        for _ in 0..<5 {
            for client in clients { client.send("/api/v2/users?size=20") }
            for client in clients {
                uids.formUnion(try list(client.receive().text).compactMap { $0["uid"] as? String })
            }
        }
        #expect(uids.count == 32 * 5 * 20)
        #expect(server.statistics.requests == 160)
    }

    @Test(arguments: ["hang:1", "drip:1", "slow:1", "huge:1", "headers:1"])
    func stopClosesWhateverIsUnderWay(fault: String) throws {
        var configuration = StandInConfiguration()
        configuration.faults = [try Fault(parsing: fault)]
        let server = try StandInServer(configuration: configuration)
        let clients = try (0..<8).map { _ in try WireClient(server) }
        for client in clients { client.send("/api/v2/users?size=100") }
        while server.statistics.requests < 8 { sched_yield() }
        let started = ContinuousClock.now
        server.stop()
        server.stop()
        #expect(ContinuousClock.now - started < .seconds(20))
        for client in clients { #expect(client.receive(cap: 1_000_000).end != .timedOut) }
    }

    @Test func aServerThatGoesLeavesNoThreadAndNoSocket() throws {
        let count = { (folder: String) in
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
        }
        let threads = try count("task")
        let sockets = try count("fd")
        for _ in 0..<25 {
            var configuration = StandInConfiguration()
            configuration.faults = [Fault(.hang, every: 2)]
            let server = try StandInServer(configuration: configuration)
            let clients = try (0..<4).map { _ in try WireClient(server) }
            for client in clients { client.send("/api/v2/users") }
            while server.statistics.requests < 4 { sched_yield() }
        }
        #expect(try count("task") < threads + 20)
        #expect(try count("fd") < sockets + 20)
    }

    @Test func aPortInUseIsAnErrorWithTheWayOut() throws {
        let server = try StandInServer()
        var configuration = StandInConfiguration()
        configuration.port = server.port
        #expect {
            try StandInServer(configuration: configuration)
        } throws: { error in
            let error = error as? CrawlError
            return error?.exitCode == .unavailable && error?.message.contains("\(server.port)") == true
                && error?.remedy?.contains("--port") == true
        }
        server.stop()
        let next = try StandInServer(configuration: configuration)
        #expect(next.port == server.port && next.baseURL == "http://127.0.0.1:\(server.port)")
    }

    @Test(arguments: [-1, 65_536])
    func aNumberThatIsNoPortIsRefused(port: Int) {
        var configuration = StandInConfiguration()
        configuration.port = port
        #expect { try StandInServer(configuration: configuration) } throws: { ($0 as? CrawlError)?.exitCode == .usage }
    }

    @Test func theLogTellsEachRequest() throws {
        let lines = Lines()
        var configuration = StandInConfiguration()
        configuration.faults = [Fault(.reset, every: 2), Fault(.serverError, every: 3)]
        configuration.requestLog = {
            lines.add("\($0.number) \($0.method) \($0.target) \($0.status ?? 0) \($0.fault ?? "-")")
        }
        let server = try StandInServer(configuration: configuration)
        for _ in 0..<3 { _ = try get("/api/v2/users?size=2", from: server) }
        server.stop()
        #expect(
            lines.all == [
                "1 GET /api/v2/users?size=2 200 -", "2 GET /api/v2/users?size=2 0 reset:2",
                "3 GET /api/v2/users?size=2 500 500:3",
            ])
    }

    @Test(arguments: StandInAPI.paths.map(\.name))
    func everyEndpointHasAnAddress(name: String) throws {
        let server = try StandInServer()
        let url = try #require(server.url(of: name))
        #expect(url.hasPrefix(server.baseURL + "/"))
        let answer = try get(String(url.dropFirst(server.baseURL.count)), from: server)
        #expect(answer.status != nil && !answer.text.contains("no such path") || name == "quotes.fallback")
    }

    /// The lines of a log, collected from the server's thread.
    private final class Lines: Sendable {
        private let lines = Locked<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }
}
