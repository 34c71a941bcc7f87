import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite(
    "One signal ends what waits for a reader", .fewAtOnce,
    .enabled(if: BlockedPipe.canBeWatched, "the system does not tell in what a program waits"))
struct BlockedOutputTests {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// A command line whose output goes into a pipe that nobody reads, and a signal.
    struct Case: Sendable, CustomTestStringConvertible {
        var line: String
        var signal: Int32
        var testDescription: String { "\(line.isEmpty ? "crawl" : line), signal \(signal)" }

        /// Each line with one of the signals, the first with all.
        static func all(_ lines: [String]) -> [Case] {
            signals.map { Case(line: lines[0], signal: $0) }
                + lines.dropFirst().enumerated().map { Case(line: $1, signal: signals[$0 % signals.count]) }
        }

        var arguments: [String] { line.split(separator: " ").map(String.init) }
    }

    /// Starts a command and sends the signal as soon as it waits for a reader and `condition` holds.
    private static func end(
        _ program: Program, by signal: Int32, when condition: @escaping @Sendable () -> Bool = { true }
    ) async -> Program.Result {
        await program.end(by: signal, when: { BlockedPipe.holdsUp(program) && condition() })
    }

    private static func filled() async throws -> Scene {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "100", "--page-size", "100")
        #expect(result.exitCode == 0, "\(result)")
        return scene
    }

    private static let readers = [
        "export users -o -", "export users --format json -o -", "list users -n 0", "list users", "status",
        "status --json", "verify", "sources", "sources --schema", "sources quotes", "--help", "--version",
        "--count 5 --dry-run",
    ]

    @Test("a command that only reads", arguments: Case.all(readers))
    func reading(_ entry: Case) async throws {
        let scene = try await Self.filled()
        let pipe = try BlockedPipe(in: scene)
        let arguments = entry.arguments
        let program = try scene.start(arguments, shellPrefix: "exec 1<>\(BlockedPipe.name)")
        let result = await Self.end(program, by: entry.signal)
        #expect(result.exitCode == 128 + entry.signal, "\(result)")
        try await scene.expectUsers(100)
        withExtendedLifetime(pipe) {}
    }

    @Test("a large export, in the middle of it", arguments: signals)
    func middle(_ signal: Int32) async throws {
        let scene = try await Self.filled()
        try await scene.multiplyUsers(by: 50)
        let pipe = try BlockedPipe(in: scene, leaving: 10_000)
        let program = try scene.start(["export", "users", "-o", "-"], shellPrefix: "exec 1<>\(BlockedPipe.name)")
        let result = await Self.end(program, by: signal)
        #expect(result.exitCode == 128 + signal, "\(result)")
        withExtendedLifetime(pipe) {}
    }

    private static let files = [
        "export users -o fifo", "--count 100 --csv fifo", "--count 120 --csv fifo", "load posts --offline --csv fifo",
        "--count 100 --csv -",
    ]

    @Test("records for a named pipe that nobody opens, or for standard output", arguments: Case.all(files))
    func namedPipe(_ entry: Case) async throws {
        let scene = try await Self.filled()
        #expect(mkfifo(scene.folder.file("fifo"), 0o600) == 0)
        let pipe = try BlockedPipe(in: scene)
        let program = try scene.start(entry.arguments, shellPrefix: "exec 1<>\(BlockedPipe.name)")
        let result = await Self.end(program, by: entry.signal)
        #expect(result.exitCode == 128 + entry.signal, "\(result)")
        try await scene.expectVerified()
        withExtendedLifetime(pipe) {}
    }

    @Test(
        "an error that nobody reads",
        arguments: Case.all([
            "--nonsense", "export nothing", "--source none.json", "--count 5 --endpoint users=http://127.0.0.1:9",
        ]))
    func error(_ entry: Case) async throws {
        let scene = try await Self.filled()
        let pipe = try BlockedPipe(in: scene)
        let program = try scene.start(entry.arguments, shellPrefix: "exec 2<>\(BlockedPipe.name)")
        let result = await Self.end(program, by: entry.signal)
        #expect(result.exitCode == 128 + entry.signal, "\(result)")
        withExtendedLifetime(pipe) {}
    }

    /// A crawl with one of its outputs in the pipe.
    struct Crawl: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var options: [String]
        var descriptor: Int
    }

    private static let crawls = [
        Crawl(testDescription: "events", options: ["--json"], descriptor: 1),
        Crawl(testDescription: "requests on standard error", options: ["-v"], descriptor: 2),
    ]

    @Test("a crawl stores all that it has, and goes on when it is repeated", arguments: crawls, signals)
    func crawl(_ crawl: Crawl, _ signal: Int32) async throws {
        let server = try GatedServer.start(free: 10)
        defer { server.stop() }
        let scene = try Scene()
        let pipe = try BlockedPipe(in: scene, leaving: 200)
        let arguments = GatedServer.arguments(20)
        let environment = Scene.users(at: server.url("/"))
        let program = try scene.start(
            arguments + crawl.options, environment: environment,
            shellPrefix: "exec \(crawl.descriptor)<>\(BlockedPipe.name)")
        let result = await Self.end(program, by: signal, when: { server.requests.count == 11 })
        #expect(result.exitCode == 128 + signal, "\(result)")
        try await scene.expectUsers(10)
        let state = try await scene.query("SELECT state FROM crawl_runs")
        #expect(state == "interrupted")
        // The same for a crawl that goes on; it stores nothing twice.
        let resumed = try scene.start(
            ["resume"] + crawl.options, environment: environment,
            shellPrefix: "exec \(crawl.descriptor)<>\(BlockedPipe.name)")
        let second = await Self.end(resumed, by: signal)
        #expect(second.exitCode == 128 + signal, "\(second)")
        server.release()
        let again = try await scene.crawl(arguments, environment: environment)
        #expect(again.exitCode == 0, "\(again)")
        try await scene.expectUsers(20)
        withExtendedLifetime(pipe) {}
    }

    @Test(
        "loads keep whole what they have",
        arguments: Case.all(["load posts markets --json", "watch posts --every 1 --json", "load posts -v"]))
    func load(_ entry: Case) async throws {
        let scene = try Scene { $0.people = 40 }
        let pipe = try BlockedPipe(in: scene)
        let descriptor = entry.line.contains("-v") ? 2 : 1
        let program = try scene.start(
            entry.arguments + ["--offline"], shellPrefix: "exec \(descriptor)<>\(BlockedPipe.name)")
        let result = await Self.end(program, by: entry.signal)
        #expect(result.exitCode == 128 + entry.signal, "\(result)")
        if scene.exists("output/crawl.db") { try await scene.expectVerified() }
        withExtendedLifetime(pipe) {}
    }

    @Test("a terminal that shows nothing more", arguments: signals)
    func terminal(_ signal: Int32) async throws {
        let scene = try await Self.filled()
        try await scene.multiplyUsers(by: 50)
        let terminal = try PseudoTerminal(columns: 80)
        let program = try scene.start(["list", "users", "-n", "0"], terminal: terminal)
        let result = await Self.end(program, by: signal)
        #expect(result.exitCode == 128 + signal)
        #expect(terminal.written().contains("uid"), "it was at it")
    }

    @Test("whoever reads late gets every byte")
    func late() async throws {
        let scene = try await Self.filled()
        try await scene.multiplyUsers(by: 20)
        let result = try await scene.shell(
            """
            mkfifo pipe; "$CRAWL" export users -o - > pipe & crawl=$!
            exec 3< pipe; sleep 0.5; cat <&3 > read.csv; wait $crawl; echo $?
            "$CRAWL" export users -o whole.csv && cmp read.csv whole.csv && echo same
            """)
        #expect(result.output == "0\nsame\n", "\(result)")
    }
}
