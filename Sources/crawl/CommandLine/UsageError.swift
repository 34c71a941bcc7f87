import CrawlCore

/// A command line that cannot be understood, with the usage line that helps.
struct UsageError: Error, Sendable, Equatable {
    /// What is wrong, without a leading `Error:`.
    let message: String
    /// The usage of the command in question and where its help is.
    let usage: String
    /// The option in question and its help, where one is.
    let help: String?

    /// The exit code that it ends with.
    let exitCode = ExitCode.usage

    init(_ message: String, usage: String, help: String? = nil) {
        self.message = message
        self.usage = usage
        self.help = help
    }

    /// The lines for standard error, without a closing line break.
    var text: String {
        "Error: \(message)\n" + (help.map { "Help:  \($0)\n" } ?? "") + usage
    }
}
