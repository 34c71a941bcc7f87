/// One crawl by the program itself into a fresh database.
struct Crawl {
    let users: Int
    var lanes = 4
    var pageSize = 100

    /// The database that the crawl fills, in the scratch folder.
    static let database = "crawl.db"

    /// Crawls and looks at what was stored.
    ///
    /// - Throws: `BenchFailure` where the crawl fails or does not store exactly `users` rows.
    func measurement(
        _ programs: Programs, url: String, scratch: ScratchFolder, stored: inout [StoredTable]
    ) throws -> Measurement {
        scratch.empty()
        let database = scratch.file(Self.database)
        let errors = scratch.file("crawl-errors")
        let process = try ChildProcess(
            programs.crawl,
            [
                "--source", "users", "--count", String(users), "--page-size", String(pageSize), "--concurrency",
                String(lanes), "--endpoint", "users=\(url)", "--db", database,
            ], errors: errors)
        let measurement = try process.measurement(errors: errors)
        let table = try StoredTable("users", in: database)
        guard table.rows == users else { throw BenchFailure("crawl stored \(table.rows) of \(users) users") }
        stored.append(table)
        return measurement
    }
}
