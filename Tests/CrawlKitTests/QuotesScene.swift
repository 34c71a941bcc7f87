import CrawlCore
import CrawlStore
import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlKit

/// A database and a stand-in that plays quotes, with every request and event noted.
final class QuotesScene: Sendable {
    let folder: TemporaryFolder
    let server: StandInServer
    private let noted: Noted

    private final class Noted: Sendable {
        let requests = Locked<[StandInRequestRecord]>([])
        let events = Locked<[CrawlEvent]>([])
    }

    init(_ configure: (inout StandInConfiguration) -> Void = { _ in }) throws {
        folder = try TemporaryFolder()
        let noted = Noted()
        var configuration = StandInConfiguration()
        configuration.seed = 11
        configure(&configuration)
        configuration.requestLog = { record in noted.requests.withLock { $0.append(record) } }
        server = try StandInServer(configuration: configuration)
        self.noted = noted
    }

    deinit {
        server.stop()
    }

    /// The sources' names of the requests so far: `cookie`, `crumb`, `quotes`, `chart`, or the path.
    var requests: [String] {
        noted.requests.withLock { $0 }.map { record in
            switch record.target.prefix(while: { $0 != "?" }) {
            case "/cookie": "cookie"
            case "/v1/test/getcrumb": "crumb"
            case "/v7/finance/quote": "quotes"
            case let path where path.hasPrefix("/v8/finance/chart/"): "chart"
            case let path: String(path)
            }
        }
    }

    var targets: [String] { noted.requests.withLock { $0 }.map(\.target) }
    var events: [CrawlEvent] { noted.events.withLock { $0 } }
    var notices: [String] {
        events.compactMap { if case .notice(let notice) = $0 { notice.message } else { nil } }
    }

    /// Options that point all addresses of quotes at the server, but for those that are named here.
    func options(without names: Set<String> = []) -> CrawlOptions {
        var options = CrawlOptions()
        options.database = folder.file("crawl.db")
        options.retries = 1
        options.environment = [:]
        for name in ["quotes", "quotes.cookie", "quotes.crumb", "quotes.fallback"] where !names.contains(name) {
            options.endpoints[name] = server.url(of: name)
        }
        return options
    }

    @discardableResult
    func crawl(_ options: CrawlOptions? = nil, hasFallback: Bool = true) async throws -> CrawlEvent.Summary {
        var source = try #require(try BuiltInSources.source(named: "quotes"))
        if !hasFallback { source.fallback = nil }
        let noted = noted
        return await Crawl(source, options: options ?? self.options()).run { event in
            noted.events.withLock { $0.append(event) }
        }
    }

    /// The answer of the sqlite3 shell.
    func query(_ sql: String) async throws -> String {
        let program = try Program(
            "/usr/bin/sqlite3", ["-readonly", folder.file("crawl.db"), sql], workingFolder: folder.path)
        let result = await program.end()
        return result.output.trimmingCharacters(in: .newlines) + result.errors
    }

    /// Every byte of the database's files as text.
    func databaseBytes() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.map { name in
            String(decoding: FileManager.default.contents(atPath: folder.file(name)) ?? Data(), as: UTF8.self)
        }.joined()
    }

    /// The ledger's problems.
    func verify() async throws -> [String] {
        let reader = try await StoreReader.open(path: folder.file("crawl.db"))
        let problems = try await reader.verify()
        await reader.close()
        return problems
    }
}
