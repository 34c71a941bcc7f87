import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import crawl

// Serialised, as the guard of the cursor belongs to the whole process.
@Suite(.serialized) struct ProgressReporterTests {
    private let clock = TestClock()

    init() {
        signal(SIGPIPE, SIG_IGN)
    }

    private func configuration(output: Int32, errors: Int32) -> ProgressReporter.Configuration {
        var configuration = ProgressReporter.Configuration()
        configuration.output = output
        configuration.errors = errors
        configuration.environment = ["LANG": "C.UTF-8", "NO_COLOR": "1"]
        configuration.continueCommand = "crawl --count 50"
        let clock = clock
        configuration.clock = { clock.now }
        return configuration
    }

    @Test func plainLinesOffATerminal() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: errors.writeEnd))
        await reporter.handle(.started(endpoint: "http://127.0.0.1:1/\u{1B}[2J"))
        #expect(
            errors.written()
                == "Crawling users from http://127.0.0.1:1/\\e[2J: 31 of 50 stored (output/crawl.db)\n")
        clock.advance(5)
        await reporter.handle(.samplePage(sequence: 1, new: 5, duplicate: 1, stored: 36))
        await reporter.handle(.sampleRetry(wait: 1))
        await reporter.handle(.sampleRequest(status: 200))
        await reporter.tick()
        #expect(errors.written() == "")
        clock.advance(5)
        await reporter.tick()
        #expect(errors.written() == "users: 36 of 50 stored, 0.5/s, 28 s left, 1 duplicate, 1 retry\n")
        clock.advance(9)
        await reporter.tick()
        #expect(errors.written() == "")
        await reporter.handle(.notice(.init(source: "users", message: "The stand-in serves instead.")))
        await reporter.handle(.finished(.sampleSummary()))
        await reporter.finish()
        #expect(errors.written() == "Note: The stand-in serves instead.\n")
        #expect(output.written() == SummaryText.line(.sampleSummary()) + "\n")
    }

    @Test func postedPagesWaitForTheNextTick() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: errors.writeEnd))
        #expect(reporter.post(.sampleStarted))
        #expect(await !reporter.handlePosted())
        #expect(errors.written().hasPrefix("Going on with users"))
        clock.advance(5)
        #expect(!reporter.post(.sampleRequest(status: 200)))
        #expect(!reporter.post(.samplePage(sequence: 1, new: 5, duplicate: 1, stored: 36)))
        clock.advance(5)
        await reporter.tick()
        #expect(errors.written() == "users: 36 of 50 stored, 0.5/s, 28 s left, 1 duplicate\n")
        #expect(!reporter.post(.samplePage(sequence: 2, new: 5, stored: 41)))
        #expect(reporter.post(.finished(.sampleSummary())))
        #expect(await !reporter.handlePosted())
        #expect(output.written() == SummaryText.line(.sampleSummary()) + "\n")
    }

    @Test func aFloodOfPostedPagesIsTakenInBeforeItFillsTheMemory() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: errors.writeEnd))
        let isTold = (1...999).contains { reporter.post(.samplePage(sequence: $0, new: 1, stored: 31 + $0)) }
        #expect(isTold)
    }

    @Test func programsAreToldOfEveryEventAtOnce() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        var configuration = configuration(output: output.writeEnd, errors: errors.writeEnd)
        configuration.isJSON = true
        let reporter = ProgressReporter(configuration)
        #expect(reporter.post(.sampleRequest(status: 200)))
        #expect(reporter.post(.samplePage(sequence: 1, new: 5, stored: 36)))
        #expect(await !reporter.handlePosted())
        let types = output.written().split(separator: "\n").map { $0.prefix { $0 != "," } }
        #expect(types == [#"{"type":"request""#, #"{"type":"page""#])
    }

    @Test func resumedAndStopped() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: errors.writeEnd))
        await reporter.announce("users")
        await reporter.handle(.sampleStarted)
        await reporter.handle(.sampleRetry(wait: 60, reason: "HTTP 429"))
        await reporter.handle(.finished(.sampleSummary(.interrupted, stored: 31)))
        #expect(
            errors.written() == """
                Starting with users
                Going on with users from http://127.0.0.1:1/users: 31 of 50 stored (output/crawl.db)
                Attempt 1 for http://127.0.0.1:1/users?size=5 failed: HTTP 429; trying again in 1 min
                Stopped at 31 of 50 users. Continue with: crawl --count 50

                """)
        #expect(output.written().hasPrefix("31 users stored"))
    }

    @Test func verboseTellsRequestsAndRetries() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        var configuration = configuration(output: output.writeEnd, errors: errors.writeEnd)
        configuration.isVerbose = true
        let reporter = ProgressReporter(configuration)
        await reporter.handle(.sampleRequest(status: 200))
        await reporter.handle(.sampleRequest(status: nil))
        await reporter.handle(.sampleRetry(wait: 0.8))
        #expect(
            errors.written() == """
                GET http://127.0.0.1:1/users?size=5: 200, 4.4 KB, 0.021 s
                GET http://127.0.0.1:1/users?size=5: no answer, 4.4 KB, 0.021 s
                Attempt 1 for http://127.0.0.1:1/users?size=5 failed: HTTP 503; trying again in 0.8 s

                """)
    }

    @Test(arguments: [true, false])
    func quietAndJSON(_ isJSON: Bool) async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        var configuration = configuration(output: output.writeEnd, errors: errors.writeEnd)
        configuration.isJSON = isJSON
        configuration.isQuiet = true
        let reporter = ProgressReporter(configuration)
        await reporter.announce("users")
        await reporter.handle(.sampleStarted)
        clock.advance(60)
        await reporter.tick()
        await reporter.notice("Something")
        await reporter.handle(.finished(.sampleSummary(.interrupted)))
        await reporter.finish()
        #expect(errors.written() == "")
        let lines = output.written().split(separator: "\n")
        #expect(lines.count == (isJSON ? 2 : 0))
        for line in lines {
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            #expect(object?["version"] as? Int == 1)
            #expect(line.hasPrefix(#"{"type":""#))
        }
    }

    @Test func nextStepIsToldBesideJSON() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        var configuration = configuration(output: output.writeEnd, errors: errors.writeEnd)
        configuration.isJSON = true
        let reporter = ProgressReporter(configuration)
        await reporter.handle(.finished(.sampleSummary(.interrupted, stored: 31)))
        #expect(errors.written() == "Stopped at 31 of 50 users. Continue with: crawl --count 50\n")
        #expect(output.written().hasPrefix(#"{"type":"finished","version":1"#))
    }

    @Test func liveLineOnATerminal() async throws {
        let terminal = try PseudoTerminal(columns: 62)
        let output = try TestPipe()
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: terminal.terminal))
        await reporter.announce("users")
        #expect(terminal.written() == "\u{1B}[?25lusers starting\u{1B}[K")
        await reporter.handle(.sampleStarted)
        #expect(terminal.written() == "", "drawn again within a tenth of a second")
        clock.advance(0.5)
        await reporter.handle(.samplePage(sequence: 1, new: 6, stored: 37))
        #expect(terminal.written() == "\rusers ██████████████████████░░░░░░░░ 37/50 · 12/s · 1 s left\u{1B}[K")
        terminal.resize(columns: 20)
        clock.advance(0.5)
        await reporter.tick()
        #expect(terminal.written() == "\rusers █████░░ 37/50\u{1B}[K")
        await reporter.notice("Above the line.")
        #expect(terminal.written() == "\r\u{1B}[JNote: Above the line.\r\n")
        await reporter.tick()
        #expect(terminal.written() == "users █████░░ 37/50\u{1B}[K")
        await reporter.handle(.finished(.sampleSummary()))
        await reporter.finish()
        #expect(terminal.written() == "\r\u{1B}[J\u{1B}[?25h")
        #expect(output.written() == SummaryText.line(.sampleSummary()) + "\n")
    }

    @Test func oneLineASource() async throws {
        let terminal = try PseudoTerminal(columns: 40, rows: 3)
        let output = try TestPipe()
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: terminal.terminal))
        for source in ["posts", "tickers", "quotes"] {
            await reporter.announce(source)
            clock.advance(1)
        }
        #expect(
            terminal.written()
                == "\u{1B}[?25lposts starting\u{1B}[K\rposts starting\u{1B}[K\r\ntickers starting\u{1B}[K")
        await reporter.handle(.finished(.sampleSummary(source: "posts")))
        #expect(
            terminal.written()
                == "\r\u{1B}[1A\u{1B}[Jtickers starting\u{1B}[K\r\nquotes starting\u{1B}[K")
        await reporter.finish()
        #expect(terminal.written() == "\r\u{1B}[1A\u{1B}[J\u{1B}[?25h")
    }

    @Test(arguments: [0, 1, 5, 20])
    func narrowTerminals(_ columns: UInt16) async throws {
        let terminal = try PseudoTerminal(columns: columns)
        let output = try TestPipe()
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: terminal.terminal))
        await reporter.handle(.sampleStarted)
        await reporter.finish()
        let text = terminal.written()
        #expect(text.hasPrefix("\u{1B}[?25l") && text.hasSuffix("\u{1B}[?25h"))
        #expect(text.contains("31/50") == (columns != 1 && columns != 5))
    }

    @Test func dumbTerminalsGetPlainLines() async throws {
        let terminal = try PseudoTerminal(columns: 80)
        let output = try TestPipe()
        var configuration = configuration(output: output.writeEnd, errors: terminal.terminal)
        configuration.environment["TERM"] = "dumb"
        let reporter = ProgressReporter(configuration)
        await reporter.handle(.sampleStarted)
        #expect(terminal.written().hasPrefix("Going on with users"))
    }

    @Test func restoringShowsTheCursorAndDrawingHidesItAgain() async throws {
        let terminal = try PseudoTerminal(columns: 40)
        let output = try TestPipe()
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: terminal.terminal))
        await reporter.announce("users")
        _ = terminal.written()
        reporter.restore()
        #expect(terminal.written() == "\u{1B}[?25h\r\n")
        reporter.restore()
        #expect(terminal.written() == "")
        clock.advance(1)
        await reporter.tick()
        #expect(terminal.written() == "\u{1B}[?25l\rusers starting\u{1B}[K")
        await reporter.finish()
    }

    @Test func cursorIsShownWhenTheBodyThrows() async throws {
        let terminal = try PseudoTerminal(columns: 40)
        let output = try TestPipe()
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: terminal.terminal))
        await #expect(throws: TestFailure.self) {
            try await reporter.whileTicking {
                await reporter.announce("users")
                throw TestFailure("stop")
            }
        }
        #expect(terminal.written() == "\u{1B}[?25lusers starting\u{1B}[K\r\u{1B}[J\u{1B}[?25h")
    }

    @Test func closedPipesAreNoticed() async throws {
        let (output, errors) = (try TestPipe(), try TestPipe())
        let reporter = ProgressReporter(configuration(output: output.writeEnd, errors: errors.writeEnd))
        errors.closeReader()
        await reporter.handle(.sampleStarted)
        #expect(await !reporter.isOutputClosed)
        output.closeReader()
        await reporter.handle(.finished(.sampleSummary()))
        #expect(await reporter.isOutputClosed)
    }

    @Test func slowReadersGetAllBytes() async throws {
        let pipe = try TestPipe()
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        let text = [UInt8](repeating: 0x61, count: 1_000_000)
        let writeEnd = pipe.writeEnd
        let writer = Thread { _ = Platform.write(text, to: writeEnd) }
        writer.start()
        var count = 0
        let deadline = Date().addingTimeInterval(Sanitizer.patience)
        while count < text.count, Date() < deadline {
            count += pipe.written().utf8.count
            await Task.yield()
        }
        #expect(count == text.count)
    }
}
