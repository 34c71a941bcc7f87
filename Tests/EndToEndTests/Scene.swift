import CrawlCore
import Foundation
import StandInAPI
import TestSupport
import Testing

/// A user's folder with a database, and a stand-in server that the built program crawls.
final class Scene: Sendable {
    let folder: TemporaryFolder
    let server: StandInServer
    private let log: RequestLog

    /// The requests that the server saw.
    final class RequestLog: Sendable {
        private let records = Locked<[StandInRequestRecord]>([])
        func append(_ record: StandInRequestRecord) { records.withLock { $0.append(record) } }
        var all: [StandInRequestRecord] { records.withLock { $0 } }
    }

    init(_ configure: (inout StandInConfiguration) throws -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        let log = RequestLog()
        var configuration = StandInConfiguration()
        configuration.seed = 7
        try configure(&configuration)
        configuration.requestLog = { log.append($0) }
        server = try StandInServer(configuration: configuration)
        self.log = log
    }

    deinit {
        server.stop()
    }

    var requests: [StandInRequestRecord] { log.all }
    var database: String { folder.file("output/crawl.db") }
    var usersURL: String { server.baseURL + "/api/v2/users" }

    /// The variable that points `crawl` at another server than the scene's.
    static func users(at url: String) -> [String: String?] {
        ["CRAWL_ENDPOINT_USERS": url]
    }

    /// The variables of a machine that reaches nothing beyond itself: the public service is behind a proxy that nobody runs.
    static let outOfReach: [String: String?] = [
        "CRAWL_ENDPOINT_USERS": nil, "https_proxy": "http://127.0.0.1:9", "http_proxy": "http://127.0.0.1:9",
        "no_proxy": "127.0.0.1",
    ]

    /// Starts `crawl` in the user's folder, pointed at the server.
    ///
    /// A variable of nil is taken out of the environment.
    func start(
        _ arguments: [String], environment: [String: String?] = [:], shellPrefix: String? = nil,
        terminal: PseudoTerminal? = nil
    ) throws -> Program {
        var variables: [String: String?] = ["CRAWL_ENDPOINT_USERS": usersURL]
        variables.merge(environment) { $1 }
        return try Program(
            Program.built("crawl"), arguments, environment: variables.compactMapValues { $0 },
            workingFolder: folder.path, shellPrefix: shellPrefix, terminal: terminal)
    }

    func start(_ arguments: String...) throws -> Program {
        try start(arguments)
    }

    /// Runs `crawl` to its end.
    func crawl(
        _ arguments: [String], environment: [String: String?] = [:], shellPrefix: String? = nil
    ) async throws -> Program.Result {
        try await start(arguments, environment: environment, shellPrefix: shellPrefix).end()
    }

    func crawl(_ arguments: String..., environment: [String: String?] = [:]) async throws -> Program.Result {
        try await crawl(arguments, environment: environment)
    }

    /// Runs a shell line in the user's folder, with `crawl` in the variable `CRAWL`.
    func shell(_ line: String) async throws -> Program.Result {
        let variables = ["CRAWL": try Program.built("crawl"), "CRAWL_ENDPOINT_USERS": usersURL]
        return try await Program("/bin/sh", ["-c", line], environment: variables, workingFolder: folder.path).end()
    }

    /// The answer of the sqlite3 shell, as any other tool would see the database.
    func query(_ sql: String, database: String? = nil) async throws -> String {
        let program = try Program(
            "/usr/bin/sqlite3", ["-readonly", database ?? self.database, sql], workingFolder: folder.path)
        let result = await program.end()
        return result.output.trimmingCharacters(in: .newlines) + result.errors
    }

    /// Changes the database with the sqlite3 shell.
    func alter(_ sql: String, database: String? = nil) async throws {
        let result = try await Program(
            "/usr/bin/sqlite3", [database ?? self.database, sql], workingFolder: folder.path
        ).end()
        #expect(result.exitCode == 0, "\(result)")
    }

    /// Adds so many copies of each user, with keys of their own and behind the ledger's back: a large table in no time.
    func multiplyUsers(by copies: Int) async throws {
        let names = FirstCrawlTests.columns.components(separatedBy: ", ").map {
            $0 == "uid" ? "uid || '-' || copy" : $0
        }
        try await alter(
            """
            PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0;
            WITH RECURSIVE copies (copy) AS (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < \(copies))
            INSERT INTO users SELECT \(names.joined(separator: ", ")) FROM copies, users;
            """)
    }

    /// Expects so many users, all distinct, and a database that `crawl verify` finds in order.
    func expectUsers(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let stored = try await query("SELECT count(*), count(DISTINCT uid) FROM users")
        #expect(stored == "\(count)|\(count)", sourceLocation: sourceLocation)
        try await expectVerified(sourceLocation: sourceLocation)
    }

    /// Expects a database that `crawl verify` finds in order.
    func expectVerified(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let verified = try await crawl("verify")
        #expect(verified.exitCode == 0, "\(verified)", sourceLocation: sourceLocation)
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.file(name))
    }

    func contents(_ name: String) -> String {
        String(decoding: bytes(name), as: UTF8.self)
    }

    func bytes(_ name: String) -> Data {
        FileManager.default.contents(atPath: folder.file(name)) ?? Data()
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        let url = URL(fileURLWithPath: folder.file(name))
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }

    /// Writes the source file `things.json` for a scripted server whose records have nothing but a number.
    func writeThings(_ server: ScriptedServer, records: String = "$", pagination: String) throws {
        let source = """
            {"name":"things","url":"\(server.url("/things"))","records":"\(records)","key":"id",
             "columns":{"id":"integer!"},"pagination":{\(pagination)}}
            """
        try write(source.utf8, to: "things.json")
    }

    /// The names in a folder of the user's, hidden ones too.
    func names(in name: String = "output") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.file(name))) ?? []).sorted()
    }
}
