import Foundation
import StandInAPI
import Synchronization
import TestSupport

/// A user's folder with a database, and a stand-in server that the built program crawls.
final class Scene: Sendable {
    let folder: TemporaryFolder
    let server: StandInServer
    private let log: RequestLog

    /// The requests that the server saw.
    final class RequestLog: Sendable {
        private let records = Mutex<[StandInRequestRecord]>([])
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

    /// Starts `crawl` in the user's folder, pointed at the server.
    func start(
        _ arguments: String..., environment: [String: String] = [:], shellPrefix: String? = nil
    ) throws -> Program {
        var variables = ["CRAWL_ENDPOINT_USERS": usersURL]
        variables.merge(environment) { $1 }
        return try Program(
            Program.built("crawl"), arguments, environment: variables, workingFolder: folder.path,
            shellPrefix: shellPrefix)
    }

    /// Runs `crawl` to its end.
    func crawl(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Result {
        var variables = ["CRAWL_ENDPOINT_USERS": usersURL]
        variables.merge(environment) { $1 }
        let program = try Program(
            Program.built("crawl"), arguments, environment: variables, workingFolder: folder.path)
        return await program.end()
    }

    /// The answer of the sqlite3 shell, as any other tool would see the database.
    func query(_ sql: String, database: String? = nil) async throws -> String {
        let program = try Program(
            "/usr/bin/sqlite3", ["-readonly", database ?? self.database, sql], workingFolder: folder.path)
        let result = await program.end()
        return result.output.trimmingCharacters(in: .newlines) + result.errors
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.file(name))
    }

    func contents(_ name: String) -> String {
        String(decoding: FileManager.default.contents(atPath: folder.file(name)) ?? Data(), as: UTF8.self)
    }
}
