import CrawlCore
import Foundation
import Testing

@testable import crawl

// Serialised, as signals belong to the whole process.
@Suite(.serialized) struct SignalWatcherTests {
    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
    func firstIsHandedOnAndSecondEnds(_ number: Int32, _ code: Int32) async throws {
        let (entries, log) = AsyncStream<String>.makeStream()
        var iterator = entries.makeAsyncIterator()
        let watcher = SignalWatcher(
            onStop: { log.yield("stop \($0)") }, endAtOnce: { log.yield("end \($0)") })
        #expect(watcher.start())
        defer {
            for number in SignalWatcher.stopSignals { signal(number, SIG_DFL) }
        }
        kill(getpid(), number)
        #expect(await iterator.next() == "stop \(number)")
        kill(getpid(), number)
        #expect(await iterator.next() == "end \(code)")
    }

    @Test("the first signal ends the program as soon as nothing more is to be waited for")
    func endsAtTheFirst() async throws {
        let (entries, log) = AsyncStream<String>.makeStream()
        var iterator = entries.makeAsyncIterator()
        let questions = Locked(0)
        let watcher = SignalWatcher(
            onStop: { log.yield("stop \($0)") },
            hasWaitedEnough: {
                questions.withLock { questions in
                    questions += 1
                    return questions == 3
                }
            },
            endAtOnce: { log.yield("end \($0)") })
        #expect(watcher.start())
        defer {
            for number in SignalWatcher.stopSignals { signal(number, SIG_DFL) }
        }
        kill(getpid(), SIGTERM)
        #expect(await iterator.next() == "stop \(SIGTERM)")
        #expect(await iterator.next() == "end 143")
        #expect(questions.withLock { $0 } == 3)
    }
}
