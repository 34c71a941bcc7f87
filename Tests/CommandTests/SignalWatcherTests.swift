import Foundation
import Testing

@testable import crawl

@Suite struct SignalWatcherTests {
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func firstIsHandedOnAndSecondEnds(_ number: Int32, _ code: Int32) async throws {
        let (entries, log) = AsyncStream<String>.makeStream()
        var iterator = entries.makeAsyncIterator()
        let watcher = SignalWatcher(
            onStop: { log.yield("stop \($0)") }, endAtOnce: { log.yield("end \($0)") })
        // To the watcher's thread alone; the test's own threads do not hold signals back.
        let thread = try #require(watcher.start())
        #expect(pthread_kill(thread, number) == 0)
        #expect(await iterator.next() == "stop \(number)")
        #expect(pthread_kill(thread, number) == 0)
        #expect(await iterator.next() == "end \(code)")
    }
}
