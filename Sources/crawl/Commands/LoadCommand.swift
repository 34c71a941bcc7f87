import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl load NAME...`: loads whole sources side by side.
struct LoadCommand: Sendable {
    private let parsed: ParsedCommand
    private let line: String
    private let stop: StopSignal

    init(_ parsed: ParsedCommand, _ arguments: [String], stop: StopSignal) {
        self.parsed = parsed
        line = CommandText.line(arguments)
        self.stop = stop
    }

    func run() async throws -> Int32 {
        let items = try parsed.loadItems()
        let sources = items.flatMap(\.sources)
        if parsed.isGiven("csv"), sources.count > 1 {
            throw parsed.usageError("--csv goes with one source; use 'crawl export' for several.", about: "csv")
        }
        let options = try parsed.loadOptions(for: sources)
        if parsed.flag("dry-run") {
            for source in sources {
                _ = try await DryRun(source: source, options: options).run(isJSON: parsed.flag("json"))
            }
            return ExitCode.success.rawValue
        }
        let csv = try parsed.csvDestination(of: sources[0], in: options.database)
        let reporter = parsed.reporter(continueWith: line)
        for source in sources { await reporter.announce(source.name) }
        for notice in parsed.unusedEndpoints(of: sources) { await reporter.notice(notice) }
        let load = BulkLoad(items, options: options, keepsPartialGroups: parsed.flag("partial"))
        let summaries = try await reporter.whileTicking {
            await CrawlRun(reporter: reporter, stop: stop).run(load)
        }
        var code = ExitCode.success.rawValue
        var told: Set<String> = []
        for summary in summaries {
            guard let error = summary.error else { continue }
            let report = ErrorReport(error.goingOn(after: summary, with: line))
            // What keeps all sources from being loaded, such as the database, is said once.
            let next = told.insert(report.text).inserted ? report.print() : report.exitCode.rawValue
            if code == ExitCode.success.rawValue { code = next }
        }
        if code == ExitCode.success.rawValue, stop.exitCode == nil, let csv {
            try await ExportRun(database: options.database, isQuiet: parsed.isQuiet, stop: stop)
                .run(Export(source: sources[0].name), to: csv)
        }
        return code
    }
}
