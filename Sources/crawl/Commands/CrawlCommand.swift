import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl --count N`: crawls one source until the wanted records are stored.
struct CrawlCommand: Sendable {
    private let parsed: ParsedCommand
    private let line: String
    private let stop: StopSignal

    init(_ parsed: ParsedCommand, _ arguments: [String], stop: StopSignal) {
        self.parsed = parsed
        line = CommandText.line(arguments)
        self.stop = stop
    }

    func run() async throws -> Int32 {
        let source = try parsed.source()
        let options = try parsed.crawlOptions(for: source)
        try parsed.checkSet(for: [source])
        if parsed.flag("dry-run") {
            return try await DryRun(source: source, options: options).run(isJSON: parsed.flag("json"))
        }
        return try await Self.crawl(source, options: options, parsed, line: line, stop: stop)
    }

    /// Crawls, tells of it and exports where asked; `line` goes on with the crawl.
    static func crawl(
        _ source: Source, options: CrawlOptions, _ parsed: ParsedCommand, line: String, stop: StopSignal
    ) async throws -> Int32 {
        let reporter = parsed.reporter(continueWith: line)
        await reporter.announce(source.name)
        let summary = try await reporter.whileTicking {
            await CrawlRun(reporter: reporter, stop: stop).run(Crawl(source, options: options))
        }
        if let error = summary.error {
            if parsed.declares("csv"), let file = parsed.text("csv") {
                await reporter.notice("\(file) is not written, because the crawl is not complete.")
            }
            return ErrorReport(error.goingOn(after: summary, with: line)).print()
        }
        if parsed.declares("csv"), let file = parsed.text("csv"), summary.outcome != .interrupted {
            try await ExportRun(database: options.database, isQuiet: parsed.isQuiet)
                .run(Export(source: source.name), to: .file(file))
        }
        return ExitCode.success.rawValue
    }
}

extension CrawlError {
    /// The error of a crawl that the same command goes on with, and what is safe.
    func goingOn(after summary: CrawlEvent.Summary, with line: String) -> CrawlError {
        let isWorthRepeating = [.unavailable, .unreadable, .denied, .tryLater, .database, .failure].contains(exitCode)
        guard isWorthRepeating, summary.run != nil else { return self }
        let stored =
            summary.target.map { "\(summary.stored) of \($0)" } ?? "\(summary.stored)"
        let goOn = "What was fetched is stored (\(stored) \(summary.source)). Continue with: \(line)"
        return CrawlError(exitCode, message, remedy: [remedy, goOn].compactMap { $0 }.joined(separator: "\n"))
    }
}
