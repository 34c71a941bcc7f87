/// A crawl of users beside the floor: the speed, the processor time and the memory of both.
struct PipelineBenchmark: Benchmark {
    private let users: Int
    private let lanes: Int
    private let pageSize: Int
    private let rounds: Int

    init(_ arguments: inout Arguments) throws {
        users = try arguments.number("--users", default: 100_000)
        lanes = try arguments.number("--lanes", default: 4)
        pageSize = try arguments.number("--page-size", default: 100)
        rounds = try arguments.number("--rounds", default: 5)
        guard pageSize <= 100 else { throw UsageError("the API sends at most 100 users a page") }
    }

    func run(_ programs: Programs) throws -> Report {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let server = try PageServer(programs, users: users, scratch: scratch)
        defer { server.end() }
        let url = server.url
        var stored: [StoredTable] = []
        let comparison = try Comparison(
            rounds: rounds,
            ours: {
                try Crawl(users: users, lanes: lanes, pageSize: pageSize).measurement(
                    programs, url: url, scratch: scratch, stored: &stored)
            },
            theirs: {
                try measureFloor(programs, url: url, scratch: scratch, stored: &stored)
            })
        // Where every page made beforehand is needed, both must have stored the very same people.
        if users.isMultiple(of: 100), pageSize == 100, stored.contains(where: { $0 != stored[0] }) {
            throw BenchFailure("crawl and the floor have stored different users")
        }
        return report(comparison)
    }

    private func measureFloor(
        _ programs: Programs, url: String, scratch: ScratchFolder, stored: inout [StoredTable]
    ) throws -> Measurement {
        scratch.empty()
        let database = scratch.file("floor.db")
        let errors = scratch.file("floor-errors")
        let process = try ChildProcess(
            programs.bench,
            [
                FloorProcess.name, "--url", url, "--db", database, "--count", String(users), "--lanes",
                String(lanes), "--page-size", String(pageSize),
            ], errors: errors)
        let measurement = try process.measurement(errors: errors)
        let table = try StoredTable("users", in: database)
        guard table.rows == users else { throw BenchFailure("the floor stored \(table.rows) of \(users) users") }
        stored.append(table)
        return measurement
    }

    private func report(_ comparison: Comparison) -> Report {
        var report = Report(
            "pipeline: \(users.text) users, \(pageSize) a page, \(lanes) lanes; medians of \(rounds) rounds in turn")
        let speed = comparison.ratio { $0.rate(users) }
        let work = comparison.ratio(\.processorSeconds)
        report.columns = ["", "users/s", "seconds", "CPU seconds", "peak MB"]
        for (name, measurements) in [("crawl", comparison.ours), ("floor", comparison.theirs)] {
            report.rows.append([
                name, Spread(measurements.map { $0.rate(users) }).text(0), Spread(measurements.map(\.seconds)).text(),
                Spread(measurements.map(\.processorSeconds)).text(),
                Spread(measurements.map { Double($0.peakMemory) / 1e6 }).text(1),
            ])
        }
        report.rows.append([
            "crawl / floor", speed.text(), comparison.ratio(\.seconds).text(), work.text(),
            comparison.ratio { Double($0.peakMemory) }.text(),
        ])
        report.targets = [
            .init(text: "at least 0.85 of the floor's users/s: \(speed.median.text(2))", isMet: speed.median >= 0.85),
            .init(text: "at most 1.20 of the floor's CPU seconds: \(work.median.text(2))", isMet: work.median <= 1.2),
        ]
        return report
    }
}
