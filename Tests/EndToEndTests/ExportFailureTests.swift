import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("crawl export that fails", .fewAtOnce)
struct ExportFailureTests {
    private static func filled(_ count: Int = 30) async throws -> Scene {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "\(count)", "--page-size", "100")
        #expect(result.exitCode == 0, "\(result)")
        return scene
    }

    @Test("a reader that has enough ends it without a word", arguments: ["csv", "tsv", "json", "ndjson"])
    func closedPipe(_ format: String) async throws {
        let scene = try await Self.filled(1000)
        let result = try await scene.shell(
            "{ \"$CRAWL\" export users --format \(format) -o -; echo $? > code; } | head -n 1")
        #expect(result.output.split(separator: "\n").count == 1, "\(result)")
        #expect(result.errors == "", "\(result)")
        #expect(scene.contents("code") == "141\n")
    }

    @Test(
        "an existing file stays whole when the disk is full, and nothing is left behind",
        .disabled(if: Sanitizer.isWatchingThreads, "the sanitizer itself cannot start under the limit"),
        arguments: ["csv", "json"])
    func full(_ format: String) async throws {
        let scene = try await Self.filled(1000)
        try scene.write(Array("the old file\n".utf8), to: "output/users.\(format)")
        let before = scene.names()
        let result = try await scene.crawl(
            ["export", "users", "--format", format], shellPrefix: "ulimit -f 64")
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("output/users.\(format) cannot be written"), "\(result)")
        #expect(result.errors.contains("The database is unharmed"))
        #expect(scene.contents("output/users.\(format)") == "the old file\n")
        #expect(scene.names() == before)
        try await scene.expectUsers(1000)
        #expect(try await scene.crawl("export", "users", "--format", format).exitCode == 0)
        #expect(scene.contents("output/users.\(format)").count > 300_000)
    }

    @Test(
        "a full disk behind stdout is an error too",
        .disabled(if: Sanitizer.isWatchingThreads, "the sanitizer itself cannot start under the limit"))
    func fullOutput() async throws {
        let scene = try await Self.filled(1000)
        let result = try await scene.crawl(["export", "users", "-o", "-"], shellPrefix: "ulimit -f 64")
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.hasPrefix("Error: "))
        let device = try await scene.crawl("export", "users", "-o", "/dev/full")
        #expect(device.exitCode == 74, "\(device)")
    }

    struct Wrong: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var exitCode: Int32
        var says: [String]
    }

    static let wrong = [
        Wrong(
            testDescription: "unknown source with a near miss", arguments: ["usres"], exitCode: 64,
            says: ["'usres'", "Did you mean 'users'?"]),
        Wrong(
            testDescription: "a source that nobody crawled", arguments: ["posts"], exitCode: 64,
            says: ["'posts'", "users"]),
        Wrong(
            testDescription: "the ledger is no source", arguments: ["crawl_runs"], exitCode: 64, says: ["'crawl_runs'"]),
        Wrong(
            testDescription: "unknown column with a near miss", arguments: ["users", "--columns", "uid,emial"],
            exitCode: 64, says: ["'emial'", "Did you mean 'email'?", "first_name"]),
        Wrong(
            testDescription: "no column", arguments: ["users", "--columns", ""], exitCode: 64, says: ["--columns"]),
        Wrong(
            testDescription: "unknown format", arguments: ["users", "--format", "xml"], exitCode: 64,
            says: ["xml", "csv", "ndjson"]),
        Wrong(testDescription: "no name", arguments: [], exitCode: 64, says: ["<name>"]),
        Wrong(
            testDescription: "a folder as file", arguments: ["users", "-o", "folder"], exitCode: 73,
            says: ["folder", "cannot be created", "Choose another file"]),
        Wrong(
            testDescription: "a folder that cannot be made", arguments: ["users", "-o", "file/users.csv"], exitCode: 73,
            says: ["file/users.csv"]),
        Wrong(
            testDescription: "no database", arguments: ["users", "--db", "none.db"], exitCode: 74,
            says: ["There is no database none.db"]),
    ]

    @Test("errors say what is wrong and what to do, and write nothing", arguments: wrong)
    func errors(_ wrong: Wrong) async throws {
        let scene = try await Self.filled()
        try FileManager.default.createDirectory(atPath: scene.folder.file("folder"), withIntermediateDirectories: true)
        try scene.write(Array("a file\n".utf8), to: "file")
        let before = scene.names(in: "") + scene.names()
        let result = try await scene.crawl(["export"] + wrong.arguments)
        #expect(result.exitCode == wrong.exitCode, "\(result)")
        #expect(result.output == "")
        #expect(result.errors.hasPrefix("Error: "), "\(result)")
        for part in wrong.says {
            #expect(result.errors.contains(part), "the error does not say '\(part)': \(result)")
        }
        #expect(scene.names(in: "") + scene.names() == before)
        #expect(scene.names(in: "folder") == [])
    }

    @Test("a crawl whose export fails has its records, and the repeated command exports them")
    func afterCrawl() async throws {
        let scene = try Scene()
        try scene.write(Array("a file\n".utf8), to: "file")
        let failed = try await scene.crawl("--count", "20", "--csv", "file/users.csv")
        #expect(failed.exitCode == 73, "\(failed)")
        #expect(
            failed.errors.contains("file/users.csv cannot be created") && !failed.errors.contains(" -o"), "\(failed)")
        try await scene.expectUsers(20)
        let requests = scene.requests.count
        let again = try await scene.crawl("--count", "20", "--csv", "users.csv")
        #expect(again.exitCode == 0, "\(again)")
        #expect(scene.contents("users.csv").split(separator: "\n").count == 21)
        #expect(scene.requests.count == requests)
    }

    @Test("an export that is stopped leaves the old file as it was, and nothing else", arguments: [SIGINT, SIGTERM])
    func stopped(_ signal: Int32) async throws {
        let scene = try await Self.filled(100)
        try await scene.multiplyUsers(by: 1000)
        try scene.write(Array("the old file\n".utf8), to: "output/users.csv")
        let before = scene.names()
        let program = try scene.start("export", "users")
        let result = await program.end(by: signal, when: { scene.names().count > before.count })
        #expect(result.exitCode == 128 + signal, "\(result)")
        #expect(scene.contents("output/users.csv") == "the old file\n")
        #expect(scene.names() == before)
    }
}
