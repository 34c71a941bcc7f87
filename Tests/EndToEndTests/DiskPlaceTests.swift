import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Places that are odd, or go away", .fewAtOnce)
struct DiskPlaceTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The shell line that makes it.
        var make: String
        var path: String
        var exitCode: Int32
        var says = ""
    }

    static let places = [
        Place(testDescription: "a FIFO", make: "mkfifo fifo", path: "fifo", exitCode: 74, says: "no ordinary file"),
        Place(testDescription: "/dev/full", make: ":", path: "/dev/full", exitCode: 74, says: "no ordinary file"),
        Place(
            testDescription: "a dangling link leads to a new database", make: "ln -s real.db link.db", path: "link.db",
            exitCode: 0),
        Place(
            testDescription: "a link to another folder", make: "mkdir far; ln -s far/real.db link.db",
            path: "link.db", exitCode: 0),
        Place(
            testDescription: "a link to a file that is no database",
            make: "echo my notes of many years > notes.txt; ln -s notes.txt link.db", path: "link.db", exitCode: 74,
            says: "link.db is not a SQLite database"),
        Place(
            testDescription: "links in a circle", make: "ln -s a.db b.db; ln -s b.db a.db", path: "a.db", exitCode: 73,
            says: "symbolic links"),
        Place(
            testDescription: "a name of 247 bytes, which leaves room for -journal", make: ":",
            path: String(repeating: "n", count: 244) + ".db", exitCode: 0),
        Place(
            testDescription: "a name that is too long", make: ":", path: String(repeating: "n", count: 300) + ".db",
            exitCode: 73, says: "File name too long"),
        Place(
            testDescription: "a name that leaves no room for -journal", make: ":",
            path: String(repeating: "n", count: 252) + ".db", exitCode: 74,
            says: "File name too long"),
        Place(testDescription: "a line break in the name", make: ":", path: "two\nlines.db", exitCode: 0),
        Place(testDescription: "an empty name", make: ":", path: "", exitCode: 64, says: "must not be empty"),
    ]

    @Test("a place works, or is refused with its name and the reason, and nothing is asked", arguments: places)
    func place(_ place: Place) async throws {
        let scene = try Scene()
        #expect(try await scene.shell(place.make).exitCode == 0)
        for count in ["4", "6"] {
            let result = try await scene.start(["--count", count, "--db", place.path]).end()
            #expect(result.exitCode == place.exitCode, "\(result)")
            #expect(place.says.isEmpty || result.errors.contains(place.says), "\(result)")
            if place.exitCode != 0 {
                #expect(result.errors.contains("--db"), "\(result)")
                #expect(scene.requests.isEmpty)
            }
        }
        for arguments in [["status"], ["verify"], ["list", "users"], ["export", "users", "-o", "-"]] {
            let result = try await scene.start(arguments + ["--db", place.path]).end()
            let expected: Int32 = [0, 64].contains(place.exitCode) ? place.exitCode : 74
            #expect(result.exitCode == expected, "\(arguments): \(result)")
        }
    }

    static let vanishing = [
        "rm -r output", "mv output elsewhere", "mv output elsewhere && mkdir output",
        "rm output/crawl.db*", "mv output/crawl.db saved.db && cp saved.db output/crawl.db",
    ]

    @Test(
        "a database that vanishes or is replaced in the middle of a crawl: exit 74, and the command begins anew",
        arguments: vanishing)
    func vanishes(_ how: String) async throws {
        let server = try GatedServer.start(free: 5)
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start(GatedServer.arguments(12), environment: Scene.users(at: server.url("/")))
        #expect(await Program.wait { server.requests.count == 6 })
        #expect(try await scene.shell(how).exitCode == 0)
        server.release()
        let result = await program.end()
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("was moved or deleted while the crawl was running"), "\(result)")
        #expect(!result.errors.contains("stored so far") && !result.errors.contains("are stored"), "\(result)")
        let again = try await scene.crawl(GatedServer.arguments(12), environment: Scene.users(at: server.url("/")))
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectUsers(12)
        if how.contains("elsewhere") {
            let old = try await scene.crawl("verify", "--db", "elsewhere/crawl.db")
            #expect(old.exitCode == 0, "\(old)")
        }
    }

    @Test("a folder that vanishes during an export: an error with the file's name, nothing left behind")
    func exportFolder() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "100", "--page-size", "100").exitCode == 0)
        try await scene.multiplyUsers(by: 1500)
        let program = try scene.start("export", "users", "-o", "exports/users.csv")
        // The file has no name until it is whole, so the folder is what can be seen of the work.
        let isAtWork = await program.stop { scene.exists("exports") }
        #expect(isAtWork && !scene.exists("exports/users.csv"))
        #expect(try await scene.shell("rm -r exports").exitCode == 0)
        program.send(SIGCONT)
        let result = await program.end()
        #expect(result.exitCode == 73, "\(result)")
        #expect(result.errors.contains("exports/users.csv"), "\(result)")
        #expect(!scene.exists("exports"))
    }

    @Test("a reader that never ends keeps nothing from a crawl")
    func endlessReader() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "10").exitCode == 0)
        let reader = try Program(
            "/usr/bin/sqlite3",
            [
                scene.database, "BEGIN", "SELECT count(*) FROM users",
                ".shell touch reading; n=0; while [ ! -e read ] && [ $n -lt 12000 ]; do sleep 0.02; n=$((n+1)); done",
                "SELECT count(*) FROM users", "ROLLBACK",
            ], workingFolder: scene.folder.path)
        #expect(await Program.wait { scene.exists("reading") })
        let result = try await scene.crawl("--count", "3000", "--page-size", "100")
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(3000)
        try scene.write([], to: "read")
        let read = await reader.end()
        #expect(read.output == "10\n10\n", "it sees one state: \(read)")
        #expect(try await scene.crawl("--count", "3010").exitCode == 0)
        try await scene.expectUsers(3010)
    }
}

