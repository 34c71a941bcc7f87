import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("One database, several programs", .fewAtOnce)
struct LockTests {
    @Test("a second crawl waits five seconds, then exits 75; the first is unharmed")
    func secondCrawl() async throws {
        let server = try GatedServer.start(free: 2)
        defer { server.stop() }
        let scene = try Scene()
        let first = try scene.start(GatedServer.arguments(10), environment: Scene.users(at: server.url("/")))
        #expect(await Program.wait { server.requests.count == 3 })
        let second = try await scene.crawl(GatedServer.arguments(10), environment: Scene.users(at: server.url("/")))
        #expect(second.exitCode == 75, "\(second)")
        #expect(second.output == "", "nothing can be said of a database that was not opened")
        #expect(second.seconds > 4.8, "it waited \(second.seconds) s")
        #expect(second.errors.contains("Another crawl (process \(first.processIdentifier)) is writing to"))
        #expect(second.errors.contains("repeat the command"))
        server.release()
        let result = await first.end()
        #expect(result.exitCode == 0, "\(result)")
        #expect(server.requests.count == 10, "the second asked for nothing")
        #expect(try await scene.query("SELECT count(*) FROM crawl_runs") == "1")
        try await scene.expectUsers(10)
    }

    @Test("a second crawl goes on where the first ends within five seconds")
    func soonFree() async throws {
        let scene = try Scene { $0.latency = .milliseconds(200) }
        let first = try scene.start("--count", "20", "--page-size", "4", "--concurrency", "1")
        #expect(await Program.wait { scene.requests.count >= 1 })
        let second = try await scene.crawl("--count", "30", "--page-size", "5")
        #expect(second.exitCode == 0, "\(second)")
        #expect(await first.end().exitCode == 0)
        try await scene.expectUsers(30)
    }

    @Test("the lock of a killed crawl never blocks")
    func staleLock() async throws {
        let scene = try Scene { $0.latency = .milliseconds(20) }
        for _ in 0..<3 {
            let program = try scene.start("--count", "60", "--page-size", "1", "--concurrency", "1")
            let before = scene.requests.count
            _ = await program.end(by: SIGKILL, when: { scene.requests.count > before + 2 })
            // A crawl of what is there already opens the database for itself, and asks for nothing; after five seconds
            // of a lock it would give up.
            let next = try await scene.crawl("--count", "1")
            #expect(next.exitCode == 0, "\(next)")
        }
        let result = try await scene.crawl("--count", "60", "--page-size", "10")
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(60)
    }

    @Test("another program that holds the database: waits, then exits 75 with the store unharmed")
    func heldForLong() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "10").exitCode == 0)
        let lock = try DatabaseLock(scene)
        #expect(await lock.isTaken())
        let result = try await scene.crawl("--count", "20")
        await lock.release()
        #expect(result.exitCode == 75, "\(result)")
        #expect(result.seconds > 4.8, "it waited \(result.seconds) s")
        #expect(result.errors.contains("held by another program"), "\(result)")
        try await scene.expectUsers(10)
        #expect(try await scene.crawl("--count", "20").exitCode == 0)
        try await scene.expectUsers(20)
    }

    @Test("another program that holds the database in the middle of a crawl for a moment is waited for")
    func heldForAMoment() async throws {
        let server = try GatedServer.start(free: 3)
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start(GatedServer.arguments(8), environment: Scene.users(at: server.url("/")))
        #expect(await Program.wait { server.requests.count == 4 })
        let lock = try DatabaseLock(scene, lingering: 0.7)
        #expect(await lock.isTaken())
        server.release()
        lock.letGo()
        let result = await program.end()
        #expect(result.exitCode == 0, "\(result)")
        await lock.release()
        try await scene.expectUsers(8)
    }

    @Test("status, verify and export read while a crawl writes")
    func readers() async throws {
        let server = try GatedServer.start(free: 5)
        defer { server.stop() }
        let scene = try Scene()
        let program = try scene.start(GatedServer.arguments(12), environment: Scene.users(at: server.url("/")))
        #expect(await Program.wait { server.requests.count == 6 })
        let status = try await scene.crawl("status")
        #expect(status.exitCode == 0, "\(status)")
        #expect(status.output.contains("A crawl is at work on this database now."), "\(status)")
        #expect(status.output.contains("\trunning\t"))
        try await scene.expectVerified()
        let export = try await scene.crawl("export", "users", "--columns", "uid", "-o", "-")
        #expect(export.exitCode == 0, "\(export)")
        #expect(export.output.hasPrefix("uid\n1\n2\n3\n4\n"))
        server.release()
        let result = await program.end()
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(12)
    }
}
