import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct LockTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.file("crawl.db")
    }

    @Test func secondCrawlIsRefusedAndComesInAfterTheFirst() async throws {
        let first = try await Store.open(path: path)
        let error = await crawlError { try await Store.open(path: path, lockTimeout: .milliseconds(30)) }
        #expect(error?.exitCode == .tryLater)
        #expect(error?.message.contains(path) == true)
        await first.close()
        let second = try await Store.open(path: path, lockTimeout: .zero)
        await second.close()
    }

    @Test func secondCrawlWaitsForTheFirst() async throws {
        let first = try await Store.open(path: path)
        async let second = Store.open(path: path, lockTimeout: .seconds(30))
        await first.close()
        #expect(try await second.unfinishedRuns().isEmpty)
    }

    @Test func lockGoesWithTheLastReference() async throws {
        var first: Store? = try await Store.open(path: path)
        #expect(first != nil)
        first = nil
        let second = try await Store.open(path: path)
        await second.close()
    }

    @Test func killedProcessLeavesNoLock() async throws {
        try await Store.open(path: path).close()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import fcntl, sys, time; file = open(sys.argv[1]); fcntl.flock(file, fcntl.LOCK_EX); "
                + "print('locked', flush=True); time.sleep(60)", path,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        #expect(!pipe.fileHandleForReading.availableData.isEmpty)
        let error = await crawlError { try await Store.open(path: path, lockTimeout: .zero) }
        #expect(error?.exitCode == .tryLater)
        if FileManager.default.isReadableFile(atPath: "/proc/locks") {
            #expect(error?.message.contains("(process \(process.processIdentifier))") == true)
        }
        let reader = try await StoreReader.open(path: path)
        #expect(try await reader.isCrawlRunning())
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try await !reader.isCrawlRunning())
        try await Store.open(path: path, lockTimeout: .zero).close()
    }

    @Test func readersAskWithoutTakingTheLock() async throws {
        let store = try await Store.open(path: path)
        let reader = try await StoreReader.open(path: path)
        #expect(try await reader.isCrawlRunning())
        await store.close()
        #expect(try await !reader.isCrawlRunning())
        try await Store.open(path: path, lockTimeout: .zero).close()
    }

    /// Closing a descriptor must not drop the locks of SQLite: another process would take the log away.
    @Test func closingAReaderKeepsTheLocksOfTheWriter() async throws {
        let store = try await Store.open(path: path)
        let writer = try await store.start()
        try await store.commit(page(1, [person("a")]), by: writer)
        for _ in 0..<3 {
            let reader = try await StoreReader.open(path: path)
            _ = try await reader.isCrawlRunning()
            await reader.close()
        }
        _ = try output(of: "sqlite3", [path, "SELECT count(*) FROM people"])
        #expect(FileManager.default.fileExists(atPath: path + "-wal"))
        try await store.commit(page(2, [person("b")]), by: writer)
        await store.close()
        #expect(try output(of: "sqlite3", [path, "SELECT count(*) FROM people"]) == Data("2\n".utf8))
    }

    @Test func eachConnectionStaysOnAThreadOfItsOwn() async throws {
        let store = try await Store.open(path: path)
        let others = try await Store.open(path: folder.file("other.db"))
        let threads = try await withThrowingTaskGroup(of: (Int, pthread_t).self) { group in
            for number in 0..<100 {
                group.addTask {
                    let core = number % 2 == 0 ? store.core : others.core
                    return (number % 2, try await core.withDatabase { _ in pthread_self() })
                }
            }
            var threads: [Int: Set<pthread_t>] = [:]
            for try await (store, thread) in group { threads[store, default: []].insert(thread) }
            return threads
        }
        #expect(threads[0]?.count == 1 && threads[1]?.count == 1)
        #expect(threads[0] != threads[1])
    }

    @Test func anotherProgramsLockEndsInTryLater() async throws {
        let store = try await Store.open(path: path, lockTimeout: .milliseconds(30))
        let outcomes = Outcomes()
        let writer = try await store.start(outcomes: outcomes)
        try await store.commit(page(1, [person("a")]), by: writer)
        let program = OtherProgram(path)
        program.execute("BEGIN EXCLUSIVE")
        try await writer.submit(page(2, [person("b")]))
        let drained = await crawlError { try await writer.drain() }
        let later = await crawlError { try await writer.submit(page(3, [person("c")])) }
        #expect(drained?.exitCode == .tryLater)
        #expect(later == drained)
        #expect(outcomes.errors == [drained].compactMap(\.self))
        program.execute("ROLLBACK")
        #expect(try await store.storedCount(of: "people") == 1)
    }

    @Test(arguments: [
        ("1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF\n", 4711 as Int32?),
        ("1: POSIX  ADVISORY  WRITE 4711 fe:00:131 0 EOF\n", nil),
        ("1: FLOCK  ADVISORY  READ 4711 fe:00:131 0 EOF\n", nil),
        ("1: FLOCK  ADVISORY  WRITE 4711 fe:00:132 0 EOF\n", nil),
        ("1: FLOCK  ADVISORY  WRITE 4711 fe:01:131 0 EOF\n", nil),
        ("2: -> FLOCK  ADVISORY  WRITE 12 fe:00:131 0 EOF\n", nil),
        ("1: FLOCK  ADVISORY  WRITE 0 fe:00:131 0 EOF\n", nil),
        ("", nil),
    ])
    func holderIsReadFromTheTableOfLocks(table: String, process: Int32?) {
        #expect(LockHolder.process(in: table, device: 0xfe00, inode: 131) == process)
    }
}
