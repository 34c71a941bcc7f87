import Glibc

/// `crawl export` to CSV beside the sqlite3 shell, on the same database.
struct ExportBenchmark: Benchmark {
    private let rows: Int
    private let rounds: Int

    init(_ arguments: inout Arguments) throws {
        rows = try arguments.number("--rows", default: 1_000_000)
        rounds = try arguments.number("--rounds", default: 3)
    }

    func run(_ programs: Programs) throws -> Report {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let database = try fill(programs, scratch: scratch)
        let exports = try ScratchFolder()
        defer { exports.remove() }
        let file = exports.file("users.csv")
        let errors = exports.file("errors")
        var header: [String] = []
        let ours = {
            exports.empty()
            let process = try ChildProcess(
                programs.crawl, ["export", "users", "--db", database, "-o", file], errors: errors)
            let measurement = try process.measurement(errors: errors)
            let table = try CSVTable(file)
            guard table.records == rows + 1 else {
                throw BenchFailure("crawl export wrote \(table.records) records for \(rows) rows and a header")
            }
            header = table.header
            return measurement
        }
        // The first export tells the columns, so that the shell writes the same ones.
        _ = try ours()
        let columns = header.map { "\"\($0)\"" }.joined(separator: ", ")
        let comparison = try Comparison(
            rounds: rounds, ours: ours,
            theirs: {
                exports.empty()
                let output = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
                guard output >= 0 else { throw BenchFailure("\(file) cannot be created", errno: errno) }
                defer { close(output) }
                let process = try ChildProcess(
                    programs.sqlite, ["-csv", "-header", database, "SELECT \(columns) FROM users"], output: output,
                    errors: errors)
                let measurement = try process.measurement(errors: errors)
                let table = try CSVTable(file)
                guard table.records == rows + 1, table.header == header else {
                    throw BenchFailure("sqlite3 wrote \(table.records) records for \(rows) rows and a header")
                }
                return measurement
            })
        return report(comparison)
    }

    private func fill(_ programs: Programs, scratch: ScratchFolder) throws -> String {
        let workload = Workload(source: .users, count: rows)
        let server = try PageServer(programs, workload, scratch: scratch)
        defer { server.end() }
        _ = try workload.measureCrawl(programs, server, scratch)
        return scratch.file(Workload.database)
    }

    private func report(_ comparison: Comparison) -> Report {
        var report = Report("export: \(rows.text) rows to CSV; medians of \(rounds) rounds in turn")
        let speed = comparison.ratio { $0.rate(rows) }
        report.compare(comparison, named: ("crawl export", "sqlite3 -csv"), count: rows, unit: "rows/s")
        report.targets = [
            .init(text: "at least as fast as the shell: \(speed.median.text(2))", isMet: speed.median >= 1)
        ]
        return report
    }
}
