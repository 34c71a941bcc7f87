/// A crawl of random users beside the floor.
struct PipelineBenchmark: Benchmark {
    private let workload: Workload
    private let rounds: Int

    init(_ arguments: inout Arguments) throws {
        workload = Workload(
            source: .users, count: try arguments.number("--users", default: 100_000),
            lanes: try arguments.number("--lanes", default: 4),
            pageSize: try arguments.number("--page-size", default: 100))
        rounds = try arguments.number("--rounds", default: 5)
        guard workload.pageSize <= 100 else { throw UsageError("the API sends at most 100 users a page") }
    }

    func run(_ programs: Programs) throws -> Report {
        try FloorComparison(name: "pipeline", workload: workload, rounds: rounds, mostWork: 1.2).report(programs)
    }
}
