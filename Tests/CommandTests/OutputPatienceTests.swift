import CrawlCore
import Testing

@testable import crawl

@Suite struct OutputPatienceTests {
    private typealias Progress = OutputCall.Progress

    /// How often it is asked until it is over, nil where it is not within a minute.
    private static func questions(_ work: OutputPatience.Work, _ progress: (Int) -> OutputCall.Progress) -> Int? {
        var patience = OutputPatience()
        return (1...1200).first { patience.isOver(work, progress($0)) }
    }

    private static let stuck = Progress(isWaiting: true, returned: 7)
    private static let idle = Progress(isWaiting: false, returned: 7)

    @Test("what stores is waited for, what reads is hardly, what tells as long as somebody reads")
    func limits() throws {
        #expect(Self.questions(.saving) { _ in Self.stuck } == nil)
        let reading = try #require(Self.questions(.reading) { _ in Self.stuck })
        let telling = try #require(Self.questions(.telling) { _ in Self.stuck })
        #expect(reading < telling && telling <= 40)
        #expect(Self.questions(.telling) { Progress(isWaiting: true, returned: $0 / 10) } == nil)
        #expect(
            Self.questions(.telling) { Progress(isWaiting: true, returned: 7, unread: Int32(9000 - $0 / 10)) } == nil)
    }

    @Test("without output in the way an end of its own has more time, but not for ever")
    func idle() throws {
        for work in [OutputPatience.Work.reading, .telling] {
            let stuck = try #require(Self.questions(work) { _ in Self.stuck })
            let idle = try #require(Self.questions(work) { _ in Self.idle })
            #expect(idle > stuck)
        }
    }

    @Test("the time of storing does not count for what comes after")
    func afterSaving() {
        var patience = OutputPatience()
        for _ in 0..<500 {
            let isOver = patience.isOver(.saving, Self.stuck)
            #expect(!isOver)
        }
        let isOver = patience.isOver(.telling, Self.stuck)
        #expect(!isOver)
    }

    @Test("a pipe tells what nobody has read yet")
    func unread() throws {
        let pipe = try TestPipe()
        #expect(Platform.write(Array("seven".utf8), to: pipe.writeEnd) == .written)
        // Other tests write at the same time, so that the last call may be one of theirs.
        let unread = (0..<1000).contains { _ in
            OutputCall.making(to: pipe.writeEnd) {
                OutputCall.progress == Progress(isWaiting: true, returned: OutputCall.progress.returned, unread: 5)
            }
        }
        #expect(unread)
    }
}
