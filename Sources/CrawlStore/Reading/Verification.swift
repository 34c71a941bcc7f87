import CSQLite
import CrawlCore

/// Checks the ledger's promises against the tables, and the file against SQLite's rules.
struct Verification {
    let database: Database

    /// The most sentences about one kind of problem.
    private static let limit = 20

    /// The problems as whole sentences; none where everything is right.
    ///
    /// What the damage of a file makes impossible to read becomes a problem as well.
    func problems() throws -> [String] {
        var problems: [String] = []
        for check in [schema, ledger, tables, file] {
            do {
                problems += try database.snapshot(check)
            } catch let error as StoreError where [SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR].contains(error.code) {
                problems.append("The database \(database.path) is damaged: \(error.message).")
            } catch let error as StoreError where error.code == SQLITE_ERROR {
                // What is known to be different by now need not be said again in SQLite's words.
                guard problems.isEmpty else { continue }
                problems.append("The database \(database.path) cannot be checked: \(error.message).")
            }
        }
        var seen: Set<String> = []
        return problems.filter { seen.insert($0).inserted }
    }

    private func schema() throws -> [String] {
        try SchemaCheck(database: database).differences()
    }

    // MARK: - The ledger in itself

    private func ledger() throws -> [String] {
        var problems: [String] = []
        problems += try find(
            """
            SELECT id, run, seq, received, new, duplicate, updated, rejected, surplus FROM crawl_pages
            WHERE received <> new + duplicate + updated + rejected + surplus
                OR min(received, new, duplicate, updated, rejected, surplus, bytes) < 0 OR attempts < 1
            """
        ) { row in
            "Page \(row.integer(0)) (run \(row.integer(1)), number \(row.integer(2))) does not balance: received "
                + "\(row.integer(3)), but \(row.integer(4)) new + \(row.integer(5)) duplicate + \(row.integer(6)) updated"
                + " + \(row.integer(7)) rejected + \(row.integer(8)) surplus."
        }
        problems += try find("SELECT run, seq, count(*) FROM crawl_pages GROUP BY run, seq HAVING count(*) > 1") {
            row in
            "Run \(row.integer(0)) has \(row.integer(2)) pages with the number \(row.integer(1))."
        }
        problems += try find(
            "SELECT id, run FROM crawl_pages WHERE run NOT IN (SELECT id FROM crawl_runs)"
        ) { "Page \($0.integer(0)) belongs to run \($0.integer(1)), which is not in crawl_runs." }
        problems += try find(
            """
            SELECT id, run, rejected, stored FROM (SELECT id, run, rejected,
                (SELECT count(*) FROM crawl_rejects WHERE page = crawl_pages.id) AS stored FROM crawl_pages)
            WHERE rejected <> stored
            """
        ) { row in
            "Page \(row.integer(0)) (run \(row.integer(1))) rejected \(row.integer(2)) records, "
                + "but \(row.integer(3)) of them stand in crawl_rejects."
        }
        problems += try find(
            "SELECT page, count(*) FROM crawl_rejects WHERE page NOT IN (SELECT id FROM crawl_pages) GROUP BY page"
        ) { "\($0.integer(1)) records in crawl_rejects belong to page \($0.integer(0)), which is not in the ledger." }
        problems += try find(
            """
            SELECT id, state FROM crawl_runs WHERE state NOT IN ('running', 'complete', 'interrupted', 'failed')
                OR (state = 'running') <> (ended_at IS NULL)
            """
        ) { "Run \($0.integer(0)) has the state \($0.text(1) ?? "NULL"), which does not go with its end." }
        return problems
    }

    // MARK: - The ledger against the tables

    private func tables() throws -> [String] {
        try Ledger(database: database).sources().flatMap(table)
    }

    private func table(of source: String) throws -> [String] {
        let pages = try database.rows(
            """
            SELECT crawl_pages.id, run, new FROM crawl_pages JOIN crawl_runs ON crawl_runs.id = run
            WHERE source = ?1 ORDER BY crawl_pages.id
            """, SQLValue(source)
        ) { (page: $0.integer(0), run: $0.integer(1), new: Int($0.integer(2))) }
        let exists = try database.integer(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)", SQLValue(source))
        guard exists == 1 else {
            return pages.isEmpty ? [] : ["The table of the source \(source) is missing."]
        }
        var rows = try rowsByPage(of: source)
        let start = try Ledger(database: database).firstPage(of: source)
        var problems: [String] = []
        var expected = 0
        for page in pages {
            let found = rows.removeValue(forKey: page.page) ?? 0
            let new = page.page < start ? 0 : page.new
            expected += new
            guard found != new else { continue }
            let why = page.page < start ? "was replaced by a later run" : "brought \(page.new) new records"
            problems.append(
                "Page \(page.page) (run \(page.run)) of \(source) \(why), but \(found) of its records stand in the table."
            )
        }
        for (page, count) in rows.sorted(by: { $0.key < $1.key }) {
            problems.append("\(count) records of \(source) come from page \(page), which is not in the ledger.")
        }
        problems = Self.cut(problems)
        let count = try RecordTable.count(of: source, in: database)
        if count != expected {
            problems.append("The table \(source) holds \(count) records, but its pages brought \(expected).")
        }
        return problems
    }

    /// How many records each page brought.
    ///
    /// Records of one page lie together: most of a million rows need no look into the dictionary.
    private func rowsByPage(of source: String) throws -> [Int64: Int] {
        var rows: [Int64: Int] = [:]
        let statement = try Statement("SELECT page FROM \(SQLName.quoted(source)) NOT INDEXED", on: database.connection)
        var last: Int64?
        var count = 0
        while try statement.step() {
            let page = statement.integer(0)
            if page != last {
                if let last { rows[last, default: 0] += count }
                last = page
                count = 0
            }
            count += 1
        }
        if let last { rows[last, default: 0] += count }
        return rows
    }

    // MARK: - The file

    private func file() throws -> [String] {
        try database.rows("PRAGMA integrity_check(\(Self.limit))") { $0.text(0) ?? "" }
            .flatMap { $0.split(separator: "\n") }
            .filter { $0 != "ok" && $0 != "*** in database main ***" }
            .map { "The database \(database.path) is damaged: \($0)." }
    }

    // MARK: -

    private func find(_ sql: String, sentence: (Statement) -> String) throws -> [String] {
        try Self.cut(database.rows(sql, row: sentence))
    }

    private static func cut(_ problems: [String]) -> [String] {
        guard problems.count > limit else { return problems }
        return problems.prefix(limit) + ["\(problems.count - limit) more of this kind."]
    }
}
