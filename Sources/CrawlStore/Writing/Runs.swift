import CrawlCore

/// The rows of `crawl_runs` and what the ledger says of a run.
struct Runs {
    let database: Database

    /// Runs that still say `running` when the crawl lock is taken ended without notice.
    func markAbandoned() throws {
        try database.transaction {
            try database.run(
                """
                UPDATE crawl_runs SET state = 'interrupted', reason = 'ended without notice (killed or power lost)',
                    ended_at = coalesce((SELECT max(fetched_at) FROM crawl_pages WHERE run = crawl_runs.id), started_at)
                WHERE state = 'running'
                """)
            KillPoint.abandonedRunsMarked.pass()
        }
    }

    /// The last run of each source, or of one, where it is not complete; the oldest first.
    func unfinished(source: String? = nil) throws -> [RunRecord] {
        try database.rows(
            """
            SELECT \(RunRecord.columns) FROM crawl_runs AS run
            WHERE state <> 'complete' AND source = coalesce(?1, source)
                AND id = (SELECT max(id) FROM crawl_runs WHERE source = run.source)
            ORDER BY id
            """, SQLValue(source), row: { RunRecord($0) })
    }

    func run(_ id: Int64) throws -> RunRecord {
        let runs = try database.rows(
            "SELECT \(RunRecord.columns) FROM crawl_runs WHERE id = ?1", SQLValue(id), row: { RunRecord($0) })
        guard let run = runs.first else {
            throw CrawlError(
                .database, "The database \(database.path) knows no run \(id)",
                remedy: "See the runs with `crawl status`.")
        }
        return run
    }

    func begin(
        source: String, endpoint: String, target: Int?, options: String, startedAt: String
    ) throws -> RunRecord {
        try database.transaction {
            try database.run(
                """
                INSERT INTO crawl_runs (source, endpoint, target, options, state, started_at)
                VALUES (?1, ?2, ?3, ?4, 'running', ?5)
                """, SQLValue(source), SQLValue(endpoint), SQLValue(target), SQLValue(options), SQLValue(startedAt))
            KillPoint.runBegun.pass()
            return try run(database.lastInsertedRow)
        }
    }

    /// Once a run has pages, whether it replaced the source's records is history: `fresh` stays as it began.
    func reopen(_ id: Int64, endpoint: String, target: Int?, options: String) throws -> RunRecord {
        try database.transaction {
            try database.run(
                """
                UPDATE crawl_runs SET state = 'running', ended_at = NULL, reason = NULL, endpoint = ?2, target = ?3,
                    options = CASE
                        WHEN NOT EXISTS (SELECT 1 FROM crawl_pages WHERE run = ?1) THEN ?4
                        WHEN json_extract(options, '$.fresh') THEN json_set(?4, '$.fresh', json('true'))
                        ELSE json_remove(?4, '$.fresh') END
                WHERE id = ?1
                """, SQLValue(id), SQLValue(endpoint), SQLValue(target), SQLValue(options))
            KillPoint.runReopened.pass()
            return try run(id)
        }
    }

    func finish(_ id: Int64, state: RunState, reason: String?, endedAt: String) throws {
        try database.transaction {
            try database.run(
                "UPDATE crawl_runs SET state = ?2, reason = ?3, ended_at = ?4 WHERE id = ?1",
                SQLValue(id), SQLValue(state.rawValue), SQLValue(reason), SQLValue(endedAt))
            KillPoint.runEnded.pass()
        }
    }

    /// Whether records of the source that are stored came from a run against that endpoint.
    func holdsRecords(of source: String, from endpoint: String) throws -> Bool {
        try database.integer(
            """
            SELECT EXISTS (SELECT 1 FROM crawl_pages JOIN crawl_runs ON crawl_runs.id = run
            WHERE source = ?1 AND endpoint = ?2 AND new > 0 AND crawl_pages.id >= coalesce(
                (SELECT max((SELECT min(id) FROM crawl_pages WHERE run = crawl_runs.id)) FROM crawl_runs
                WHERE source = ?1 AND json_extract(options, '$.fresh')), 0))
            """, SQLValue(source), SQLValue(endpoint)) == 1
    }

    func position(_ id: Int64) throws -> RunPosition {
        let sums = try database.rows(
            "SELECT coalesce(max(seq), 0), count(*), coalesce(sum(surplus), 0) FROM crawl_pages WHERE run = ?1",
            SQLValue(id), row: { (last: Int($0.integer(0)), pages: Int($0.integer(1)), surplus: Int($0.integer(2))) })
        let cursors = try database.rows(
            "SELECT cursor FROM crawl_pages WHERE run = ?1 AND cursor IS NOT NULL ORDER BY id DESC LIMIT 1",
            SQLValue(id), row: { $0.text(0) })
        return RunPosition(
            cursor: cursors.first ?? nil, lastSequence: sums.first?.last ?? 0, pages: sums.first?.pages ?? 0,
            surplus: sums.first?.surplus ?? 0)
    }
}
