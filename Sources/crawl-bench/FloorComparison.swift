/// A crawl beside the floor: the speed, the processor time and the memory of both.
struct FloorComparison {
    let name: String
    let workload: Workload
    let rounds: Int
    /// The most of the floor's processor time that is allowed, as a ratio; nil for no limit.
    let mostWork: Double?

    /// Measures in turn.
    ///
    /// - Throws: `BenchFailure` where a program fails, or both do not store the same.
    func report(_ programs: Programs) throws -> Report {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let server = try PageServer(programs, workload, scratch: scratch)
        defer { server.end() }
        var stored: [StoredTable] = []
        let comparison = try Comparison(
            rounds: rounds,
            ours: {
                let (measurement, table) = try workload.measureCrawl(programs, server, scratch)
                stored.append(table)
                return measurement
            },
            theirs: {
                let (measurement, table) = try workload.measureFloor(programs, server, scratch)
                stored.append(table)
                return measurement
            })
        // Where every page made beforehand is needed, both must have stored the very same records.
        if workload.count.isMultiple(of: 100), workload.pageSize == 100, stored.contains(where: { $0 != stored[0] }) {
            throw BenchFailure("crawl and the floor have stored different \(workload.source)")
        }
        return report(comparison)
    }

    private func report(_ comparison: Comparison) -> Report {
        let count = workload.count
        var report = Report(
            "\(name): \(count.text) \(workload.source), \(workload.pageSize) a page, \(workload.lanes) lanes; "
                + "medians of \(rounds) rounds in turn")
        let speed = comparison.ratio { $0.rate(count) }
        let work = comparison.ratio(\.processorSeconds)
        report.compare(comparison, named: ("crawl", "floor"), count: count, unit: "\(workload.source)/s")
        report.targets = [
            .init(text: "at least 0.85 of the floor's speed: \(speed.median.text(2))", isMet: speed.median >= 0.85)
        ]
        if let mostWork {
            report.targets.append(
                .init(
                    text: "at most \(mostWork.text(2)) of the floor's CPU seconds: \(work.median.text(2))",
                    isMet: work.median <= mostWork))
        }
        return report
    }
}

extension Report {
    /// Fills the table with a comparison: a row for each program, and one for the ratio of the first to the second.
    mutating func compare(
        _ comparison: Comparison, named names: (ours: String, theirs: String), count: Int, unit: String
    ) {
        columns = ["", unit, "seconds", "CPU seconds", "peak MB"]
        for (name, measurements) in [(names.ours, comparison.ours), (names.theirs, comparison.theirs)] {
            rows.append([
                name, Spread(measurements.map { $0.rate(count) }).text(0), Spread(measurements.map(\.seconds)).text(),
                Spread(measurements.map(\.processorSeconds)).text(),
                Spread(measurements.map { Double($0.peakMemory) / 1e6 }).text(1),
            ])
        }
        rows.append([
            "\(names.ours) / \(names.theirs)", comparison.ratio { $0.rate(count) }.text(),
            comparison.ratio(\.seconds).text(), comparison.ratio(\.processorSeconds).text(),
            comparison.ratio { Double($0.peakMemory) }.text(),
        ])
    }
}
