import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("One database, several programs", .fewAtOnce)
struct LockTests {
    @Test("a second crawl waits five seconds, then exits 75; the first is unharmed")
    func secondCrawl() async throws {
        let scene = try Scene { $0.latency = .milliseconds(100) }
        // Busy for minutes, however long the second one takes.
        let first = try scene.start("--count", "3000", "--page-size", "1", "--concurrency", "1")
        #expect(await Program.wait { scene.requests.count >= 1 })
        let start = ContinuousClock.now
        let second = try await scene.crawl("--count", "3000")
        let waited = ContinuousClock.now - start
        #expect(second.exitCode == 75, "\(second)")
        #expect(second.output == "", "nothing can be said of a database that was not opened")
        #expect(waited > .seconds(4.8), "it waited \(waited)")
        #expect(second.errors.contains("Another crawl (process \(first.processIdentifier)) is writing to"))
        #expect(second.errors.contains("repeat the command"))
        first.send(SIGINT)
        let result = await first.end()
        #expect(result.exitCode == 130, "\(result)")
        #expect(scene.requests.allSatisfy { $0.target.hasSuffix("size=1") }, "the second asked for nothing")
        #expect(try await scene.query("SELECT count(*) FROM crawl_runs") == "1")
        #expect(try await scene.crawl("--count", "3000", "--page-size", "100").exitCode == 0)
        try await scene.expectUsers(3000)
    }

    @Test("a second crawl goes on where the first ends within five seconds")
    func soonFree() async throws {
        let scene = try Scene { $0.latency = .milliseconds(50) }
        let first = try scene.start("--count", "20", "--page-size", "1", "--concurrency", "1")
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
            let program = try scene.start("--count", "3000", "--page-size", "1", "--concurrency", "1")
            let before = scene.requests.count
            #expect(await Program.wait { scene.requests.count > before + 2 })
            program.send(SIGKILL)
            _ = await program.end()
            try await scene.expectVerified()
        }
        let result = try await scene.crawl("--count", "3000", "--page-size", "100")
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(3000)
    }

    @Test("another program that holds the database: waits, then exits 75 with the store unharmed")
    func heldForLong() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "10").exitCode == 0)
        let lock = try DatabaseLock(scene)
        #expect(await lock.isTaken())
        let start = ContinuousClock.now
        let result = try await scene.crawl("--count", "20")
        let waited = ContinuousClock.now - start
        await lock.release()
        #expect(result.exitCode == 75, "\(result)")
        #expect(waited > .seconds(4.8) && waited < .seconds(15), "it waited \(waited)")
        #expect(result.errors.contains("held by another program"), "\(result)")
        try await scene.expectUsers(10)
        #expect(try await scene.crawl("--count", "20").exitCode == 0)
        try await scene.expectUsers(20)
    }

    @Test("another program that holds the database in the middle of a crawl for a moment is waited for")
    func heldForAMoment() async throws {
        let scene = try Scene { $0.latency = .milliseconds(20) }
        let program = try scene.start("--count", "3000", "--page-size", "1", "--concurrency", "1")
        #expect(await Program.wait { scene.requests.count >= 3 })
        let lock = try DatabaseLock(scene)
        #expect(await lock.isTaken())
        let before = scene.requests.count
        #expect(await Program.wait { scene.requests.count > before })
        await lock.release()
        let released = scene.requests.count
        // No more than the queue holds can be asked for while nothing is stored.
        #expect(await Program.wait { scene.requests.count > released + 40 })
        program.send(SIGINT)
        let result = await program.end()
        #expect(result.exitCode == 130, "\(result)")
        try await scene.expectVerified()
    }

    @Test("status, verify and export read while a crawl writes")
    func readers() async throws {
        let scene = try Scene { $0.latency = .milliseconds(40) }
        let program = try scene.start("--count", "3000", "--page-size", "1", "--concurrency", "1")
        #expect(await Program.wait { scene.requests.count >= 5 })
        let status = try await scene.crawl("status")
        #expect(status.exitCode == 0, "\(status)")
        #expect(status.output.contains("A crawl is at work on this database now."), "\(status)")
        #expect(status.output.contains("running"))
        try await scene.expectVerified()
        let export = try await scene.crawl("export", "users", "--columns", "uid", "-o", "-")
        #expect(export.exitCode == 0, "\(export)")
        #expect(export.output.split(separator: "\n").count > 4)
        program.send(SIGINT)
        let result = await program.end()
        #expect(result.exitCode == 130, "\(result)")
        try await scene.expectVerified()
    }
}
