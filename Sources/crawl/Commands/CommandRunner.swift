import CrawlCore
import StandInAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Runs the program: reads the command line, runs the command, turns every error into a message and an exit code.
enum CommandRunner {
    /// Runs the command line to its end; the program has to exit with the code.
    static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        let stop = StopSignal()
        stop.watch()
        let code = await answer(arguments, environment: environment, stop: stop)
        let refusal = TextOutput.refusal.load(ordering: .relaxed)
        // What ended for another reason keeps its code.
        guard refusal != 0, [ExitCode.success, .brokenPipe].contains(where: { $0.rawValue == code }) else {
            return code
        }
        return ErrorReport(
            CrawlError(
                .database, "Standard output cannot be written (\(Platform.text(ofError: refusal)))",
                remedy: "What was stored is safe; free some space, then repeat the command.")
        ).print()
    }

    /// Does what the command line asks for.
    private static func answer(
        _ arguments: [String], environment: [String: String], stop: StopSignal
    ) async -> Int32 {
        let columns = Platform.size(of: 1, environment: environment).columns
        let root = CommandSpecification.crawl(version: Version.text, faultKinds: FaultKind.allCases.map(\.rawValue))
        do {
            switch try CommandParser.parse(arguments, as: root, environment: environment, columns: columns) {
            case .text(let text):
                var output = TextOutput(1)
                output.write(text.hasSuffix("\n") ? text : text + "\n")
                return ExitCode.success.rawValue
            case .command(let parsed):
                return try await run(parsed, arguments, stop)
            }
        } catch {
            return ErrorReport(error).print()
        }
    }

    private static func run(
        _ parsed: ParsedCommand, _ arguments: [String], _ stop: StopSignal
    ) async throws -> Int32 {
        try await stop.whileWatching {
            switch parsed.name {
            case "": try await CrawlCommand(parsed, arguments, stop: stop).run()
            case "resume": try await ResumeCommand(parsed, arguments, stop: stop).run()
            case "load": try await LoadCommand(parsed, arguments, stop: stop).run()
            case "watch": try await WatchCommand(parsed, arguments, stop: stop).run()
            case "probe": try await ProbeCommand(parsed, stop: stop).run()
            case "list": try await stop.whileReading { try await ListCommand(parsed).run() }
            case "export": try await ExportCommand(parsed, stop: stop).run()
            case "status": try await stop.whileReading { try await StatusCommand(parsed).run() }
            case "verify": try await stop.whileReading { try await VerifyCommand(parsed).run() }
            case "sources": try await stop.whileReading { try SourcesCommand(parsed).run() }
            case "mock-api": try await MockAPICommand(parsed).run()
            default: throw CrawlError(.failure, "The command '\(parsed.name)' is declared but not written")
            }
        }
    }
}
