/// The peak memory of a crawl of 100,000 users and of a much longer one.
struct MemoryBenchmark: Benchmark {
    private static let fewUsers = 100_000
    private let manyUsers: Int

    init(_ arguments: inout Arguments) throws {
        manyUsers = try arguments.number("--users", default: 1_000_000)
        guard manyUsers > Self.fewUsers else {
            throw UsageError("--users must be above \(Self.fewUsers) here: it is compared with that many")
        }
    }

    func run(_ programs: Programs) throws -> Report {
        let scratch = try ScratchFolder()
        defer { scratch.remove() }
        let server = try PageServer(programs, Workload(source: .users, count: manyUsers), scratch: scratch)
        defer { server.end() }
        var report = Report("memory: the peak of a crawl, 100 users a page, 4 lanes")
        report.columns = ["", "peak MB", "users/s", "CPU seconds"]
        var peaks: [Int] = []
        for users in [Self.fewUsers, manyUsers] {
            let measurement = try Workload(source: .users, count: users)
                .measureCrawl(programs, server, scratch).measurement
            peaks.append(measurement.peakMemory)
            report.rows.append([
                "\(users.text) users", measurement.peakMemory.megabytes, measurement.rate(users).text(),
                measurement.processorSeconds.text(2),
            ])
        }
        let growth = Double(peaks[1]) / Double(peaks[0])
        report.targets = [
            .init(text: "under 48 MB at \(Self.fewUsers.text): \(peaks[0].megabytes) MB", isMet: peaks[0] < 48_000_000),
            .init(text: "not growing with the count, within 10 %: \(growth.text(2))", isMet: growth <= 1.1),
        ]
        return report
    }
}
