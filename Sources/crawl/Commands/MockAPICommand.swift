import CrawlCore
import StandInAPI

/// `crawl mock-api`: the stand-in as a program of its own, until a signal ends it.
struct MockAPICommand: Sendable {
    let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
    }

    func run() async throws -> Int32 {
        let server = try StandInServer(configuration: configuration())
        var output = TextOutput(1)
        output.writeLine("Serving made-up data at \(server.baseURL) (seed \(server.seed)); Ctrl-C ends it")
        for (name, path) in StandInAPI.paths where !name.contains(".") {
            output.writeLine("  \(name.padded(to: 11)) \(server.baseURL)\(path)")
        }
        await Self.untilCancelled()
        server.stop()
        return ExitCode.success.rawValue
    }

    private func configuration() throws -> StandInConfiguration {
        var configuration = StandInConfiguration()
        configuration.port = parsed.wholeNumber("port") ?? 0
        configuration.seed = parsed.wholeNumber("seed").map(UInt64.init)
        configuration.people = parsed.wholeNumber("people")
        configuration.latency = .milliseconds(parsed.wholeNumber("latency") ?? 0)
        for text in parsed.texts("fault") {
            do {
                configuration.faults.append(try Fault(parsing: text))
            } catch {
                throw parsed.usageError(
                    error.message + "." + (error.remedy.map { " " + $0 } ?? ""), about: "fault")
            }
        }
        return configuration
    }

    private static func untilCancelled() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
        for await _ in stream {}
        continuation.finish()
    }
}

extension String {
    /// The text with blanks behind it up to a width.
    fileprivate func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
