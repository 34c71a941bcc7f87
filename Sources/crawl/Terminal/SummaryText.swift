import CrawlCore

/// The sentences at the end of a crawl.
enum SummaryText {
    /// The summary for standard output, nil where the database could not be opened and nothing can be said of it.
    static func result(_ summary: CrawlEvent.Summary) -> String? {
        summary.isUnknown ? nil : line(summary)
    }

    /// The summary of a crawl that could look into its database.
    ///
    /// `50 users stored in output/crawl.db: 50 new, 0 duplicates; 10 requests, 0 retries, 44.1 KB, 0.2 s`
    static func line(_ summary: CrawlEvent.Summary) -> String {
        let stored =
            Quantity.records(summary.stored, of: SafeText.visible(summary.source))
            + " stored in \(SafeText.visible(summary.database))"
        let madeUp = summary.isMadeUp ? " (made up by the stand-in)" : ""
        if summary.outcome == .nothingToDo {
            return "\(stored) already, nothing to do: 0 new, 0 duplicates; 0 requests, 0 retries, 0 B, "
                + Quantity.duration(summary.seconds) + madeUp
        }
        let counts = summary.counts
        var records = ["\(counts.new) new"]
        if summary.target == nil {
            // A whole source is loaded again to take over what has changed.
            records += ["\(counts.updated) updated", "\(counts.duplicate) unchanged"]
        } else {
            records.append(Quantity.count(counts.duplicate, "duplicate", "duplicates"))
            if counts.updated > 0 { records.append("\(counts.updated) updated") }
        }
        if counts.rejected > 0 { records.append("\(counts.rejected) rejected") }
        if counts.surplus > 0 { records.append("\(counts.surplus) surplus") }
        let traffic = [
            Quantity.count(summary.requests, "request", "requests"),
            Quantity.count(summary.retries, "retry", "retries"),
            Quantity.bytes(summary.bytes), Quantity.duration(summary.seconds),
        ]
        return "\(stored): \(records.joined(separator: ", ")); \(traffic.joined(separator: ", "))\(madeUp)"
    }

    /// What a stopped crawl tells, with the command that goes on.
    ///
    /// `Stopped at 31 of 50 users. Continue with: crawl --count 50`
    static func stopped(_ summary: CrawlEvent.Summary, continueWith command: String) -> String {
        let source = SafeText.visible(summary.source)
        let reached =
            summary.target.map { "\(summary.stored) of \(Quantity.records($0, of: source))" }
            ?? Quantity.records(summary.stored, of: source)
        return "Stopped at \(reached). Continue with: \(SafeText.visible(command))"
    }
}

extension CrawlEvent.Summary {
    /// Whether the crawl failed before it could look into its database.
    var isUnknown: Bool {
        run == nil && outcome == .failed
    }
}
