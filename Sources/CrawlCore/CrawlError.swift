/// An error that a person can act on: what happened and where, and what to do next.
///
/// Every error that leaves a public function of the package is one of these; one function of the executable turns it
/// into text and an exit code.
public struct CrawlError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The exit code that the command line ends with.
    public let exitCode: ExitCode
    /// What happened, to what and where.
    ///
    /// One sentence without a full stop; holds no secret.
    public let message: String
    /// What to do next; a whole sentence, or nil where nothing helps.
    public let remedy: String?

    package init(_ exitCode: ExitCode, _ message: String, remedy: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.remedy = remedy
    }

    /// The message and, on a second line, the remedy.
    public var description: String {
        guard let remedy else { return message }
        return message + "\n" + remedy
    }
}
