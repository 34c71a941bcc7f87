import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl verify`: checks the ledger against the tables, and the file itself.
struct VerifyCommand: Sendable {
    let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
    }

    func run() async throws -> Int32 {
        let path = parsed.text("db") ?? CrawlOptions().database
        let reader = try await StoreReader.open(path: path)
        let problems = try await reader.verify()
        var runs: [RunSummary] = []
        if problems.isEmpty { runs = try await reader.runs() }
        await reader.close()
        let pages = runs.reduce(0) { $0 + $1.pages }
        let received = runs.reduce(0) { $0 + $1.counts.received }

        var output = TextOutput(1)
        if parsed.flag("json") {
            var object = JSONObject()
            object.add("database", path)
            object.add("ok", problems.isEmpty)
            object.add("runs", runs.count)
            object.add("pages", pages)
            object.add("received", received)
            object.add("problems", texts: problems)
            output.writeLine(object.text)
        } else if problems.isEmpty {
            output.writeLine(
                "\(SafeText.visible(path)) is in order: \(Quantity.count(runs.count, "run", "runs")), "
                    + "\(Quantity.count(pages, "page", "pages")), "
                    + "\(Quantity.count(received, "record", "records")) received and accounted for")
        } else {
            for problem in problems { output.writeLine(SafeText.visible(problem)) }
        }
        guard problems.isEmpty else {
            throw CrawlError(
                .database,
                "\(path) is not in order: \(Quantity.count(problems.count, "problem", "problems"))",
                remedy:
                    "Copy the file before you go on; `sqlite3 FILE .recover` saves what can be read of a damaged one.")
        }
        return ExitCode.success.rawValue
    }
}
