import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Progress on a terminal", .fewAtOnce)
struct TerminalTests {
    /// What came of a program on a terminal.
    private struct Session: Sendable {
        var result: Program.Result
        /// All that it drew.
        var drawn: String
        /// How far `during` got.
        var step = 0
    }

    /// Runs `crawl` on a terminal to its end.
    ///
    /// - Parameter during: Called every few milliseconds with the program, all that it has drawn so far, and a number of
    ///   its own, 0 at first.
    private static func run(
        _ scene: Scene, _ arguments: [String], columns: UInt16 = 80, environment: [String: String?] = [:],
        during: @escaping @Sendable (Program, String, inout Int) -> Void = { _, _, _ in }
    ) async throws -> Session {
        let terminal = try PseudoTerminal(columns: columns)
        let variables = ["TERM": "xterm-256color"].merging(environment) { $1 }
        let program = try scene.start(arguments, environment: variables, terminal: terminal)
        // A thread of its own reads and sends signals: those that tests share may be busy for seconds.
        return await Program.onOwnThread {
            var (drawn, step) = ("", 0)
            let deadline = ContinuousClock.now + .seconds(Sanitizer.patience)
            while !program.isGone, ContinuousClock.now < deadline {
                drawn += terminal.written()
                during(program, drawn, &step)
                usleep(2000)
            }
            let result = program.waitForEnd(1)
            return Session(result: result, drawn: drawn + terminal.written(), step: step)
        }
    }

