import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl export NAME`: writes a source's records to a file or to standard output.
struct ExportCommand: Sendable {
    private let parsed: ParsedCommand
    private let stop: StopSignal

    init(_ parsed: ParsedCommand, stop: StopSignal) {
        self.parsed = parsed
        self.stop = stop
    }

    func run() async throws -> Int32 {
        let name = parsed.text("name") ?? ""
        let format: ExportFormat = parsed.choice("format") ?? .csv
        let export = Export(
            source: name, format: format, columns: parsed.list("columns"), excel: parsed.flag("excel"))
        let file = parsed.text("output") ?? "output/\(name).\(format.rawValue)"
        let run = ExportRun(database: parsed.text("db") ?? CrawlOptions().database, isQuiet: false, stop: stop)
        try await run.run(export, to: file == "-" ? .descriptor(1) : .file(file))
        return ExitCode.success.rawValue
    }
}

/// Writes one export and says so.
struct ExportRun: Sendable {
    let database: String
    /// Whether the line about the file is left out.
    let isQuiet: Bool
    /// After it nothing of the export is waited for.
    let stop: StopSignal

    /// Writes the export; a file is announced on standard error, for standard output may be a result of its own.
    func run(_ export: Export, to destination: ExportDestination) async throws {
        try await stop.whileReading { try await write(export, to: destination) }
    }

    private func write(_ export: Export, to destination: ExportDestination) async throws {
        let reader = try await StoreReader.open(path: database)
        let result = try await reader.export(export, to: destination)
        await reader.close()
        guard case .file(let path) = destination, !isQuiet else { return }
        var errors = TextOutput(2)
        errors.writeLine(
            "\(Quantity.records(result.rows, of: SafeText.visible(export.source))) written to "
                + "\(SafeText.visible(path)) (\(Quantity.bytes(result.bytes)))")
    }
}
