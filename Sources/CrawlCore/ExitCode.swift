/// The exit codes of the command line, as the README documents them.
///
/// The numbers from 64 on follow BSD's `sysexits.h`.
public enum ExitCode: Int32, Sendable, CaseIterable {
    /// The target is reached, or there was nothing to do.
    case success = 0
    /// A failure that no other code describes.
    case failure = 1
    /// Fewer records than asked: the source is exhausted, stalled, or too many records were rejected.
    case fewer = 3
    /// The command line is wrong.
    case usage = 64
    /// The answer cannot be read as the source file says.
    case unreadable = 65
    /// The source is unavailable after all retries.
    case unavailable = 69
    /// An output file cannot be created.
    case cannotCreate = 73
    /// The database or the disk failed.
    case database = 74
    /// Stopped for now; going on later will work.
    case tryLater = 75
    /// The pagination runs in a circle.
    case paginationLoop = 76
    /// The server refuses access (401 or 403).
    case denied = 77
    /// The source file is wrong.
    case badSource = 78
    /// Ended by SIGINT.
    case interrupted = 130
    /// Standard output was closed by its reader.
    case brokenPipe = 141
    /// Ended by SIGTERM.
    case terminated = 143
}
