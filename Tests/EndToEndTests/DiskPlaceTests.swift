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
            let result = try await scene.start(["--count", count, "--db", place.path]).end(within: 30)
            #expect(result.exitCode == place.exitCode, "\(result)")
            #expect(place.says.isEmpty || result.errors.contains(place.says), "\(result)")
            if place.exitCode != 0 {
                #expect(result.errors.contains("--db"), "\(result)")
                #expect(scene.requests.isEmpty)
            }
        }
        for arguments in [["status"], ["verify"], ["list", "users"], ["export", "users", "-o", "-"]] {
            let result = try await scene.start(arguments + ["--db", place.path]).end(within: 30)
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
        #expect(await Program.wait { !scene.names(in: "exports").isEmpty })
        #expect(try await scene.shell("kill -STOP \(program.processIdentifier)").exitCode == 0)
        let wasAtWork = !scene.exists("exports/users.csv")
        #expect(try await scene.shell("rm -r exports; kill -CONT \(program.processIdentifier)").exitCode == 0)
        let result = await program.end()
        if wasAtWork {
            #expect(result.exitCode == 73, "\(result)")
            #expect(result.errors.contains("exports/users.csv"), "\(result)")
            #expect(!scene.exists("exports"))
        }
    }

    @Test("a reader that never ends keeps nothing from a crawl")
    func endlessReader() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "10").exitCode == 0)
        let reader = try Program(
            "/usr/bin/sqlite3",
            [
                scene.database, "BEGIN", "SELECT count(*) FROM users",
                ".shell touch reading; n=0; while [ ! -e read ] && [ $n -lt 3000 ]; do sleep 0.02; n=$((n+1)); done",
                "SELECT count(*) FROM users", "ROLLBACK",
            ], workingFolder: scene.folder.path)
        #expect(await Program.wait { scene.exists("reading") })
        let result = try await scene.crawl("--count", "3000", "--page-size", "100")
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.seconds < 20)
        try await scene.expectUsers(3000)
        try scene.write([], to: "read")
        let read = await reader.end()
        #expect(read.output == "10\n10\n", "it sees one state: \(read)")
        #expect(try await scene.crawl("--count", "3010").exitCode == 0)
        try await scene.expectUsers(3010)
    }
}
