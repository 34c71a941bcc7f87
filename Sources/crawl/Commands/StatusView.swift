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
        var table = TextTable(columns: [
            .init(title: "RUN", isNumeric: true), .init(title: "SOURCE"), .init(title: "STATE"),
            .init(title: "TARGET", isNumeric: true), .init(title: "NEW", isNumeric: true),
            .init(title: "DUPLICATE", isNumeric: true), .init(title: "REJECTED", isNumeric: true),
            .init(title: "PAGES", isNumeric: true), .init(title: "RETRIES", isNumeric: true),
            .init(title: "RATE", isNumeric: true), .init(title: "STARTED"), .init(title: "ENDPOINT"),
        ])
        table.rows = runs.map(row)
        var lines = table.lines(width: width, style: style, isUnicode: isUnicode)
        lines.append("")
        for summary in runs where summary.run.state != .complete {
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

    private func row(_ summary: RunSummary) -> [String] {
        [
            "\(summary.run.id)", summary.run.source, state(summary),
            summary.run.target.map(String.init) ?? "all", "\(summary.counts.new)", "\(summary.counts.duplicate)",
            "\(summary.counts.rejected)", "\(summary.pages)", "\(summary.retries)", rate(summary) ?? "-",
            String(summary.run.startedAt.prefix(19)).replacing("T", with: " "), summary.run.endpoint,
        ]
    }

    /// The state of a run; one that says `running` while no crawl has the database was killed.
    private func state(_ summary: RunSummary) -> String {
        summary.run.state == .running && !isCrawlRunning ? RunState.interrupted.rawValue : summary.run.state.rawValue
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
