import CrawlCore

/// Turns an error into lines for standard error and the exit code: the only place that does.
struct ErrorReport {
    /// The lines, without a closing line break.
    let text: String
    /// The exit code of the contract.
    let exitCode: ExitCode

    init(_ error: any Error) {
        switch error {
        case let error as UsageError:
            text = SafeText.visible(error.text, keepsLineBreaks: true)
            exitCode = error.exitCode
        case let error as CrawlError:
            text = Self.text(of: error)
            exitCode = error.exitCode
        default:
            text = "Error: An unexpected error: \(SafeText.visible(String(describing: error)))"
            exitCode = .failure
        }
    }

    /// Prints the lines, but for an exit that needs no words, and returns the number to exit with.
    func print() -> Int32 {
        if exitCode != .brokenPipe {
            var errors = TextOutput(2)
            errors.writeLine(text)
        }
        return exitCode.rawValue
    }

    private static func text(of error: CrawlError) -> String {
        let message = SafeText.visible(error.message, keepsLineBreaks: true)
        let lines = ["Error: \(message)"] + (error.remedy.map { [SafeText.visible($0, keepsLineBreaks: true)] } ?? [])
        return lines.joined(separator: "\n")
    }
}
