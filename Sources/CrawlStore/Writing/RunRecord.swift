/// How far a run has got.
package enum RunState: String, Sendable, CaseIterable {
    /// At work, or ended so suddenly that nobody could say so.
    case running
    /// The target stands, or the source is loaded whole.
    case complete
    /// Stopped from outside; the same command goes on.
    case interrupted
    /// Stopped by an error.
    case failed
}

/// A row of `crawl_runs`.
package struct RunRecord: Sendable, Equatable {
    /// The number of the run, from 1.
    package var id: Int64
    /// The source's name, also that of its table.
    package var source: String
    /// The address asked, without secrets, or `stand-in`.
    package var endpoint: String
    /// The number of records wanted, nil for the whole source.
    package var target: Int?
    /// The options of the run as a JSON object; `"fresh": true` marks a run that replaces the source's records.
    package var options: String
    /// How far the run has got.
    package var state: RunState
    /// When the run began: RFC 3339, UTC.
    package var startedAt: String
    /// When the run ended, nil while it is at work: RFC 3339, UTC.
    package var endedAt: String?
    /// Why the run ended, nil where that needs no words.
    package var reason: String?

    package init(
        id: Int64, source: String, endpoint: String, target: Int?, options: String, state: RunState,
        startedAt: String, endedAt: String? = nil, reason: String? = nil
    ) {
        self.id = id
        self.source = source
        self.endpoint = endpoint
        self.target = target
        self.options = options
        self.state = state
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.reason = reason
    }
}

/// Where a run stands after its last durable page.
package struct RunPosition: Sendable, Equatable {
    /// The pager's state that was committed last, nil before the first one.
    package var cursor: String?
    /// The number of the last page, 0 in a run without pages.
    package var lastSequence: Int
    /// Pages that are durable.
    package var pages: Int
    /// Records that its pages left out beyond the target.
    package var surplus: Int
}

extension RunRecord {
    static let columns = "id, source, endpoint, target, options, state, started_at, ended_at, reason"

    /// Reads a row of `columns`.
    init(_ row: Statement) {
        self.init(
            id: row.integer(0), source: row.text(1) ?? "", endpoint: row.text(2) ?? "",
            target: row.optionalInteger(3).map(Int.init), options: row.text(4) ?? "",
            state: RunState(rawValue: row.text(5) ?? "") ?? .failed, startedAt: row.text(6) ?? "",
            endedAt: row.text(7), reason: row.text(8))
    }
}
