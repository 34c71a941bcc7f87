import CrawlCore
import CrawlStore

/// What `crawl status` shows, as text and as JSON.
struct StatusView: Sendable {
    let database: String
    let runs: [RunSummary]
    /// The stored records of each source.
    let stored: [String: Int]
    /// The runs that `crawl resume` goes on with.
    let unfinished: Set<Int64>
    let isCrawlRunning: Bool

    /// The lines for people: a table of the runs, the reasons of those that did not complete, and what to do next.
    ///
    /// - Parameter width: The terminal's columns, nil off a terminal.
    func lines(width: Int?, style: Style, isUnicode: Bool) -> [String] {
        guard !runs.isEmpty else { return ["No crawl has begun in \(SafeText.visible(database)) yet"] }
        let columns = columns(width: width)
        var table = TextTable(columns: columns.map(\.column))
        table.rows = runs.map { run in columns.map { $0.cell(run) } }
        var lines = table.lines(width: width, style: style, isUnicode: isUnicode)
        lines.append("")
        for summary in runs where summary.run.state != .complete && !isOvertaken(summary) {
            if let reason = reason(summary) {
                lines.append(SafeText.visible("Run \(summary.run.id) \(state(summary)): \(reason)"))
            }
        }
        let counts = stored.sorted { $0.key < $1.key }.map { name, count in
            Quantity.records(count, of: SafeText.visible(name))
        }
        lines.append("Stored in \(SafeText.visible(database)): \(counts.joined(separator: ", "))")
        if isCrawlRunning {
            lines.append("A crawl is at work on this database now.")
        } else if !unfinished.isEmpty {
            lines.append("Continue with: crawl resume" + databaseOption)
        }
        return lines
    }

    private var databaseOption: String {
        database == "output/crawl.db" ? "" : " --db " + CommandText.line([database]).dropFirst("crawl ".count)
    }

    /// A column of the table and what stands in it.
    private struct StatusColumn {
        let column: TextTable.Column
        let cell: (RunSummary) -> String

        /// A column of numbers.
        static func number(_ title: String, _ cell: @escaping (RunSummary) -> String) -> StatusColumn {
            StatusColumn(column: .init(title: title, isNumeric: true), cell: cell)
        }

        /// A column of texts that are not cut.
        static func word(_ title: String, _ cell: @escaping (RunSummary) -> String) -> StatusColumn {
            StatusColumn(column: .init(title: title, isFixed: true), cell: cell)
        }
    }

    /// The columns that are worth their room: counts that are 0 everywhere are left out, the address where it does not
    /// fit.
    private func columns(width: Int?) -> [StatusColumn] {
        var columns: [StatusColumn] = [
            .number("RUN") { "\($0.run.id)" },
            .word("SOURCE") { $0.run.source },
            .word("STATE") { isOvertaken($0) ? "overtaken" : state($0) },
            .number("TARGET") { $0.run.target.map(String.init) ?? "all" },
            .number("NEW") { "\($0.counts.new)" },
        ]
        let counts: [(String, KeyPath<PageCounts, Int> & Sendable)] = [
            ("DUPLICATE", \.duplicate), ("UPDATED", \.updated), ("REJECTED", \.rejected), ("SURPLUS", \.surplus),
        ]
        for (title, path) in counts where width == nil || runs.contains(where: { $0.counts[keyPath: path] > 0 }) {
            columns.append(.number(title) { "\($0.counts[keyPath: path])" })
        }
        columns.append(.number("PAGES") { "\($0.pages)" })
        if width == nil || runs.contains(where: { $0.retries > 0 }) {
            columns.append(.number("RETRIES") { "\($0.retries)" })
        }
        columns.append(.number("RATE") { rate($0) ?? "-" })
        columns.append(.word("STARTED") { started($0, isShort: width != nil) })
        let used = columns.reduce(0) { sum, column in
            sum + 2 + (runs.map { column.cell($0).count } + [column.column.title.count]).reduce(0, max)
        }
        if width.map({ $0 - used >= 12 }) ?? true {
            columns.append(StatusColumn(column: .init(title: "ENDPOINT")) { $0.run.endpoint })
        }
        return columns
    }

    private func started(_ summary: RunSummary, isShort: Bool) -> String {
        let time = summary.run.startedAt.replacing("T", with: " ")
        return isShort ? String(time.prefix(16).dropFirst(5)) : String(time.prefix(19))
    }

    /// The state of a run; one that says `running` while no crawl has the database was killed.
    private func state(_ summary: RunSummary) -> String {
        summary.run.state == .running && !isCrawlRunning ? RunState.interrupted.rawValue : summary.run.state.rawValue
    }

    /// Whether a later run of the same source has settled what this one wanted.
    private func isOvertaken(_ summary: RunSummary) -> Bool {
        summary.run.state != .complete && !unfinished.contains(summary.run.id)
    }

    private func reason(_ summary: RunSummary) -> String? {
        if summary.run.state == .running {
            return isCrawlRunning ? nil : "ended without notice (killed or power lost)"
        }
        return summary.run.reason
    }

    private func rate(_ summary: RunSummary) -> String? {
        guard let duration = summary.duration, duration > 0, summary.pages > 0 else { return nil }
        return Quantity.rate(Double(summary.counts.new) / duration)
    }

    /// The object of `--json`; README documents its fields.
    var json: JSONObject {
        var object = JSONObject()
        object.add("version", EventJSON.version)
        object.add("database", database)
        object.add("crawling", isCrawlRunning)
        object.add(
            "sources",
            stored.sorted { $0.key < $1.key }.map { name, count in
                var source = JSONObject()
                source.add("source", name)
                source.add("stored", count)
                return source
            })
        object.add("runs", runs.map(json))
        return object
    }

    private func json(_ summary: RunSummary) -> JSONObject {
        var object = JSONObject()
        object.add("run", summary.run.id)
        object.add("source", summary.run.source)
        object.add("endpoint", summary.run.endpoint)
        object.add("state", state(summary))
        object.add("target", summary.run.target)
        object.add("pages", summary.pages)
        object.add("retries", summary.retries)
        object.add("bytes", summary.bytes)
        EventJSON.add(summary.counts, to: &object)
        object.add("started_at", summary.run.startedAt)
        object.add("ended_at", summary.run.endedAt)
        object.add("seconds", summary.duration)
        object.add("reason", reason(summary))
        object.add("resumable", unfinished.contains(summary.run.id))
        return object
    }
}
