/// A load of a whole source of numbered pages beside the floor.
struct LoadBenchmark: Benchmark {
    private let workload: Workload
    private let rounds: Int

    init(_ arguments: inout Arguments) throws {
        let pages = try arguments.number("--pages", default: 1_000)
        workload = Workload(
            source: .posts, count: pages * 100, lanes: try arguments.number("--lanes", default: 4))
        rounds = try arguments.number("--rounds", default: 5)
    }

    func run(_ programs: Programs) throws -> Report {
        // Of so small records the ledger's row for each page is a large part; there is no target for it.
        try FloorComparison(name: "load", workload: workload, rounds: rounds, mostWork: nil).report(programs)
    }
}
