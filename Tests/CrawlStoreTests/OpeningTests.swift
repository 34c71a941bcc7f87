import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct OpeningTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crawl.db")
    }

    private func listing() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test func missingFileAndFoldersAreMade() async throws {
        let path = folder.file("a/b/crawl.db")
        let store = try await Store.open(path: path)
        #expect(try await store.rows("PRAGMA journal_mode") == ["wal"])
        #expect(try await store.rows("PRAGMA synchronous") == ["2"])
        #expect(try await store.rows("PRAGMA user_version") == ["\(Migrations.all.count)"])
        await store.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")) == ["crawl.db"])
        let header = DatabaseHeader([UInt8](try Data(contentsOf: URL(fileURLWithPath: path)).prefix(200)))
        #expect(header == .ours(version: UInt32(Migrations.all.count)))
    }

    @Test func emptyFileIsTakenAndReopened() async throws {
        try Data().write(to: URL(fileURLWithPath: path))
        for _ in 0..<2 {
            let store = try await Store.open(path: path)
            #expect(try await store.unfinishedRuns().isEmpty)
            await store.close()
        }
    }

    @Test func databaseWithoutTablesIsTaken() async throws {
        let other = OtherProgram(path)
        other.execute("VACUUM")
        let store = try await Store.open(path: path)
        #expect(try await store.unfinishedRuns().isEmpty)
    }

    /// A file that is not ours, and how it comes to be.
    struct Stranger: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let make: @Sendable (String) throws -> Void

        init(_ name: String, _ message: String, make: @escaping @Sendable (String) throws -> Void) {
            testDescription = name
            self.message = message
            self.make = make
        }

        static func sql(_ name: String, _ message: String, _ sql: String) -> Stranger {
            Stranger(name, message) { OtherProgram($0).execute(sql) }
        }

        static let all = [
            Stranger("text", "not a SQLite database") { path in
                try Data(String(repeating: "Dear diary, ", count: 50).utf8).write(to: URL(fileURLWithPath: path))
            },
            Stranger("one byte", "not a SQLite database") { try Data([0x53]).write(to: URL(fileURLWithPath: $0)) },
            Stranger("the magic words alone", "not a SQLite database") {
                try Data("SQLite format 3\0".utf8).write(to: URL(fileURLWithPath: $0))
            },
            .sql("tables of its own", "of another program", "CREATE TABLE diary (entry); INSERT INTO diary VALUES (1)"),
            .sql("a mark of its own", "application_id 7", "PRAGMA application_id = 7"),
            .sql("write-ahead log", "of another program", "PRAGMA journal_mode = WAL; CREATE TABLE diary (entry)"),
            .sql(
                "many tables", "of another program",
                "BEGIN;" + (0..<400).map { "CREATE TABLE diary\($0) (entry, mood, weather, thoughts);" }.joined()
                    + "COMMIT"),
            .sql(
                "newer", "newer version of crawl (format 4711",
                "PRAGMA application_id = \(DatabaseHeader.applicationID); PRAGMA user_version = 4711"),
            Stranger("unwritten log", "of another program") { path in
                // The tables are still in the log, the file itself has none; as after a crash.
                let program = OtherProgram(path + "-original")
                program.execute("PRAGMA journal_mode = WAL; CREATE TABLE diary (entry)")
                try FileManager.default.copyItem(atPath: path + "-original", toPath: path)
                try FileManager.default.copyItem(atPath: path + "-original-wal", toPath: path + "-wal")
            },
        ]
    }

    @Test(arguments: Stranger.all)
    func strangersAreLeftUntouched(_ stranger: Stranger) async throws {
        try stranger.make(path)
        let files = try listing()
        let before = try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))) }
        for _ in 0..<2 {
            let written = await crawlError { try await Store.open(path: path) }
            let read = await crawlError { try await StoreReader.open(path: path) }
            for error in [written, read] {
                #expect(error?.exitCode == .database)
                #expect(error?.message.contains(stranger.message) == true, "\(String(describing: error))")
                #expect(error?.message.contains(path) == true)
            }
        }
        #expect(try listing() == files)
        #expect(try files.map { try Data(contentsOf: URL(fileURLWithPath: folder.file($0))) } == before)
    }

    @Test func foldersAreNoDatabases() async throws {
        let error = await crawlError { try await Store.open(path: folder.path) }
        #expect(error?.exitCode == .database)
        #expect(error?.message.contains("a folder") == true)
    }

    @Test func placeThatCannotBeMade() async throws {
        try Data([1]).write(to: URL(fileURLWithPath: folder.file("file")))
        let error = await crawlError { try await Store.open(path: folder.file("file/crawl.db")) }
        #expect(error?.exitCode == .cannotCreate)
    }

    @Test func readingAMissingDatabaseMakesNothing() async throws {
        let error = await crawlError { try await StoreReader.open(path: path) }
        #expect(error?.exitCode == .database)
        #expect(error?.message.contains(path) == true)
        #expect(error?.remedy?.contains("crawl --count 50") == true)
        #expect(try listing() == [])
        try Data().write(to: URL(fileURLWithPath: path))
        _ = await crawlError { try await StoreReader.open(path: path) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    }

    /// Each format that there ever was, as it stands after so many migrations.
    @Test(arguments: 0..<Migrations.all.count, [true, false])
    func olderDatabaseIsMigrated(version: Int, byReading: Bool) async throws {
        var program: OtherProgram? = OtherProgram(path)
        program?.execute("PRAGMA application_id = \(DatabaseHeader.applicationID)")
        for migration in Migrations.all.prefix(version) { program?.execute(migration.sql) }
        program?.execute("PRAGMA user_version = \(version)")
        if version > 0 {
            program?.execute(
                "INSERT INTO crawl_runs (source, endpoint, options, state, started_at) "
                    + "VALUES ('people', '', '{}', 'failed', '\(time)')")
            if byReading {
                let reader = try await StoreReader.open(path: path)
                #expect(try await reader.runs().count == 1)
            }
        }
        program = nil
        let store = try await Store.open(path: path)
        #expect(try await store.unfinishedRuns().count == min(version, 1))
        #expect(try await store.rows("PRAGMA user_version") == ["\(Migrations.all.count)"])
        let tables = try await store.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")
        #expect(Set(tables).isSuperset(of: ["crawl_runs", "crawl_pages", "crawl_rejects", "crawl_hosts"]))
    }

    @Test func damagedDatabaseIsAnErrorAndStaysAsItIs() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        for sequence in 1...40 {
            try await store.commit(page(sequence, (0..<100).map { person("\(sequence)-\($0)") }), by: writer)
        }
        await store.close()
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data.replaceSubrange(4096..<data.count / 2, with: Data(repeating: 0x5A, count: data.count / 2 - 4096))
        try data.write(to: URL(fileURLWithPath: path))
        let error = await crawlError {
            let reader = try await StoreReader.open(path: path)
            _ = try await reader.export(Export(source: "people"), to: .file(folder.file("people.csv")))
        }
        #expect(error?.exitCode == .database)
        #expect(try listing() == ["crawl.db"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == data)
    }

    /// Nothing is forbidden to root.
    @Test(.enabled(if: geteuid() != 0))
    func databaseThatCannotBeWrittenCanBeRead() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        try await store.commit(page(1, [person("a")]), by: writer)
        await store.close()
        chmod(path, 0o444)
        chmod(folder.path, 0o555)
        defer { chmod(folder.path, 0o755) }
        let reader = try await StoreReader.open(path: path)
        #expect(try await reader.verify() == [])
        #expect(try await reader.storedCounts() == ["people": 1])
        let written = await crawlError { try await Store.open(path: path) }
        #expect(written?.exitCode == .database)
        let made = await crawlError { try await Store.open(path: folder.file("new.db")) }
        #expect(made?.exitCode == .cannotCreate)
        #expect(try listing() == ["crawl.db"])
        chmod(path, 0o644)
        // The folder has no place for the write-ahead log.
        let logged = await crawlError { try await Store.open(path: path) }
        #expect(logged?.exitCode == .database)
        #expect(logged?.remedy?.contains("folder") == true)
        #expect(try listing() == ["crawl.db"])
    }

    @Test func databaseIsReadWithoutAnyFileBesideIt() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        try await store.commit(page(1, [person("a")]), by: writer)
        await store.close()
        let file = try DatabaseFile(path: path, flags: O_RDONLY)
        let database = try Database(file, immutable: true)
        #expect(try database.joinedRows("SELECT uid FROM people") == ["a"])
        #expect(try listing() == ["crawl.db"])
    }

    /// A process was killed in its first transaction, which set the mark.
    @Test func readingAHalfBornDatabase() async throws {
        let program = OtherProgram(path)
        program.execute("PRAGMA application_id = \(DatabaseHeader.applicationID)")
        let error = await crawlError { try await StoreReader.open(path: path) }
        #expect(error?.message == "There is no database \(path) yet")
    }
}
