import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Progress on a terminal", .fewAtOnce)
struct TerminalTests {
    /// Runs `crawl` on a terminal to its end.
    ///
    /// - Parameter during: Called every few milliseconds with the program and all that it has drawn so far.
    private static func run(
        _ scene: Scene, _ arguments: [String], columns: UInt16 = 80, environment: [String: String?] = [:],
        during: (Program, String) -> Void = { _, _ in }
    ) async throws -> (result: Program.Result, drawn: String) {
        let terminal = try PseudoTerminal(columns: columns)
        let variables = ["TERM": "xterm-256color"].merging(environment) { $1 }
        let program = try scene.start(arguments, environment: variables, terminal: terminal)
        async let end = program.end(within: 30)
        var drawn = ""
        let hasEnded = await Program.wait(within: 40) {
            drawn += terminal.written()
            during(program, drawn)
            return program.hasEnded
        }
        #expect(hasEnded)
        return (await end, drawn + terminal.written())
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
        let (result, drawn) = try await Self.run(scene, ["--count", "36", "--page-size", "2"], columns: 120)
        #expect(result.exitCode == 0, "\(drawn)")
        #expect(Self.plain(drawn).contains(#/users [█░]{6,30} \d+\/36 · \d/#))
        #expect(drawn.contains(#/ · \d+(\.\d)?\/s · \d+ s left/#))
        #expect(drawn.contains(#/ · \d+ duplicates?/#))
        #expect(drawn.contains(#/ · \d retr(y|ies)/#))
        let screen = Screen(drawn)
        #expect(screen.lines.count == 1 && screen.lines[0].hasPrefix("36 users stored in output/crawl.db: 36 new, "))
        #expect(screen.isCursorShown && screen.hides > 0)
        #expect(screen.unknown == [])
        #expect(drawn.contains("\u{1B}[36m"), "the bar is coloured")
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
        var holder: Program?
        if end == .databaseInUse {
            holder = try scene.start("--count", "1000", "--page-size", "1", "--concurrency", "1")
            #expect(await Program.wait { scene.requests.count > 1 })
        }
        var sent = 0
        let count = end == .complete ? "20" : "1000"
        let (result, drawn) = try await Self.run(scene, ["--count", count, "--page-size", "1", "--concurrency", "1"]) {
            program, drawn in
            guard drawn.contains("\u{1B}[?25l"), drawn.contains("users "), scene.requests.count > 6 else { return }
            if let signal = signals[end], sent < (end == .twoSignals ? 2 : 1) {
                program.send(signal)
                sent += 1
            }
        }
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
        let (result, drawn) = try await Self.run(
            scene, ["--count", "15", "--page-size", "1", "--concurrency", "1"], columns: columns,
            environment: ["COLUMNS": nil])
        #expect(result.exitCode == 0, "\(drawn)")
        // What comes after the live line is gone is the summary, which may be wrapped by the terminal.
        let live = drawn.components(separatedBy: "\u{1B}[?25h")[0]
        let limit = columns == 0 ? 80 : Int(columns)
        #expect(Screen(live).widest < max(limit, 1), "\(live.debugDescription)")
        #expect(Screen(drawn).isCursorShown)
        try await scene.expectUsers(15)
    }

    @Test("Ctrl-Z shows the cursor while the program is stopped; it goes on afterwards")
    func suspended() async throws {
        let scene = try Scene { $0.latency = .milliseconds(30) }
        var isStopped = false
        var wasShown = false
        let (result, drawn) = try await Self.run(scene, ["--count", "20", "--page-size", "1", "--concurrency", "1"]) {
            program, drawn in
            if !isStopped, scene.requests.count > 6, drawn.contains("\u{1B}[?25l") {
                program.send(SIGTSTP)
                isStopped = true
            } else if isStopped, program.isSuspended {
                wasShown = Screen(drawn).isCursorShown
                if wasShown { program.send(SIGCONT) }
            }
        }
        #expect(isStopped && wasShown)
        #expect(result.exitCode == 0, "\(drawn)")
        #expect(Screen(drawn).isCursorShown)
        try await scene.expectUsers(20)
    }

    @Test(
        "no live line where the terminal is dumb, with --quiet and with --json",
        arguments: ["dumb", "--quiet", "--json"])
    func notLive(_ kind: String) async throws {
        let scene = try Scene()
        let (result, drawn) = try await Self.run(
            scene, ["--count", "5"] + (kind == "dumb" ? [] : [kind]),
            environment: kind == "dumb" ? ["TERM": "dumb"] : [:])
        #expect(result.exitCode == 0)
        #expect(!drawn.contains("\u{1B}"), "\(drawn.debugDescription)")
        if kind == "--quiet" { #expect(drawn == "") }
    }

    @Test("no colour where it is not wanted", arguments: ["NO_COLOR", "--color"])
    func colour(_ way: String) async throws {
        let scene = try Scene { $0.latency = .milliseconds(50) }
        let (result, drawn) = try await Self.run(
            scene,
            ["--count", "4", "--page-size", "1", "--concurrency", "1"]
                + (way == "--color" ? ["--color", "never"] : []),
            environment: way == "NO_COLOR" ? ["NO_COLOR": "1"] : [:])
        #expect(result.exitCode == 0)
        #expect(drawn.contains("\u{1B}[?25l"))
        #expect(!drawn.contains(#/\u{1B}\[[0-9;]*m/#), "\(drawn.debugDescription)")
    }

    @Test("the notice about the stand-in stands above the live line and stays")
    func notice() async throws {
        let scene = try Scene()
        let (result, drawn) = try await Self.run(
            scene, ["--count", "5", "--page-size", "1", "--rate", "20/s"], environment: Scene.outOfReach)
        #expect(result.exitCode == 0)
        let screen = Screen(drawn)
        #expect(screen.lines.count == 2, "\(screen.lines)")
        #expect(screen.lines.first?.hasPrefix("Note: ") == true)
        #expect(screen.lines.last?.hasPrefix("5 users stored in output/crawl.db") == true)
    }
}
