import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl probe URL`: writes the source file of an API that is not known yet, and crawls with it on request.
struct ProbeCommand: Sendable {
    private let parsed: ParsedCommand
    private let stop: StopSignal

    init(_ parsed: ParsedCommand, stop: StopSignal) {
        self.parsed = parsed
        self.stop = stop
    }

    func run() async throws -> Int32 {
        let isRunning = parsed.flag("run")
        if parsed.isGiven("count"), !isRunning {
            throw parsed.usageError("--count goes with --run.", about: "count")
        }
        let probe = try probe()
        if isRunning, let path = parsed.text("output"), path != "-" {
            try FilesInUse(database: parsed.text("db") ?? CrawlOptions().database).check(.file(path))
        }
        say("Looking at \(probe.shownURL) …")
        let finding: Probe.Finding
        do {
            finding = try await probe.run(report: tell)
        } catch let error as CancellationError {
            say("Stopped; nothing was written.")
            throw error
        } catch let error as CrawlError where error.exitCode == .usage {
            throw parsed.usageError(error.message + "." + (error.remedy.map { " " + $0 } ?? ""))
        } catch let error as CrawlError {
            throw CrawlError(error.exitCode, error.message, remedy: fitting(error.remedy))
        }
        explain(finding)
        let text = SourceFiles.text(of: finding.source)
        guard let path = path(of: finding.source) else {
            var output = TextOutput(1)
            output.write(text)
            return ExitCode.success.rawValue
        }
        try write(text, to: path)
        guard isRunning else {
            say("Crawl it with: \(line(path))")
            return ExitCode.success.rawValue
        }
        let source = try SourceFiles.source(at: path)
        return try await CrawlCommand.crawl(source, options: options(for: source), parsed, line: line(path), stop: stop)
    }

    /// The remedy, unless it names an option that only a crawl has.
    private func fitting(_ remedy: String?) -> String? {
        let words = remedy?.split { !$0.isLetter && $0 != "-" } ?? []
        let options = words.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        return options.allSatisfy(parsed.declares) ? remedy : "Check the address, or try again later."
    }

    private func probe() throws -> Probe {
        var probe = Probe(url: parsed.text("url") ?? "")
        probe.name = parsed.text("name")
        probe.key = parsed.list("key") ?? []
        probe.timeout = parsed.duration("timeout") ?? probe.timeout
        probe.userAgent = Version.userAgent
        do {
            for text in parsed.texts("header") {
                let (name, value) = try Probe.header(parsing: text)
                probe.headers[name] = value
            }
        } catch {
            throw parsed.usageError(error.message + "." + (error.remedy.map { " " + $0 } ?? ""), about: "header")
        }
        return probe
    }

    private func options(for source: Source) -> CrawlOptions {
        var options = CrawlOptions(count: parsed.wholeNumber("count"))
        if options.count == nil, case .repeat = source.pagination { options.count = 50 }
        options.database = parsed.text("db") ?? options.database
        options.timeout = parsed.duration("timeout") ?? options.timeout
        options.userAgent = Version.userAgent
        return options
    }

    // MARK: The file

    /// The file to write; nil for standard output.
    ///
    /// A crawl needs one, so that it can be resumed.
    private func path(of source: Source) -> String? {
        if let output = parsed.text("output"), output != "-" { return output }
        guard parsed.flag("run") else { return nil }
        let database = parsed.text("db") ?? CrawlOptions().database
        let folder = database.lastIndex(of: "/").map { database[...$0] } ?? ""
        return folder + source.name + ".source.json"
    }

    /// Writes the file, unless it says so already.
    private func write(_ text: String, to path: String) throws {
        let isOwnChoice = parsed.isGiven("output")
        switch SourceFiles.comparison(of: path, with: text) {
        case .same: return
        case .other where isOwnChoice:
            throw CrawlError(
                .cannotCreate, "The file \(path) is there already and says something else",
                remedy: "Choose another with -o, or remove it. To crawl as it says: \(line(path))")
        case .other, .missing: try TextFile.write(text, to: path)
        }
        say("Source file written to \(path)")
    }

    /// The command that crawls with the file.
    private func line(_ path: String) -> String {
        var arguments = ["--source", SourceFiles.isPath(path) ? path : "./" + path]
        if let count = parsed.text("count") { arguments += ["--count", count] }
        if let database = parsed.text("db"), parsed.isGiven("db") { arguments += ["--db", database] }
        return CommandText.line(arguments)
    }

    // MARK: What is told

    private func explain(_ finding: Probe.Finding) {
        for text in finding.findings { say("  " + text) }
        if !finding.doubts.isEmpty {
            say("Not decided; look at these:")
            for text in finding.doubts { say("  " + text) }
        }
    }

    private func say(_ text: String) {
        guard !parsed.isQuiet else { return }
        var errors = TextOutput(2)
        errors.writeLine(SafeText.visible(text))
    }

    private var tell: @Sendable (CrawlEvent) -> Void {
        let isVerbose = parsed.flag("verbose")
        return { event in
            guard isVerbose else { return }
            var errors = TextOutput(2)
            switch event {
            case .request(let request):
                let status = request.status.map(String.init) ?? "no answer"
                errors.writeLine(SafeText.visible("GET \(request.url) → \(status), \(Quantity.bytes(request.bytes))"))
            case .retry(let retry):
                errors.writeLine(SafeText.visible("Again after \(retry.reason)"))
            default: break
            }
        }
    }
}
