import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl status`: every run with its state, counts and pace, and how to go on.
struct StatusCommand: Sendable {
    let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
    }

    func run() async throws -> Int32 {
        let path = parsed.text("db") ?? CrawlOptions().database
        let reader = try await StoreReader.open(path: path)
        let runs = try await reader.runs()
        let stored = try await reader.storedCounts()
        let unfinished = Set(try await reader.unfinishedRuns().map(\.id))
        let isRunning = try await reader.isCrawlRunning()
        await reader.close()
        let view = StatusView(
            database: path, runs: runs, stored: stored, unfinished: unfinished, isCrawlRunning: isRunning)
        var output = TextOutput(1)
        if parsed.flag("json") {
            output.writeLine(view.json.text)
        } else {
            let width = Platform.isTerminal(1) ? Platform.size(of: 1, environment: parsed.environment).columns : nil
            let style = Style(.auto, isTerminal: width != nil, environment: parsed.environment)
            for line in view.lines(width: width, style: style, isUnicode: Platform.isUTF8(parsed.environment)) {
                output.writeLine(line)
            }
        }
        return ExitCode.success.rawValue
    }
}
