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
        let csv = try parsed.csvDestination(of: source, in: options.database)
        let reporter = parsed.reporter(continueWith: line)
        await reporter.announce(source.name)
        for notice in parsed.unusedEndpoints(of: [source]) { await reporter.notice(notice) }
        let summary = try await reporter.whileTicking {
            await CrawlRun(reporter: reporter, stop: stop).run(Crawl(source, options: options))
        }
        if let error = summary.error {
            if let csv { await reporter.notice("\(csv.name) is not written, because the crawl is not complete.") }
            return ErrorReport(error.goingOn(after: summary, with: line)).print()
        }
        if let csv, summary.outcome != .interrupted {
            try await ExportRun(database: options.database, isQuiet: parsed.isQuiet, stop: stop)
                .run(Export(source: source.name), to: csv)
        }
        return ExitCode.success.rawValue
    }
}

extension ExportDestination {
    /// What is written, for a notice.
    fileprivate var name: String {
        switch self {
        case .file(let path): path
        case .descriptor: "The CSV on standard output"
        }
    }
}

extension CrawlError {
    /// The error of a crawl with what is safe, and the command that goes on where repeating it helps.
    func goingOn(after summary: CrawlEvent.Summary, with line: String) -> CrawlError {
        guard summary.run != nil, !meansDatabaseIsGone else { return self }
        let isWorthRepeating = [.unavailable, .unreadable, .denied, .tryLater, .database, .failure].contains(exitCode)
        let stored =
            summary.target.map { "\(summary.stored) of \(Quantity.records($0, of: summary.source)) are" }
            ?? "\(Quantity.records(summary.stored, of: summary.source)) \(summary.stored == 1 ? "is" : "are")"
        let safe = "\(stored) stored in \(summary.database)."
        let next = isWorthRepeating ? "\(safe) Continue with: \(line)" : safe
        return CrawlError(exitCode, message, remedy: [remedy, next].compactMap { $0 }.joined(separator: "\n"))
    }
}
