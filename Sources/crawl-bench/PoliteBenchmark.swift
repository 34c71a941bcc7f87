import CrawlCore
import StandInAPI

/// How close a crawl comes to what a server allows that answers 429 beyond a number of requests a second.
///
/// The crawl is not told the limit: no `--rate`, and the server sends no Retry-After.
struct PoliteBenchmark: Benchmark {
    private let limit: Int
    private let seconds: Int

    /// The time after which the crawl has to have found its pace, in seconds.
    private static let settling = 5.0
    /// The most refusals after that time.
    private static let fewRefusals = 5

    init(_ arguments: inout Arguments) throws {
        limit = try arguments.number("--limit", default: 20)
        seconds = try arguments.number("--seconds", default: 60)
        guard seconds > Int(Self.settling) else {
            throw UsageError(
                "--seconds must be above \(Int(Self.settling)) here: so long a crawl may look for its pace")
        }
    }

    func run(_ programs: Programs) throws -> Report {
        var report = Report(
            "polite: a server that refuses more than \(limit) requests a second, \(seconds) s of them, one user each")
        report.columns = ["", "requests/s", "of the limit", "refused", "after \(Int(Self.settling)) s"]
        let cases: [(name: String, lanes: String, latency: Duration)] = [
            ("lanes: auto", "auto", .zero), ("auto, answers after 100 ms", "auto", .milliseconds(100)),
            ("16 lanes", "16", .zero),
        ]
        for row in cases {
            let visits = try crawl(programs, lanes: row.lanes, latency: row.latency)
            let rate = visits.served / visits.seconds
            let late = visits.refusals.count { $0 > Self.settling }
            report.rows.append([
                row.name, rate.text(1), (rate / Double(limit)).text(2), visits.refusals.count.text, late.text,
            ])
            report.targets += [
                .init(
                    text: "\(row.name): at least 0.9 of the limit: \((rate / Double(limit)).text(2))",
                    isMet: rate >= 0.9 * Double(limit)),
                .init(
                    text: "\(row.name): at most \(Self.fewRefusals) refused after \(Int(Self.settling)) s: \(late)",
                    isMet: late <= Self.fewRefusals),
            ]
        }
        return report
    }

    /// Crawls as many users as the limit allows in the time.
    private func crawl(_ programs: Programs, lanes: String, latency: Duration) throws -> Visits {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let log = Locked(Visits())
        var configuration = StandInConfiguration()
        configuration.requestsPerSecond = limit
        configuration.latency = latency
        let origin = ContinuousClock.now
        configuration.requestLog = { record in
            let time = (ContinuousClock.now - origin) / .seconds(1)
            log.withLock { $0.add(record.status, at: time) }
        }
        let server = try StandInServer(configuration: configuration)
        defer { server.stop() }
        let errors = scratch.file("errors")
        let process = try ChildProcess(
            programs.crawl,
            [
                "--count", String(limit * seconds), "--page-size", "1", "--concurrency", lanes, "--endpoint",
                "users=\(server.baseURL)/api/v2/users", "--db", scratch.file(Workload.database),
            ], errors: errors)
        _ = try process.measurement(errors: errors)
        guard try StoredTable("users", in: scratch.file(Workload.database)).rows == limit * seconds else {
            throw BenchFailure("crawl did not store exactly \(limit * seconds) users")
        }
        return log.withLock { $0 }
    }

    /// What a server answered, with the times of its answers in seconds.
    private struct Visits {
        private var first: Double?
        private var last = 0.0
        private(set) var served = 0.0
        private(set) var refusals: [Double] = []

        var seconds: Double { max(1, last - (first ?? last)) }

        mutating func add(_ status: Int?, at time: Double) {
            let since = first ?? time
            first = since
            last = time
            if status == 429 { refusals.append(time - since) } else { served += 1 }
        }
    }
}
