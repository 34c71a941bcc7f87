import CSimdJSON
import CrawlCore
import CrawlJSON

/// The one transaction: records, ledger rows, rejects and cursors of a set of pages become durable together.
///
/// Not Sendable: belongs to the thread of its database.
final class PageWriter {
    let database: Database
    private var tables: [String: RecordTable] = [:]
    /// The records stored of each source; right as long as nobody else writes and nothing is rolled back.
    private var stored: [String: Int] = [:]
    private var dataVersion: Int64?
    private var nextPage: Int64 = 0

    init(database: Database) {
        self.database = database
    }

    /// Makes the source's table ready and keeps its statements.
    func prepare(_ source: Source) throws -> RecordTable {
        if let table = tables[source.name], table.source == source { return table }
        let table = try RecordTable(source, in: database)
        tables[source.name] = table
        return table
    }

    /// Stores the pages in their order; all are durable when this returns, or none when it throws.
    func commit(_ submissions: [PageSubmission]) throws -> [CommittedPage] {
        do {
            return try database.transaction {
                try begin()
                KillPoint.pagesBegun.pass()
                return try submissions.map(store)
            }
        } catch {
            // The counts, and perhaps a table, went back with the transaction.
            stored = [:]
            tables = [:]
            throw error
        }
    }

    /// Makes sure that what is known beforehand is still true.
    private func begin() throws {
        guard database.file.isInPlace else { throw CrawlError.databaseIsGone(database.path) }
        // Changes when another connection has committed: its rows count as well.
        let version = try database.integer("PRAGMA data_version")
        if version != dataVersion {
            stored = [:]
            dataVersion = version
        }
        nextPage = try (database.integer("SELECT max(id) FROM crawl_pages") ?? 0) + 1
    }

    private func store(_ submission: PageSubmission) throws -> CommittedPage {
        let writer = submission.writer
        let name = writer.source.name
        let table = try prepare(writer.source)
        if writer.replacing { try replace(table, run: writer.run) }
        let before = try stored[name] ?? table.count()
        let page = nextPage
        let recorder = writer.notesChanges ? try ChangeRecorder(writer.source, in: database) : nil
        var counts = try table.store(
            submission.page.batch, page: page, room: writer.target.map { max(0, $0 - before) } ?? .max,
            recorder: recorder, keepReject: { try storeReject($0, page: page) })
        KillPoint.recordsStored.pass()
        counts.received += submission.page.unchanged
        counts.duplicate += submission.page.unchanged
        try storeLedgerRow(submission, page: page, counts: counts)
        KillPoint.ledgerRowStored.pass()
        try storeCache(submission, counts: counts)
        KillPoint.cacheStored.pass()
        nextPage += 1
        stored[name] = before + counts.new
        return CommittedPage(
            sequence: submission.page.sequence, page: page, counts: counts, bytes: submission.page.bytes,
            stored: before + counts.new, changes: recorder?.changes ?? [])
    }

    /// Deletes the source's records before the first page of a run that replaces them.
    private func replace(_ table: RecordTable, run: Int64) throws {
        let hasPages = try database.integer("SELECT EXISTS (SELECT 1 FROM crawl_pages WHERE run = ?1)", SQLValue(run))
        guard hasPages == 0 else { return }
        try table.deleteAll()
        try PageCache(database: database).forgetAll(of: table.source.name)
        stored[table.source.name] = 0
        KillPoint.recordsReplaced.pass()
    }

    /// A page counts as kept only if all that it holds is stored: "not modified" must mean "nothing to do".
    private func storeCache(_ submission: PageSubmission, counts: PageCounts) throws {
        guard let page = submission.page.cache else { return }
        let cache = PageCache(database: database)
        let source = submission.writer.source.name
        if counts.surplus == 0, counts.rejected == 0 {
            try cache.keep(page, source: source, run: submission.writer.run)
        } else {
            try cache.forget(page.url, source: source)
        }
    }

    private func storeReject(_ reject: RejectedRecord, page: Int64) throws {
        try database.run(
            "INSERT INTO crawl_rejects (page, position, reason, payload) VALUES (?1, ?2, ?3, ?4)", SQLValue(page),
            SQLValue(reject.position), SQLValue(reject.reason), .bytes(reject.payload))
        KillPoint.rejectStored.pass()
    }

    private func storeLedgerRow(_ submission: PageSubmission, page: Int64, counts: PageCounts) throws {
        let fetched = submission.page
        try database.run(
            """
            INSERT INTO crawl_pages (id, run, seq, url, status, attempts, bytes,
                received, new, duplicate, updated, rejected, surplus, cursor, fetched_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """, SQLValue(page), SQLValue(submission.writer.run), SQLValue(fetched.sequence), SQLValue(fetched.url),
            SQLValue(fetched.status), SQLValue(fetched.attempts), SQLValue(fetched.bytes), SQLValue(counts.received),
            SQLValue(counts.new), SQLValue(counts.duplicate), SQLValue(counts.updated), SQLValue(counts.rejected),
            SQLValue(counts.surplus), SQLValue(fetched.cursor), SQLValue(fetched.fetchedAt))
    }
}