@Suite("Files that nobody may write", .fewAtOnce)
struct DiskPermissionTests {
    /// The tests run as root, who is above permissions: a user without rights, in a folder that everybody may enter.
    private static func crawlAsNobody(_ scene: Scene, _ arguments: [String]) async throws -> Program.Result {
        var words = [try Program.built("crawl")] + arguments
        if geteuid() == 0 {
            words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + words
        }
        return try await Program(
            words[0], Array(words.dropFirst()), environment: ["CRAWL_ENDPOINT_USERS": scene.usersURL],
            workingFolder: scene.folder.path
        ).end()
    }

    private static let canDropRights =
        geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    struct Rights: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var change: String
    }

    static let taken: [Rights] = [
        Rights(testDescription: "the file", change: "chmod 444 output/crawl.db"),
        Rights(testDescription: "the log", change: "chmod 444 output/crawl.db-wal"),
        Rights(testDescription: "the log's index", change: "chmod 444 output/crawl.db-shm"),
        Rights(testDescription: "all three", change: "chmod 444 output/crawl.db*"),
        Rights(testDescription: "nothing may even be read", change: "chmod 000 output/crawl.db*"),
    ]

    @Test(
        "a crawl says what it may not write and changes nothing; with the rights back it completes",
        .enabled(if: canDropRights), arguments: taken)
    func withoutRights(_ rights: Rights) async throws {
        let server = try GatedServer.start(free: 10)
        defer { server.stop() }
        let scene = try Scene()
        let arguments = GatedServer.arguments(20)
        let program = try scene.start(arguments, environment: Scene.users(at: server.url("/")))
        _ = await program.end(by: SIGKILL, when: { server.requests.count == 11 })
        server.release()
        chmod(scene.folder.path, 0o755)
        #expect(try await scene.shell("chmod 777 output; \(rights.change)").exitCode == 0)
        let before = ["", "-wal"].map { scene.bytes("output/crawl.db" + $0) }
        let crawl = try await Self.crawlAsNobody(scene, arguments)
        #expect(crawl.exitCode == 74, "\(crawl)")
        #expect(crawl.errors.contains("output/crawl.db") && crawl.errors.contains("--db"), "\(crawl)")
        for command in [["status"], ["verify"], ["list", "users"], ["export", "users", "-o", "-"]] {
            let result = try await Self.crawlAsNobody(scene, command)
            #expect([0, 74].contains(result.exitCode), "\(command): \(result)")
            #expect(result.exitCode == 0 || result.errors.contains("output/crawl.db"), "\(command): \(result)")
        }
        #expect(["", "-wal"].map { scene.bytes("output/crawl.db" + $0) } == before)
        #expect(try await scene.shell("chmod 666 output/crawl.db*").exitCode == 0)
        let again = try await scene.crawl(arguments, environment: Scene.users(at: server.url("/")))
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectUsers(20)
    }
}
