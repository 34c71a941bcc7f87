import CrawlCore

/// Why the crawls of this program are cancelled, for the ledger.
///
/// Cancelling carries no reason of its own. The program leaves one here before it cancels; a library leaves none. One
/// for the whole process, for it is the process that loses its terminal or the reader of its output.
package enum StopReason {
    private static let given = Locked<String?>(nil)

    /// Notes the reason; the first one stays.
    package static func note(_ reason: String) {
        given.withLock { $0 = $0 ?? reason }
    }

    /// The reason as the ledger keeps it.
    static var text: String { given.withLock { $0 } ?? "stopped by the user" }
}
