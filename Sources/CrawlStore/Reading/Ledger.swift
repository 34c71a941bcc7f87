import CrawlCore

/// A run and the sums of its pages.
package struct RunSummary: Sendable, Equatable {
    /// The row of `crawl_runs`.
    package var run: RunRecord
    /// Pages stored.
    package var pages: Int
    /// Attempts that these pages took; more than `pages` by the retries.
    package var attempts: Int
    /// Bytes of decoded bodies.
    package var bytes: Int
    /// What became of the records.
    package var counts: PageCounts
    /// When the last page arrived, nil without pages: RFC 3339, UTC.
    package var lastFetchedAt: String?

    /// Attempts that were repeated.
    package var retries: Int { attempts - pages }

    /// Seconds from the beginning of the run to its end, or to its last page while it has none.
    ///
    /// The pause before a run went on counts. Nil where neither is known.
    package var duration: Double? {
        guard let end = run.endedAt ?? lastFetchedAt, let ended = Timestamp.date(end),
            let started = Timestamp.date(run.startedAt)
        else { return nil }
        return max(0, ended.timeIntervalSince(started))
    }
}

/// What the ledger says of runs and sources.
struct Ledger {
    let database: Database

    /// The sources that ever ran, the oldest first.
    func sources() throws -> [String] {
        try database.rows("SELECT source FROM crawl_runs GROUP BY source ORDER BY min(id)") { $0.text(0) ?? "" }
    }

    /// The first page of the last run that replaced the source's records, 0 where none did.
    func firstPage(of source: String) throws -> Int64 {
        try database.integer(
            """
            SELECT max((SELECT min(id) FROM crawl_pages WHERE run = crawl_runs.id)) FROM crawl_runs
            WHERE source = ?1 AND json_valid(options) AND json_extract(options, '$.fresh')
            """, SQLValue(source)) ?? 0
    }

    /// The records that the source's pages brought, those that a later run replaced not counted.
    func recordCount(of source: String) throws -> Int {
        let count = try database.integer(
            """
            SELECT sum(new) FROM crawl_pages JOIN crawl_runs ON crawl_runs.id = run
            WHERE source = ?1 AND crawl_pages.id >= ?2
            """, SQLValue(source), SQLValue(firstPage(of: source)))
        return Int(count ?? 0)
    }

    /// Every run, the oldest first.
    func runs() throws -> [RunSummary] {
        try database.rows(
            """
            SELECT \(RunRecord.columns), count(page), coalesce(sum(attempts), 0), coalesce(sum(bytes), 0),
                coalesce(sum(received), 0), coalesce(sum(new), 0), coalesce(sum(duplicate), 0),
                coalesce(sum(updated), 0), coalesce(sum(rejected), 0), coalesce(sum(surplus), 0), max(fetched_at)
            FROM crawl_runs LEFT JOIN (SELECT id AS page, run, attempts, bytes, received, new, duplicate, updated,
                rejected, surplus, fetched_at FROM crawl_pages) ON run = crawl_runs.id
            GROUP BY crawl_runs.id ORDER BY crawl_runs.id
            """
        ) { row in
            var counts = PageCounts()
            counts.received = Int(row.integer(12))
            counts.new = Int(row.integer(13))
            counts.duplicate = Int(row.integer(14))
            counts.updated = Int(row.integer(15))
            counts.rejected = Int(row.integer(16))
            counts.surplus = Int(row.integer(17))
            return RunSummary(
                run: RunRecord(row), pages: Int(row.integer(9)), attempts: Int(row.integer(10)),
                bytes: Int(row.integer(11)), counts: counts, lastFetchedAt: row.text(18))
        }
    }
}
