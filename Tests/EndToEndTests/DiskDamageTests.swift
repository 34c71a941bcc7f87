import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("A damaged database", .fewAtOnce)
struct DiskDamageTests {
    private static let commands = [
        ["verify"], ["status"], ["list", "users", "--limit", "3"], ["export", "users", "-o", "users.csv"],
        ["--count", "1550"], ["resume"],
    ]

    private static func filled() async throws -> (Scene, Data) {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "1500", "--page-size", "50").exitCode == 0)
        return (scene, scene.bytes("output/crawl.db"))
    }

    /// Runs every command on a database of these bytes, with a fresh copy each, and judges what they say.
    private static func judge(_ scene: Scene, _ bytes: Data, _ note: String) async throws {
        var isFoundWhole = false
        for command in commands {
            for name in scene.names() {
                try FileManager.default.removeItem(atPath: scene.folder.file("output/" + name))
            }
            try? FileManager.default.removeItem(atPath: scene.folder.file("users.csv"))
            try scene.write(bytes, to: "output/crawl.db")
            let result = try await scene.start(command).end()
            #expect(result.signal == nil, "\(note), \(command): \(result)")
            #expect([0, 74].contains(result.exitCode), "\(note), \(command): \(result)")
            let words = result.errors + result.output
            #expect(!words.contains("\\n") && !words.contains("***"), "\(note), \(command): \(result)")
            if command == ["verify"] {
                isFoundWhole = result.exitCode == 0
                let lines = result.output.split(separator: "\n")
                #expect(Set(lines).count == lines.count, "\(note) is said twice: \(result)")
                let check = try await scene.query("PRAGMA integrity_check")
                #expect(!isFoundWhole || check == "ok", "\(note): verify passes over \(check)")
            }
            if result.exitCode == 74 {
                #expect(result.errors.contains("output/crawl.db"), "\(note), \(command): \(result)")
                #expect(["recover", "--db"].contains { result.errors.contains($0) }, "\(note), \(command): \(result)")
                if ["verify", "status", "list", "export"].contains(command[0]) {
                    #expect(scene.bytes("output/crawl.db") == bytes, "\(note), \(command) changed the file")
                }
                if command[0] == "export" { #expect(!scene.exists("users.csv")) }
            } else if command[0] == "export", isFoundWhole {
                #expect(scene.contents("users.csv").split(separator: "\n").count == 1501, "\(note): rows are missing")
            }
        }
    }

    @Test("cut off at any length: exit 74 and the way out, no crash, no export of fewer records")
    func truncated() async throws {
        let (scene, good) = try await Self.filled()
        let whole = good.count
        for length in [1, 99, 100, 104, 4095, 4096, 4097, whole / 2, whole - 4096] {
            try await Self.judge(scene, good.prefix(length), "cut off after \(length) of \(whole) bytes")
        }
    }

    /// A quarter of the offsets each, so that they run side by side.
    @Test("one byte wrong, anywhere: never a crash, never fewer records in silence", arguments: 0..<4)
    func flipped(part: Int) async throws {
        let (scene, good) = try await Self.filled()
        let pages = good.count / 4096
        let header = [16, 18, 19, 20, 21, 28, 32, 44, 56, 60, 68, 100, 103, 105, 108, 300]
        let spread = (0..<24).map { number in
            // Page headers, cell pointers and cells in turn, on pages all over the file.
            (1 + number * (pages - 1) / 24) * 4096 + [0, 3, 5, 8, 11, 2000][number % 6]
        }
        for (number, offset) in (header + spread).enumerated() where number % 4 == part {
            var bytes = good
            bytes[offset] ^= offset.isMultiple(of: 2) ? 0x41 : 0xFF
            try await Self.judge(scene, bytes, "byte \(offset) wrong")
        }
    }

    struct Log: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// A shell line that changes the files of a killed crawl.
        var change: String
        /// Whether pages that were in the log alone may be lost.
        var mayLose = false
        /// What the program says where it cannot go on by itself, and the shell line that mends it.
        var refusal: (says: String, mend: String)?
    }

    static let logs = [
        Log(testDescription: "the log's index is gone", change: "rm -f output/crawl.db-shm"),
        Log(testDescription: "the log's index is noise", change: "head -c 32768 /dev/urandom > output/crawl.db-shm"),
        Log(testDescription: "the log's index is empty", change: ": > output/crawl.db-shm"),
        Log(
            testDescription: "the log is cut off in the middle",
            change: "truncate -s $(( $(stat -c %s output/crawl.db-wal) - 9000 )) output/crawl.db-wal", mayLose: true),
        Log(testDescription: "the log is empty", change: ": > output/crawl.db-wal", mayLose: true),
        Log(
            testDescription: "a byte of the log is wrong",
            change: "printf X | dd of=output/crawl.db-wal bs=1 conv=notrunc status=none "
                + "seek=$(( $(stat -c %s output/crawl.db-wal) - 6000 ))", mayLose: true),
        Log(testDescription: "the log is gone", change: "rm -f output/crawl.db-wal output/crawl.db-shm", mayLose: true),
        Log(
            testDescription: "another database's log lies there",
            change: "sqlite3 o.db 'PRAGMA journal_mode = WAL' 'CREATE TABLE t (a)' "
                + "'.shell cp o.db-wal output/crawl.db-wal' > /dev/null; rm -f output/crawl.db-shm", mayLose: true,
            refusal: ("crawl.db-wal beside the database belongs to another database", "mv output/crawl.db-wal away")),
    ]

    @Test(
        "a log that is missing or wrong loses at most what was in it alone, and the same command completes",
        arguments: logs)
    func log(_ log: Log) async throws {
        let server = try GatedServer.start(free: 30)
        defer { server.stop() }
        let scene = try Scene()
        let arguments = GatedServer.arguments(40)
        let program = try scene.start(arguments, environment: Scene.users(at: server.url("/")))
        _ = await program.end(by: SIGKILL, when: { server.requests.count == 31 })
        // The sqlite3 shell looks at a copy, for it takes the log in and away.
        #expect(try await scene.shell("cp -r output before").exitCode == 0)
        let before = try await scene.query("SELECT uid FROM users", database: scene.folder.file("before/crawl.db"))
        #expect(before.split(separator: "\n").count > 0)
        let changed = try await scene.shell(log.change)
        #expect(changed.exitCode == 0, "\(changed)")
        if let refusal = log.refusal {
            for command in [["verify"], ["status"], arguments] {
                let result = try await scene.crawl(command, environment: Scene.users(at: server.url("/")))
                #expect(result.exitCode == 74 && result.errors.contains(refusal.says), "\(command): \(result)")
            }
            #expect(try await scene.shell(refusal.mend).exitCode == 0)
        }
        let verified = try await scene.crawl("verify")
        let isNothingLeft = log.mayLose && verified.errors.contains("There is no database")
        #expect(verified.exitCode == 0 || isNothingLeft, "\(verified)")
        if !isNothingLeft, !log.mayLose {
            #expect(try await scene.query("SELECT uid FROM users") == before)
        }
        server.release()
        let again = try await scene.crawl(arguments, environment: Scene.users(at: server.url("/")))
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectUsers(40)
    }
}
