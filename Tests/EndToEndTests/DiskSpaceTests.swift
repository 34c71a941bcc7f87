import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("A small disk", .fewAtOnce)
struct DiskSpaceTests {
    private static let crawl = ["--count", "3000", "--page-size", "50", "--db", "disk/crawl.db"]

    /// Checks the message, and what is readable on the full disk; then gives space and goes on to exactly `count`.
    private static func expectMended(
        _ scene: Scene, _ disk: SmallDisk?, after result: Program.Result, count: Int, command: [String]
    ) async throws {
        #expect([73, 74].contains(result.exitCode), "\(result)")
        #expect(result.errors.contains("disk/crawl.db"), "\(result)")
        #expect(result.errors.lowercased().contains("space"), "the mend is missing: \(result)")
        // Where not even the empty database found room there is nothing to verify yet.
        if let disk { #expect(try await disk.remount(scene, "size=32m")) }
        let verified = try await scene.crawl("verify", "--db", "disk/crawl.db")
        #expect(verified.exitCode == 0 || verified.errors.contains("There is no database"), "\(verified)")
        let again = try await scene.crawl(command)
        #expect(again.exitCode == 0, "\(again)")
        let stored = try await scene.query(
            "SELECT count(*), count(DISTINCT uid) FROM users", database: scene.folder.file("disk/crawl.db"))
        #expect(stored == "\(count)|\(count)")
        let last = try await scene.crawl("verify", "--db", "disk/crawl.db")
        #expect(last.exitCode == 0, "\(last)")
    }

    /// From no room for the empty file, over the shared memory and the log, to the middle of the records.
    @Test(
        "exit 73 or 74; what is stored verifies; with more space the same command completes",
        arguments: [4, 16, 40, 64, 100, 200, 500, 1000, 2000, 3000])
    func full(kilobytes: Int) async throws {
        let scene = try Scene()
        guard let disk = try await SmallDisk(scene, kilobytes: max(4, kilobytes)) else {
            SmallDisk.tellFallback("ulimit -f \(kilobytes) limits the files instead")
            let result = try await scene.crawl(Self.crawl, shellPrefix: "ulimit -f \(kilobytes)")
            return try await Self.expectMended(scene, nil, after: result, count: 3000, command: Self.crawl)
        }
        let result = try await scene.crawl(Self.crawl)
        try await Self.expectMended(scene, disk, after: result, count: 3000, command: Self.crawl)
    }

    @Test("--fresh on a full disk keeps the old records whole until the first new page is stored")
    func fresh() async throws {
        let scene = try Scene()
        guard let disk = try await SmallDisk(scene, kilobytes: 4096) else {
            return SmallDisk.tellFallback("--fresh on a full disk is not looked at")
        }
        let first = ["--count", "500", "--page-size", "50", "--db", "disk/crawl.db"]
        #expect(try await scene.crawl(first).exitCode == 0)
        let database = scene.folder.file("disk/crawl.db")
        let before = try await scene.query("SELECT uid FROM users ORDER BY rowid", database: database)
        try disk.fill(leaving: 60)
        let fresh = first + ["--fresh"]
        let result = try await scene.crawl(fresh)
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("No space left for the database disk/crawl.db"), "\(result)")
        #expect(try await scene.query("SELECT uid FROM users ORDER BY rowid", database: database) == before)
        try disk.giveSpaceBack()
        #expect(try await disk.remount(scene, "size=32m"))
        #expect(try await scene.crawl("verify", "--db", "disk/crawl.db").exitCode == 0)
        let again = try await scene.crawl(fresh)
        #expect(again.exitCode == 0, "\(again)")
        #expect(try await scene.query("SELECT count(*) FROM users", database: database) == "500")
        #expect(try await scene.crawl("verify", "--db", "disk/crawl.db").exitCode == 0)
    }

