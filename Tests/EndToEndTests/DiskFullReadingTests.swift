import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Reading from a disk without a free byte", .fewAtOnce)
struct DiskFullReadingTests {
    private static let database = ["--db", "disk/crawl.db"]

    private static let readers = [
        ["status"], ["status", "--json"], ["verify"], ["list", "users"], ["export", "users", "-o", "-"],
        ["export", "users", "--format", "json", "-o", "elsewhere/users.json"],
    ]

    /// How the database was left before the disk became full.
    enum Left: String, CaseIterable, Sendable {
        case closed, killed, killedWithoutIndex
    }

    /// A small disk with ten users on it, and not a byte free.
    private static func fullDisk(_ scene: Scene, _ left: Left) async throws -> SmallDisk? {
        guard let disk = try await SmallDisk(scene, kilobytes: 4096) else {
            SmallDisk.tellFallback("reading from a full disk is not looked at")
            return nil
        }
        let server = try GatedServer.start(free: 10)
        defer { server.stop() }
        let environment = Scene.users(at: server.url("/"))
        if left == .closed {
            let result = try await scene.crawl(GatedServer.arguments(10) + database, environment: environment)
            #expect(result.exitCode == 0, "\(result)")
        } else {
            let program = try scene.start(GatedServer.arguments(20) + database, environment: environment)
            #expect(await Program.wait { server.requests.count == 11 })
            // They are stored while the next one is fetched.
            var stored = ""
            for _ in 0..<2000 where stored != "10" {
                stored = try await scene.query("SELECT count(*) FROM users", database: disk.path + "/crawl.db")
            }
            _ = await program.end(by: SIGKILL, when: { true })
            if left == .killedWithoutIndex {
                try FileManager.default.removeItem(atPath: disk.path + "/crawl.db-shm")
            }
        }
        try disk.fill(leaving: 0)
        return disk
    }

    /// What belongs to the database, but for the index, which SQLite makes anew.
    private static func files(_ scene: Scene) -> [String: Data] {
        let names = scene.names(in: "disk").filter { !$0.hasSuffix("-shm") && $0 != "ballast" }
        return Dictionary(uniqueKeysWithValues: names.map { ($0, scene.bytes("disk/" + $0)) })
    }

    @Test(
        "all that reads works and leaves everything as it is; with space again the crawl goes on",
        arguments: Left.allCases)
    func reading(_ left: Left) async throws {
        let scene = try Scene()
        guard let disk = try await Self.fullDisk(scene, left) else { return }
        let before = Self.files(scene)
        #expect(before.count == (left == .closed ? 1 : 2))
        var rows: Set<Int> = []
        for reader in Self.readers + Self.readers {
            let result = try await scene.crawl(reader + Self.database)
            #expect(result.exitCode == 0, "\(reader): \(result)")
            if reader.last == "-" { rows.insert(result.output.split(separator: "\n").count - 1) }
            if left != .killed { #expect(Self.files(scene) == before, "\(reader)") }
            if left != .killed { #expect(!scene.exists("disk/crawl.db-shm"), "\(reader)") }
        }
        rows.insert(scene.contents("elsewhere/users.json").split(separator: "\n").count - 2)
        let crawl = try await scene.crawl(["--count", "30"] + Self.database)
        #expect(crawl.exitCode == 74, "\(crawl)")
        #expect(crawl.errors.contains("No space left for the database disk/crawl.db"), "\(crawl)")
        try disk.giveSpaceBack()
        let known = try await scene.query("SELECT count(*) FROM users", database: scene.folder.file("disk/crawl.db"))
        #expect(rows == [10] && known == "10", "\(rows), \(known)")
        let again = try await scene.crawl(["--count", "30"] + Self.database)
        #expect(again.exitCode == 0, "\(again)")
        let stored = try await scene.query(
            "SELECT count(*), count(DISTINCT uid) FROM users", database: scene.folder.file("disk/crawl.db"))
        #expect(stored == "30|30")
        #expect(try await scene.crawl(["verify"] + Self.database).exitCode == 0)
    }

    @Test(
        "who comes while another one reads there waits, then says so, and harms nothing",
        .enabled(if: BlockedPipe.canBeWatched, "the system does not tell in what a program waits"),
        arguments: Left.allCases)
    func second(_ left: Left) async throws {
        let scene = try Scene()
        guard let disk = try await Self.fullDisk(scene, left) else { return }
        let pipe = try BlockedPipe(in: scene)
        let reader = try scene.start(
            ["export", "users", "-o", "-"] + Self.database, shellPrefix: "exec 1<>\(BlockedPipe.name)")
        #expect(await Program.wait { BlockedPipe.holdsUp(reader) })
        try disk.giveSpaceBack()
        async let status = scene.crawl(["status"] + Self.database)
        let crawl = try await scene.crawl(["--count", "30"] + Self.database)
        #expect([0, 75].contains(crawl.exitCode), "\(crawl)")
        #expect([0, 75].contains(try await status.exitCode))
        if left != .killed { #expect(crawl.errors.contains("is held by another program"), "\(crawl)") }
        let ended = await reader.end(by: SIGTERM, when: { true })
        #expect(ended.exitCode == 143, "\(ended)")
        let again = try await scene.crawl(["--count", "30"] + Self.database)
        #expect(again.exitCode == 0, "\(again)")
        #expect(try await scene.crawl(["verify"] + Self.database).exitCode == 0)
        withExtendedLifetime(pipe) {}
    }

    @Test("several that read at the same time wait for each other", arguments: Left.allCases)
    func together(_ left: Left) async throws {
        let scene = try Scene()
        guard let disk = try await Self.fullDisk(scene, left) else { return }
        for _ in 0..<8 {
            let readers = try (0..<3).map { _ in try scene.start(["status"] + Self.database) }
            for reader in readers {
                let result = await reader.end()
                #expect(result.exitCode == 0, "\(result)")
            }
        }
        withExtendedLifetime(disk) {}
    }
}
