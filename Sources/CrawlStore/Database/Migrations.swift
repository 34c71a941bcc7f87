/// How the database came to look as it does: a list to which steps are only ever added.
///
/// `PRAGMA user_version` counts the steps that a database has behind it.
enum Migrations {
    struct Migration: Sendable {
        let name: String
        let sql: String
    }

    static let all = [
        Migration(name: "Runs, ledger, rejects, hosts and columns", sql: ledger),
        Migration(name: "Cache of pages", sql: cache),
    ]

    /// Brings the database up to date; each step is one transaction.
    ///
    /// - Throws: `StoreError`.
    static func run(on database: Database) throws {
        while try database.integer("PRAGMA user_version") ?? 0 < all.count {
            try database.transaction {
                // Only the count within the transaction is certain.
                let done = Int(try database.integer("PRAGMA user_version") ?? 0)
                guard done < all.count else { return }
                try database.execute(all[done].sql)
                KillPoint.migrationApplied.pass()
                try database.execute("PRAGMA user_version = \(done + 1)")
                KillPoint.migrationNumbered.pass()
            }
        }
    }

    private static let ledger = """
        CREATE TABLE crawl_runs (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            endpoint TEXT NOT NULL,
            target INTEGER,
            options TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('running', 'complete', 'interrupted', 'failed')),
            started_at TEXT NOT NULL,
            ended_at TEXT,
            reason TEXT
        ) STRICT;
        CREATE INDEX crawl_runs_by_source ON crawl_runs (source);
        CREATE TABLE crawl_pages (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES crawl_runs (id),
            seq INTEGER NOT NULL,
            url TEXT NOT NULL,
            status INTEGER NOT NULL,
            attempts INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            received INTEGER NOT NULL,
            new INTEGER NOT NULL,
            duplicate INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            rejected INTEGER NOT NULL,
            surplus INTEGER NOT NULL,
            cursor TEXT,
            fetched_at TEXT NOT NULL
        ) STRICT;
        CREATE UNIQUE INDEX crawl_pages_by_run ON crawl_pages (run, seq);
        CREATE TABLE crawl_rejects (
            page INTEGER NOT NULL REFERENCES crawl_pages (id),
            position INTEGER NOT NULL,
            reason TEXT NOT NULL,
            payload BLOB NOT NULL
        ) STRICT;
        CREATE INDEX crawl_rejects_by_page ON crawl_rejects (page);
        CREATE TABLE crawl_hosts (
            host TEXT PRIMARY KEY NOT NULL,
            not_before TEXT NOT NULL
        ) STRICT;
        CREATE TABLE crawl_columns (
            source TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            PRIMARY KEY (source, name)
        ) STRICT;
        """

    private static let cache = """
        CREATE TABLE crawl_cache (
            source TEXT NOT NULL,
            url TEXT NOT NULL,
            run INTEGER NOT NULL REFERENCES crawl_runs (id),
            etag TEXT,
            last_modified TEXT,
            fresh_until TEXT,
            definition TEXT NOT NULL,
            received INTEGER NOT NULL,
            next TEXT,
            total INTEGER,
            pages INTEGER,
            more INTEGER,
            fingerprint INTEGER,
            PRIMARY KEY (source, url)
        ) STRICT;
        """
}
