import CrawlCore
import CrawlKit
import CrawlStore

/// `crawl list NAME`: the stored records as a table for people.
struct ListCommand: Sendable {
    /// The rows that decide about columns and widths; more would keep people waiting.
    private static let sampleSize = 1000

    let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
    }

    func run() async throws -> Int32 {
        let width = Platform.isTerminal(1) ? Platform.size(of: 1, environment: parsed.environment).columns : nil
        let limit = parsed.wholeNumber("limit") ?? 20
        var query = RowQuery(
            source: parsed.text("name") ?? "", columns: parsed.list("columns"), limit: limit == 0 ? nil : limit)
        // No terminal shows more of a text, and a character has at most four bytes.
        if let width { query.longestText = max(1000, 4 * width) }
        let reader = try await RowReader.open(query, path: parsed.text("db") ?? CrawlOptions().database)
        let output = TextOutput(1)

        var rows = try await reader.next(Self.sampleSize)
        let columns = await reader.columns
        let view = ListView(
            columns: columns, sample: rows, choosesColumns: query.columns == nil,
            headline: try BuiltInSources.source(named: query.source)?.headline ?? [], width: width,
            isUnicode: Platform.isUTF8(parsed.environment))
        try output.writeAll(style(1)(.bold, view.heading) + "\n")
        var shown = 0
        while !rows.isEmpty {
            shown += rows.count
            try output.writeAll(rows.map { view.line($0) + "\n" }.joined())
            rows = try await reader.next(Self.sampleSize)
        }
        let total = await reader.total
        await reader.close()
        if let remark = view.remark(source: query.source, shown: shown, total: total) {
            var errors = TextOutput(2)
            errors.writeLine(style(2)(.dim, remark))
        }
        return ExitCode.success.rawValue
    }

    private func style(_ descriptor: Int32) -> Style {
        Style(
            parsed.choice("color") ?? .auto, isTerminal: Platform.isTerminal(descriptor),
            environment: parsed.environment)
    }
}
