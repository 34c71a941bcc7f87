/// What is crawled into a fresh database, by the program and by the floor alike.
struct Workload {
    /// The sources that the page server has pages of.
    enum Source: String {
        case users, posts
    }

    let source: Source
    let count: Int
    var lanes = 4
    var pageSize = 100

    /// The name of the database that a crawl fills, in the scratch folder.
    static let database = "crawl.db"

    /// Runs the program and looks at what it stored.
    ///
    /// - Throws: `BenchFailure` where it fails or does not store exactly `count` rows.
    func measureCrawl(
        _ programs: Programs, _ server: PageServer, _ scratch: ScratchFolder
    ) throws -> (measurement: Measurement, table: StoredTable) {
        let how = ["--page-size", String(pageSize), "--concurrency", String(lanes)]
        let what =
            switch source {
            case .users: ["--source", "users", "--count", String(count)]
            case .posts: ["load", "posts"]
            }
        return try measure(
            programs.crawl, what + how + ["--endpoint", "\(source)=\(server.url(of: source))", "--db"],
            database: Self.database, scratch)
    }

    /// Runs the floor and looks at what it stored.
    ///
    /// - Throws: `BenchFailure` where it fails or does not store exactly `count` rows.
    func measureFloor(
        _ programs: Programs, _ server: PageServer, _ scratch: ScratchFolder
    ) throws -> (measurement: Measurement, table: StoredTable) {
        let what = [FloorProcess.name, "--source", source.rawValue, "--count", String(count)]
        let how = ["--page-size", String(pageSize), "--lanes", String(lanes), "--url", server.url(of: source), "--db"]
        return try measure(programs.bench, what + how, database: "floor.db", scratch)
    }

    private func measure(
        _ program: String, _ arguments: [String], database: String, _ scratch: ScratchFolder
    ) throws -> (measurement: Measurement, table: StoredTable) {
        scratch.empty()
        let database = scratch.file(database)
        let errors = scratch.file("errors")
        let measurement = try ChildProcess(program, arguments + [database], errors: errors).measurement(errors: errors)
        let table = try StoredTable(source.rawValue, in: database)
        guard table.rows == count else {
            throw BenchFailure("\(program) stored \(table.rows) of \(count) \(source)")
        }
        return (measurement, table)
    }
}
