import Glibc

/// The benchmark program: one subcommand a question, each answered by whole programs measured from outside.
enum CrawlBench {
    private static let usage = """
        OVERVIEW: Measure crawl against the least that its libraries need for the same work.

        USAGE: swift run -c release crawl-bench <subcommand> [options]

        SUBCOMMANDS:
          pipeline   A crawl of 100,000 users against the floor: users/s, CPU seconds, peak memory
                     [--users 100000] [--lanes 4] [--page-size 100] [--rounds 5]
          load       1,000 numbered pages of 100 posts against the floor
                     [--pages 1000] [--lanes 4] [--rounds 5]
          export     CSV of 1,000,000 rows against the sqlite3 shell
                     [--rows 1000000] [--rounds 3]
          start      The time that `crawl --version` takes
                     [--runs 51]
          polite     A server that refuses more than 20 requests a second: how many it serves, how many it refuses
                     [--limit 20] [--seconds 60]
          memory     Peak memory of a crawl of 100,000 users and of a long one
                     [--users 1000000]
          all        All of these, with their default options

        OPTIONS:
          --check    Exit with 1 where a target is missed
          -h, --help Show this text

        """

    private static var benchmarks: [(name: String, type: any Benchmark.Type)] {
        [
            ("pipeline", PipelineBenchmark.self), ("load", LoadBenchmark.self), ("export", ExportBenchmark.self),
            ("start", StartBenchmark.self), ("polite", PoliteBenchmark.self), ("memory", MemoryBenchmark.self),
        ]
    }

    /// Runs the subcommand that `words` name; returns the exit code.
    static func run(_ words: [String]) -> Int32 {
        do {
            guard let name = words.first, !words.contains("-h"), !words.contains("--help") else {
                TextFile.write(usage, to: STDOUT_FILENO)
                return words.isEmpty ? 64 : 0
            }
            var arguments = Arguments(words.dropFirst())
            switch name {
            case ServePages.name: return try ServePages.run(&arguments)
            case FloorProcess.name: return try FloorProcess.run(&arguments)
            default: return try measure(name, &arguments)
            }
        } catch let error as UsageError {
            say("Error: \(error.message)\nSee 'crawl-bench --help' for more information.")
            return 64
        } catch {
            say("Error: \(error)")
            return 1
        }
    }

    private static func measure(_ name: String, _ arguments: inout Arguments) throws -> Int32 {
        let chosen = benchmarks.filter { name == "all" || $0.name == name }
        guard !chosen.isEmpty else { throw UsageError("unknown subcommand '\(name)'") }
        let isCheck = arguments.flag("--check")
        if name == "all" { try arguments.finish() }
        let prepared = try chosen.map { try $0.type.init(&arguments) }
        try arguments.finish()
        Interruption.watch()
        let programs = try Programs()
        var isMet = true
        for benchmark in prepared {
            isMet = try benchmark.run(programs).print() && isMet
        }
        return isCheck && !isMet ? 1 : 0
    }

    private static func say(_ text: String) {
        TextFile.write(text + "\n", to: STDERR_FILENO)
    }
}

/// A question that can be measured.
protocol Benchmark {
    /// Takes its options from the command line.
    ///
    /// - Throws: `UsageError` where one cannot be read.
    init(_ arguments: inout Arguments) throws

    /// Measures.
    ///
    /// - Throws: `BenchFailure` where a program fails or its result is wrong.
    func run(_ programs: Programs) throws -> Report
}