    /// The text without its colours.
    private static func plain(_ drawn: String) -> String {
        drawn.replacing(#/\u{1B}\[[0-9;]*m/#, with: "")
    }

    @Test("a live line with bar, count, rate, time left, duplicates and retries; at the end the summary alone")
    func liveLine() async throws {
        let scene = try Scene {
            $0.people = 40
            $0.latency = .milliseconds(40)
            $0.faults = [Fault(.unavailable, in: 4...5)]
        }
        let session = try await Self.run(scene, ["--count", "36", "--page-size", "2"], columns: 120)
        #expect(session.result.exitCode == 0, "\(session.drawn)")
        #expect(Self.plain(session.drawn).contains(#/users [█░]{6,30} \d+\/36 · \d/#))
        #expect(session.drawn.contains(#/ · \d+(\.\d)?\/s · \d+ s left/#))
        #expect(session.drawn.contains(#/ · \d+ duplicates?/#))
        #expect(session.drawn.contains(#/ · \d retr(y|ies)/#))
        let screen = Screen(session.drawn)
        #expect(screen.lines.count == 1 && screen.lines[0].hasPrefix("36 users stored in output/crawl.db: 36 new, "))
        #expect(screen.isCursorShown && screen.hides > 0)
        #expect(screen.unknown == [])
        #expect(session.drawn.contains("\u{1B}[36m"), "the bar is coloured")
    }

    enum End: String, CaseIterable, Sendable {
        case complete, interrupt, terminate, hangUp, twoSignals, failure, databaseInUse
    }

    @Test("the cursor is hidden while the line moves, and shown again after every kind of end", arguments: End.allCases)
    func cursor(_ end: End) async throws {
        let scene = try Scene { $0.latency = .milliseconds(30) }
        let signals: [End: Int32] = [
            .interrupt: SIGINT, .terminate: SIGTERM, .hangUp: SIGHUP, .twoSignals: SIGINT,
        ]
        if end == .failure { scene.server.replaceFaults([Fault(.notFound, in: 8...Int.max)]) }
        let server = try GatedServer.start(free: 1)
        defer { server.stop() }
        var holder: Program?
        if end == .databaseInUse {
            holder = try scene.start(GatedServer.arguments(9), environment: Scene.users(at: server.url("/")))
            #expect(await Program.wait { server.requests.count == 2 })
        }
        let count = end == .complete ? "20" : "1000"
        let session = try await Self.run(scene, ["--count", count, "--page-size", "1", "--concurrency", "1"]) {
            program, drawn, step in
            guard drawn.contains("\u{1B}[?25l"), drawn.contains("users "), scene.requests.count > 6 else { return }
            if let signal = signals[end], step < (end == .twoSignals ? 2 : 1) {
                program.send(signal)
                step += 1
            }
        }
        let (result, drawn) = (session.result, session.drawn)
        holder?.send(SIGKILL)
        let codes: [End: Int32] = [
            .complete: 0, .interrupt: 130, .terminate: 143, .hangUp: 129, .twoSignals: 130, .failure: 69,
            .databaseInUse: 75,
        ]
        #expect(result.exitCode == codes[end], "\(drawn)")
        let screen = Screen(drawn)
        #expect(screen.hides > 0, "it was never hidden")
        #expect(screen.isCursorShown, "\(drawn.debugDescription)")
        #expect(screen.column == 0, "the prompt would not begin a line: \(drawn.debugDescription)")
        if end == .failure || end == .databaseInUse {
            #expect(screen.lines.contains { $0.hasPrefix("Error: ") }, "\(screen.lines)")
        }
        if end == .interrupt {
            #expect(screen.lines.last?.contains(" of 1000 users. Continue with: crawl --count 1000") == true)
        }
        #expect(!screen.lines.contains { $0.contains("█") || $0.contains("░") } || end == .twoSignals)
    }

    @Test("no line is wider than the terminal", arguments: [0, 1, 2, 10, 20, 40, 79, 200] as [UInt16])
    func widths(_ columns: UInt16) async throws {
        let scene = try Scene { $0.latency = .milliseconds(30) }
        let session = try await Self.run(
            scene, ["--count", "15", "--page-size", "1", "--concurrency", "1"], columns: columns,
            environment: ["COLUMNS": nil])
        #expect(session.result.exitCode == 0, "\(session.drawn)")
        // What comes after the live line is gone is the summary, which may be wrapped by the terminal.
        let live = session.drawn.components(separatedBy: "\u{1B}[?25h")[0]
        let limit = columns == 0 ? 80 : Int(columns)
        #expect(Screen(live).widest < max(limit, 1), "\(live.debugDescription)")
        #expect(Screen(session.drawn).isCursorShown)
        try await scene.expectUsers(15)
    }

    @Test("Ctrl-Z shows the cursor while the program is stopped; it goes on afterwards")
    func suspended() async throws {
        let scene = try Scene { $0.latency = .milliseconds(30) }
        let session = try await Self.run(scene, ["--count", "20", "--page-size", "1", "--concurrency", "1"]) {
            program, drawn, step in
            if step == 0, scene.requests.count > 6, drawn.contains("\u{1B}[?25l") {
                program.send(SIGTSTP)
                step = 1
            } else if step == 1, program.isSuspended, Screen(drawn).isCursorShown {
                program.send(SIGCONT)
                step = 2
            }
        }
        #expect(session.step == 2)
        #expect(session.result.exitCode == 0, "\(session.drawn)")
        #expect(Screen(session.drawn).isCursorShown)
        try await scene.expectUsers(20)
    }

    @Test(
        "no live line where the terminal is dumb, with --quiet and with --json",
        arguments: ["dumb", "--quiet", "--json"])
    func notLive(_ kind: String) async throws {
        let scene = try Scene()
        let session = try await Self.run(
            scene, ["--count", "5"] + (kind == "dumb" ? [] : [kind]),
            environment: kind == "dumb" ? ["TERM": "dumb"] : [:])
        #expect(session.result.exitCode == 0)
        #expect(!session.drawn.contains("\u{1B}"), "\(session.drawn.debugDescription)")
        if kind == "--quiet" { #expect(session.drawn == "") }
    }

    @Test("no colour where it is not wanted", arguments: ["NO_COLOR", "--color"])
    func colour(_ way: String) async throws {
        let scene = try Scene { $0.latency = .milliseconds(50) }
        let session = try await Self.run(
            scene,
            ["--count", "4", "--page-size", "1", "--concurrency", "1"]
                + (way == "--color" ? ["--color", "never"] : []),
            environment: way == "NO_COLOR" ? ["NO_COLOR": "1"] : [:])
        #expect(session.result.exitCode == 0)
        #expect(session.drawn.contains("\u{1B}[?25l"))
        #expect(!session.drawn.contains(#/\u{1B}\[[0-9;]*m/#), "\(session.drawn.debugDescription)")
    }

    @Test("the notice about the stand-in stands above the live line and stays")
    func notice() async throws {
        let scene = try Scene()
        let session = try await Self.run(
            scene, ["--count", "5", "--page-size", "1", "--rate", "20/s"], environment: Scene.outOfReach)
        #expect(session.result.exitCode == 0)
        let screen = Screen(session.drawn)
        #expect(screen.lines.count == 2, "\(screen.lines)")
        #expect(screen.lines.first?.hasPrefix("Note: ") == true)
        #expect(screen.lines.last?.hasPrefix("5 users stored in output/crawl.db") == true)
    }
}
