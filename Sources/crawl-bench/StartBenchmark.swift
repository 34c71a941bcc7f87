/// How long `crawl --version` takes, from the call to the end of the process.
struct StartBenchmark: Benchmark {
    private let runs: Int

    init(_ arguments: inout Arguments) throws {
        runs = try arguments.number("--runs", default: 51)
    }

    func run(_ programs: Programs) throws -> Report {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let errors = scratch.file("crawl-errors")
        let measurements = try (0..<runs).map { _ in
            try ChildProcess(programs.crawl, ["--version"], errors: errors).measurement(errors: errors, limit: 10)
        }
        let milliseconds = Spread(measurements.map { $0.seconds * 1000 })
        var report = Report("start: `crawl --version`, median of \(runs) runs")
        report.columns = ["", "ms"]
        report.rows = [["crawl", milliseconds.text(1)]]
        report.targets = [
            .init(text: "under 20 ms: \(milliseconds.median.text(1)) ms", isMet: milliseconds.median < 20)
        ]
        return report
    }
}
