import CrawlCore
import CrawlKit

/// `crawl watch NAME... --every T`: loads again and again and prints what has changed.
struct WatchCommand: Sendable {
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
        let load = BulkLoad(
            items, options: try parsed.loadOptions(for: sources), keepsPartialGroups: parsed.flag("partial"))
        let watch = Watch(load, every: parsed.duration("every") ?? .seconds(60))
        let rounds = parsed.wholeNumber("rounds")
        let reporter = parsed.reporter(continueWith: line, isWatching: true)
        for source in sources { await reporter.announce(source.name) }
        for notice in parsed.unusedEndpoints(of: sources) { await reporter.notice(notice) }
        let summaries = try await reporter.whileTicking {
            await CrawlRun(reporter: reporter, stop: stop).run(watch, rounds: rounds)
        }
        guard let failed = summaries.first(where: { $0.error != nil }), let error = failed.error else {
            return ExitCode.success.rawValue
        }
        return ErrorReport(error).print()
    }
}
