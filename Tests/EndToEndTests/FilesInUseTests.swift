import TestSupport
import Testing

@Suite("An output in the place of a file that is needed", .fewAtOnce)
struct FilesInUseTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// Shell lines that come before, in the folder that holds `output/crawl.db`.
        var setting = ":"
        var file: String
        var says: String
        var testDescription: String { "\(setting); \(file)" }
    }

    static let cases = [
        Case(file: "output/crawl.db", says: "it is the database itself"),
        Case(file: "./output/../output/crawl.db", says: "it is the database itself"),
        Case(setting: "ln -s output/crawl.db users.csv", file: "users.csv", says: "it is the database itself"),
        Case(setting: "ln output/crawl.db users.csv", file: "users.csv", says: "it is the database itself"),
        Case(setting: "ln -s output o", file: "o/crawl.db", says: "it is the database itself"),
        Case(file: "output/crawl.db-wal", says: "it is a part of the database"),
        Case(file: "output/crawl.db-shm", says: "it is a part of the database"),
        Case(file: "output/crawl.db-journal", says: "it is a part of the database"),
        Case(setting: "ln -s output o", file: "o/crawl.db-wal", says: "it is a part of the database"),
        Case(setting: "cp output/crawl.db other.db", file: "other.db", says: "it is a SQLite database"),
        Case(
            setting: "sqlite3 foreign.sqlite 'CREATE TABLE a (b)'", file: "foreign.sqlite",
            says: "it is a SQLite database"),
        Case(setting: "printf '\\067\\177\\006\\202 and so on' > log", file: "log", says: "belongs to one"),
        Case(setting: "printf '\\331\\325\\005\\371 \\241c\\327 and so on' > log", file: "log", says: "belongs to one"),
        Case(setting: "cp output/crawl.db o.db; echo > o.db-wal", file: "o.db-wal", says: "belongs to one"),
        Case(setting: "cp output/crawl.db o.db", file: "o.db-journal", says: "belongs to one"),
        Case(setting: "cp output/crawl.db o.db; ln -s . d", file: "d/o.db-shm", says: "belongs to one"),
    ]

    @Test("export and --csv refuse it, exit 73, and every byte stays", arguments: cases)
    func refused(_ row: Case) async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "20").exitCode == 0)
        #expect(try await scene.shell(row.setting).exitCode == 0)
        let state = "find . -type f -not -name code | sort | xargs sha256sum"
        let before = try await scene.shell(state).output
        for arguments in [
            ["export", "users", "-o", row.file], ["export", "users", "--format", "json", "-o", row.file],
            ["--count", "20", "--csv", row.file],
        ] {
            let result = try await scene.crawl(arguments)
            #expect(result.exitCode == 73, "\(result)")
            #expect(result.errors.contains(row.says) && result.errors.contains(row.file), "\(result)")
            #expect(result.errors.contains("Choose another file"), "\(result)")
        }
        #expect(try await scene.shell(state).output == before)
        try await scene.expectUsers(20)
    }

    @Test("also before the database exists, when nothing is asked for and nothing made", arguments: ["n.db", "./n.db"])
    func newDatabase(_ file: String) async throws {
        let scene = try Scene()
        for arguments in [["--count", "20"], ["load", "posts"]] {
            let result = try await scene.crawl(
                arguments + ["--db", "n.db", "--csv", file], environment: scene.everywhere)
            #expect(result.exitCode == 73, "\(result)")
            #expect(result.errors.contains("it is the database itself"), "\(result)")
        }
        #expect(scene.names(in: "") == [])
        #expect(scene.requests.isEmpty)
    }

    @Test("a source file is not overwritten by its own records")
    func sourceFile() async throws {
        let scene = try PaginationTests.scene(.named("list"))
        let text = scene.contents("things.json")
        for arguments in [["--source", "./things.json", "--count", "30"], ["load", "things.json"]] {
            let result = try await scene.crawl(arguments + ["--csv", "./things.json"])
            #expect(result.exitCode == 73, "\(result)")
            #expect(result.errors.contains("it is the source file"), "\(result)")
        }
        #expect(scene.contents("things.json") == text)
        #expect(scene.requests.isEmpty)
    }
}