    @Test("a group appears whole or not at all when its disk is full, and the repeated load completes")
    func group() async throws {
        let scene = try Scene()
        guard let disk = try await SmallDisk(scene, kilobytes: 4096) else {
            return SmallDisk.tellFallback("a load on a full disk is not looked at")
        }
        let load = ["load", "posts", "markets", "--offline", "--db", "disk/crawl.db"]
        try disk.fill(leaving: 160)
        let result = try await scene.crawl(load)
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("No space left for the database disk/crawl.db"), "\(result)")
        try disk.giveSpaceBack()
        #expect(try await disk.remount(scene, "size=32m"))
        let database = scene.folder.file("disk/crawl.db")
        #expect(try await scene.crawl("verify", "--db", "disk/crawl.db").exitCode == 0)
        let again = try await scene.crawl(load)
        #expect(again.exitCode == 0, "\(again)")
        let counts = try await scene.query(
            "SELECT (SELECT count(*) FROM posts), (SELECT count(*) FROM tickers)", database: database)
        #expect(counts == "100|100")
        #expect(try await scene.crawl("verify", "--db", "disk/crawl.db").exitCode == 0)
    }

    @Test(
        "an export onto a full disk leaves the earlier file whole and no temporary one; a crawl's records are safe",
        arguments: [["export", "users", "-o", "disk/users.csv"], ["--count", "2000", "--csv", "disk/users.csv"]])
    func export(command: [String]) async throws {
        let scene = try Scene()
        guard let disk = try await SmallDisk(scene, kilobytes: 2048) else {
            return SmallDisk.tellFallback("ExportFailureTests look at ulimit -f")
        }
        #expect(try await scene.crawl("--count", "2000", "--page-size", "100").exitCode == 0)
        try scene.write(Array("the old file\n".utf8), to: "disk/users.csv")
        try disk.fill(leaving: 100)
        let before = scene.names(in: "disk")
        let result = try await scene.crawl(command)
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("disk/users.csv cannot be written (No space left on device)"), "\(result)")
        #expect(result.errors.contains("free some space"), "\(result)")
        #expect(scene.contents("disk/users.csv") == "the old file\n")
        #expect(scene.names(in: "disk") == before)
        try await scene.expectUsers(2000)
        try disk.giveSpaceBack()
        #expect(try await scene.crawl(command).exitCode == 0)
        #expect(scene.contents("disk/users.csv").split(separator: "\n").count == 2001)
    }

    @Test("a disk mounted read-only: reading goes on where nothing waits in the log, writing says what to do")
    func readOnly() async throws {
        let scene = try Scene()
        guard let disk = try await SmallDisk(scene, kilobytes: 8192) else {
            return SmallDisk.tellFallback("PlaceTests look at a folder without the right to write")
        }
        #expect(try await scene.crawl("--count", "40", "--db", "disk/crawl.db").exitCode == 0)
        let before = scene.bytes("disk/crawl.db")
        #expect(try await disk.remount(scene, "ro"))
        let readers = [
            ["status"], ["verify"], ["list", "users"], ["export", "users", "-o", "-"],
            ["--count", "50", "--dry-run"],
        ]
        for arguments in readers {
            let result = try await scene.crawl(arguments + ["--db", "disk/crawl.db"])
            #expect(result.exitCode == 0, "\(arguments): \(result)")
        }
        for arguments in [["--count", "50"], ["--count", "50", "--fresh"]] {
            let result = try await scene.crawl(arguments + ["--db", "disk/crawl.db"])
            #expect(result.exitCode == 74, "\(result)")
            #expect(result.errors.contains("Read-only file system") && result.errors.contains("--db"), "\(result)")
        }
        let new = try await scene.crawl("--count", "5", "--db", "disk/new.db")
        #expect(new.exitCode == 73 && new.errors.contains("Read-only file system"), "\(new)")
        let export = try await scene.crawl("export", "users", "-o", "disk/u.csv", "--db", "disk/crawl.db")
        #expect(export.exitCode == 73 && export.errors.contains("Read-only file system"), "\(export)")
        #expect(scene.bytes("disk/crawl.db") == before)
        #expect(try await disk.remount(scene, "rw"))
        #expect(try await scene.crawl("--count", "50", "--db", "disk/crawl.db").exitCode == 0)
        #expect(try await scene.crawl("verify", "--db", "disk/crawl.db").exitCode == 0)
    }

    @Test("a log that still waits on a read-only disk is said, with the way out, and nothing is left out in silence")
    func readOnlyWithLog() async throws {
        let scene = try Scene()
        guard let disk = try await SmallDisk(scene, kilobytes: 8192) else {
            return SmallDisk.tellFallback("a log on a read-only disk is not looked at")
        }
        let server = try GatedServer.start(free: 10)
        defer { server.stop() }
        let program = try scene.start(
            GatedServer.arguments(20) + ["--db", "disk/crawl.db"], environment: Scene.users(at: server.url("/")))
        _ = await program.end(by: SIGKILL, when: { server.requests.count == 11 })
        #expect(scene.bytes("disk/crawl.db-wal").count > 0)
        try FileManager.default.removeItem(atPath: disk.path + "/crawl.db-shm")
        #expect(try await disk.remount(scene, "ro"))
        for arguments in [["status"], ["verify"], ["list", "users"], ["export", "users", "-o", "-"]] {
            let result = try await scene.crawl(arguments + ["--db", "disk/crawl.db"])
            #expect(result.exitCode == 74, "\(arguments): \(result)")
            #expect(result.output == "")
            #expect(
                result.errors.contains("disk/crawl.db-wal") && result.errors.contains("copy both files"), "\(result)")
        }
        let copied = try await scene.shell("cp disk/crawl.db disk/crawl.db-wal . && \"$CRAWL\" verify --db crawl.db")
        #expect(copied.exitCode == 0, "\(copied)")
    }
}
