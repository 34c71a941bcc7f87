import CSQLite
import CrawlCore
import CrawlJSON
import Foundation
import Testing

@testable import CrawlStore

/// A source with a column of each type, its key a text.
let people = Source(
    name: "people", url: "http://127.0.0.1/people", pagination: .repeat(sizeParameter: "size", maxSize: 100),
    key: ["uid"],
    columns: [
        Column("uid", .text, isRequired: true), Column("age", .integer), Column("height", .real),
        Column("active", .boolean), Column("tags", .json),
    ])

let time = "2026-11-30T08:05:06.000Z"

/// A person; what is left out is absent.
func person(
    _ uid: String, age: CellValue = .absent, height: CellValue = .absent, active: CellValue = .absent,
    tags: CellValue = .absent, extra: CellValue = .absent
) -> [CellValue] {
    [.text(uid), age, height, active, tags, extra]
}

func page(
    _ sequence: Int, _ rows: [[CellValue]], rejects: [RejectedRecord] = [], columns: Int = 6, cursor: String? = nil
) -> FetchedPage {
    FetchedPage(
        sequence: sequence, url: "http://127.0.0.1/people?size=3", status: 200, attempts: 1, bytes: 100,
        batch: RecordBatch(columnCount: columns, rows: rows, rejects: rejects), cursor: cursor, fetchedAt: time)
}

/// Collects what a writer reports.
final class Outcomes: Sendable {
    private let state = Locked<(pages: [CommittedPage], transactions: Int, errors: [CrawlError])>(([], 0, []))

    var pages: [CommittedPage] { state.withLock { $0.pages } }
    var transactions: Int { state.withLock { $0.transactions } }
    var errors: [CrawlError] { state.withLock { $0.errors } }

    func take(_ result: Result<[CommittedPage], CrawlError>) {
        state.withLock { state in
            switch result {
            case .success(let pages):
                state.pages += pages
                state.transactions += 1
            case .failure(let error): state.errors.append(error)
            }
        }
    }
}

extension Store {
    /// A run that begins, and its writer.
    func start(
        _ source: Source = people, target: Int? = nil, fresh: Bool = false, outcomes: Outcomes = Outcomes()
    ) async throws -> RunWriter {
        let run = try await beginRun(
            source: source.name, endpoint: source.url, target: target, options: fresh ? #"{"fresh":true}"# : "{}",
            startedAt: time)
        return try await writer(source: source, run: run.id, target: target, replacing: fresh) { outcomes.take($0) }
    }

    /// Stores pages in one transaction.
    @discardableResult
    func commit(_ pages: FetchedPage..., by writer: RunWriter) async throws -> [CommittedPage] {
        try await commit(pages.map { PageSubmission(writer: writer, page: $0) })
    }

    /// The rows of a query, columns joined by `|`, NULL as `NULL`.
    func rows(_ sql: String) async throws -> [String] {
        try await core.withDatabase { try $0.joinedRows(sql) }
    }

    func execute(_ sql: String) async throws {
        try await core.withDatabase { try $0.execute(sql) }
    }
}

extension Database {
    func joinedRows(_ sql: String) throws -> [String] {
        try rows(sql) { row in
            (0..<sqlite3_column_count(row.handle)).map { row.text($0) ?? "NULL" }.joined(separator: "|")
        }
    }
}

/// Another program's connection.
final class OtherProgram {
    private let handle: OpaquePointer?

    init(_ path: String) {
        var handle: OpaquePointer?
        #expect(sqlite3_open(path, &handle) == SQLITE_OK)
        self.handle = handle
    }

    deinit {
        sqlite3_close(handle)
    }

    func execute(_ sql: String) {
        #expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    }
}

/// Runs a program to its end and returns what it printed.
func output(of program: String, _ arguments: [String]) throws -> Data {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return data
}

/// The error that `body` throws, which must be one for people.
func crawlError<Value>(_ body: () async throws -> Value) async -> CrawlError? {
    do {
        _ = try await body()
        Issue.record("No error was thrown")
    } catch let error as CrawlError {
        #expect(error.remedy != nil, "\(error)")
        return error
    } catch {
        Issue.record("\(error) is no CrawlError")
    }
    return nil
}
