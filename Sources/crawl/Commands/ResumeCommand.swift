import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl resume`: goes on with every unfinished run, each with its own options.
struct ResumeCommand: Sendable {
    private let parsed: ParsedCommand
    private let line: String
    private let stop: StopSignal

    init(_ parsed: ParsedCommand, _ arguments: [String], stop: StopSignal) {
        self.parsed = parsed
        line = CommandText.line(arguments)
        self.stop = stop
    }

    func run() async throws -> Int32 {
        let database = parsed.text("db") ?? CrawlOptions().database
        let reader = try await StoreReader.open(path: database)
        let runs = try await reader.unfinishedRuns()
        await reader.close()
        guard !runs.isEmpty else {
            if !parsed.isQuiet, !parsed.flag("json") {
                var output = TextOutput(1)
                output.writeLine("Nothing to resume: every crawl in \(SafeText.visible(database)) is complete")
            }
            return ExitCode.success.rawValue
        }
        // A run whose file is gone says so when its turn comes.
        try parsed.checkSet(
            for: runs.compactMap { run in
                (try? RecordedOptions(json: run.options)).flatMap { try? source(of: run, $0) }
            })
        var code = ExitCode.success.rawValue
        for run in runs where stop.exitCode == nil {
            let next = try await goOn(with: run, in: database)
            if code == ExitCode.success.rawValue { code = next }
        }
        return code
    }

    private func goOn(with run: RunRecord, in database: String) async throws -> Int32 {
        let recorded: RecordedOptions
        let source: Source
        do {
            recorded = try RecordedOptions(json: run.options)
            source = try self.source(of: run, recorded)
        } catch {
            // Other runs may go on all the same.
            return ErrorReport(error).print()
        }
        var options = recorded.options(source: run.source, count: run.target, database: database)
        try parsed.apply(to: &options, source: source, onlyGiven: true)
        options.set = options.set.filter { source.placeholders.contains($0.key) }
        do {
            try recorded.requireWithheld(in: options, run: run.id, of: run.source)
        } catch {
            // Other runs may go on all the same.
            return ErrorReport(error).print()
        }
        if parsed.flag("dry-run") {
            return try await DryRun(source: source, options: options).run(isJSON: parsed.flag("json"))
        }
        let csv = try parsed.csvDestination(of: source, in: database)
        let reporter = parsed.reporter(continueWith: line)
        await reporter.announce(source.name)
        for notice in parsed.unusedEndpoints(of: [source]) { await reporter.notice(notice) }
        let (crawl, run) = (Crawl(source, options: options), CrawlRun(reporter: reporter, stop: stop))
        let summary = try await reporter.whileTicking { await run.run(crawl) }
        if let error = summary.error {
            return ErrorReport(error.goingOn(after: summary, with: line)).print()
        }
        if let csv, summary.outcome != .interrupted {
            try await ExportRun(database: database, isQuiet: parsed.isQuiet, stop: stop)
                .run(Export(source: source.name), to: csv)
        }
        return ExitCode.success.rawValue
    }

    /// The source of a run: the file that it was begun with, or a built-in one.
    private func source(of run: RunRecord, _ recorded: RecordedOptions) throws -> Source {
        if let file = recorded.file { return try SourceFiles.source(file, run: run.id, name: run.source) }
        if let source = try BuiltInSources.source(named: run.source) { return source }
        throw CrawlError(
            .badSource, "Run \(run.id) crawls the source '\(run.source)', which is not built in",
            remedy: "Go on with the command that began it, with its source file.")
    }
}
