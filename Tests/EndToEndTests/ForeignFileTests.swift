import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("A file that is not ours", .fewAtOnce)
struct ForeignFileTests {
    enum Kind: String, CaseIterable, Sendable {
        case otherProgram, otherProgramWithLog, otherMark, newer, text, shortText, noise, damagedHeader, damagedSchema
    }

    /// What the message says of each.
    private static let says: [Kind: String] = [
        .otherProgram: "is the database of another program", .otherProgramWithLog: "is the database of another program",
        .otherMark: "is the database of another program (application_id 1234)",
        .newer: "was made by a newer version of crawl (format 9999;", .text: "is not a SQLite database",
        .shortText: "is not a SQLite database", .noise: "is not a SQLite database",
        .damagedHeader: "damaged", .damagedSchema: "damaged",
    ]

    /// Makes the file `output/crawl.db` of that kind.
    private static func make(_ kind: Kind, in scene: Scene) async throws {
        switch kind {
        case .otherProgram:
            try scene.write([], to: "output/crawl.db")
            try await scene.alter("CREATE TABLE users (uid TEXT); INSERT INTO users VALUES ('theirs')")
        case .otherProgramWithLog:
            // A program that was killed: its table stands in the log alone.
            let made = try await scene.shell(
                """
                mkdir -p other output
                sqlite3 other/x.db 'PRAGMA journal_mode = WAL' 'CREATE TABLE theirs (a)' \
                    '.shell cp other/x.db output/crawl.db; cp other/x.db-wal output/crawl.db-wal'
                """)
            #expect(made.exitCode == 0, "\(made)")
            #expect(scene.bytes("output/crawl.db-wal").count > 0)
        case .otherMark:
            try scene.write([], to: "output/crawl.db")
            try await scene.alter("PRAGMA application_id = 1234")
        case .newer:
            #expect(try await scene.crawl("--count", "3").exitCode == 0)
            try await scene.alter("PRAGMA user_version = 9999")
        case .text:
            try scene.write(
                Array(String(repeating: "my notes, years of them\n", count: 500).utf8), to: "output/crawl.db")
        case .shortText:
            try scene.write(Array("x".utf8), to: "output/crawl.db")
        case .noise:
            try scene.write(
                (0..<8192).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) }, to: "output/crawl.db")
        case .damagedHeader, .damagedSchema:
            #expect(try await scene.crawl("--count", "3").exitCode == 0)
            var bytes = scene.bytes("output/crawl.db")
            // The page size and what follows it, or the tree of the schema behind the header.
            let range = kind == .damagedHeader ? 16..<24 : 100..<400
            for offset in range { bytes[offset] = 0xA5 }
            try scene.write(bytes, to: "output/crawl.db")
        }
    }

    private static let commands = [
        ["--count", "5"], ["--count", "5", "--fresh"], ["resume"], ["export", "users"], ["status"], ["verify"],
        ["--count", "5", "--dry-run"],
    ]

    @Test("is left untouched by every command, byte for byte, exit 74", arguments: Kind.allCases)
    func untouched(_ kind: Kind) async throws {
        let scene = try Scene()
        try await Self.make(kind, in: scene)
        let before = scene.names().map { ($0, scene.bytes("output/" + $0)) }
        let requests = scene.requests.count
        for command in Self.commands {
            let result = try await scene.crawl(command)
            #expect(result.exitCode == 74, "\(command): \(result)")
            #expect(result.errors.contains(Self.says[kind] ?? ""), "\(command): \(result)")
            #expect(result.errors.contains("output/crawl.db"), "\(command): \(result)")
            let after = scene.names().map { ($0, scene.bytes("output/" + $0)) }
            #expect(after.map(\.0) == before.map(\.0), "\(command)")
            #expect(zip(before, after).allSatisfy { $0.1 == $1.1 }, "\(command) changed it")
        }
        #expect(scene.requests.count == requests, "nothing was asked")
    }

    @Test("an empty file becomes ours, as does an empty database", arguments: [false, true])
    func empty(isDatabase: Bool) async throws {
        let scene = try Scene()
        try scene.write([], to: "output/crawl.db")
        if isDatabase { try await scene.alter("VACUUM") }
        let status = try await scene.crawl("status")
        #expect(status.exitCode == 74 && status.errors.contains("There is no database"), "\(status)")
        #expect(try await scene.crawl("--count", "3").exitCode == 0)
        try await scene.expectUsers(3)
    }

    @Test("a database that goes away in the middle of a crawl is an error, not a new one", arguments: ["rm", "mv"])
    func gone(_ how: String) async throws {
        let server = try GatedServer.start(free: 5)
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start(GatedServer.arguments(20), environment: Scene.users(at: server.url("/")))
        #expect(await Program.wait { server.requests.count == 6 })
        let moved = try await scene.shell(
            how == "rm" ? "rm output/crawl.db*" : "mkdir away && mv output/crawl.db* away/")
        #expect(moved.exitCode == 0, "\(moved)")
        server.release()
        let result = await program.end()
        #expect(result.exitCode == 74, "\(result)")
        #expect(result.errors.contains("was moved or deleted while the crawl was running"), "\(result)")
        if how == "mv" {
            let database = scene.folder.file("away/crawl.db")
            let verified = try await scene.crawl("verify", "--db", database)
            #expect(verified.exitCode == 0, "\(verified)")
        }
    }
}
