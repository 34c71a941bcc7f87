import CSQLite
import CrawlCore
import CrawlKit
import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlStore

/// A crawl in the process of the tests whose writes are noted, and what it begins with.
enum PowerLossScenario: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case first = "the first crawl, which makes the database"
    case checkpoints = "a crawl whose log is carried over again and again by another program"
    case fresh = "a fresh crawl over old records"
    case markets = "load markets, in one transaction"
    case migration = "a crawl that migrates an older database"

    var testDescription: String { rawValue }
    var tables: [String] { self == .markets ? ["tickers", "quotes"] : ["users"] }

    func configuration() -> StandInConfiguration {
        var configuration = StandInConfiguration()
        configuration.seed = 11
        configuration.people = 24
        configuration.coins = 20
        configuration.latency = .milliseconds(1)
        return configuration
    }

    /// Fills the database with what there is before.
    func prepare(_ database: String) async throws {
        var configuration = configuration()
        switch self {
        case .first, .checkpoints: return
        case .fresh: configuration.seed = 5
        case .markets: configuration.pricesMove = true
        case .migration: break
        }
        let server = try StandInServer(configuration: configuration)
        defer { server.stop() }
        switch self {
        case .markets: for _ in 0..<2 { try await complete(database, server) }
        default: try await complete(database, server, count: 12)
        }
        if self == .migration {
            _ = StoredRows.query(database, "DROP TABLE crawl_cache")
            _ = StoredRows.query(database, "PRAGMA user_version = 1")
        }
    }

    /// Crawls to the end; a random source may seem exhausted once in some thousand crawls and then goes on.
    func complete(
        _ database: String, _ server: StandInServer, count: Int = 24,
        report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }
    ) async throws {
        var options = CrawlOptions(count: count)
        options.database = database
        options.pageSize = .records(2)
        options.lanes = 3
        options.startsFresh = self == .fresh && count == 24
        for (name, path) in StandInAPI.paths { options.endpoints[name] = server.baseURL + path }
        if self == .markets {
            try await BulkLoad([.markets], options: options).complete(report: report)
            return
        }
        for attempt in 1...3 {
            let summary = await Crawl(.users, options: options).run(report: report)
            if summary.error == nil { return }
            if attempt == 3 || summary.error?.exitCode != .fewer { try summary.completed() }
        }
    }

    /// Crawls once and notes what is written.
    func record(_ folder: TemporaryFolder, _ server: StandInServer) async throws -> WriteLog {
        let database = folder.file("crawl.db")
        let log = WriteLog()
        if !FileManager.default.fileExists(atPath: database) { log.append(.made("crawl.db")) }
        RecordingFileSystem.record(folder.path, in: log)
        defer { RecordingFileSystem.stop(folder.path) }
        try await complete(database, server) { event in
            guard case .page(let page) = event else { return }
            log.append(.reported(page.source, page.stored))
            if self == .checkpoints, page.sequence.isMultiple(of: 3) {
                _ = StoredRows.query(database, "PRAGMA wal_checkpoint(PASSIVE)")
            }
        }
        return log
    }
}

extension CrawlEvent.Summary {
    /// Throws what went wrong.
    fileprivate func completed() throws {
        if let error { throw error }
    }
}
