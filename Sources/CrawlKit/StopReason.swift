/// Why the task of a crawl was cancelled, for the ledger.
///
/// Cancelling carries no reason of its own; whoever cancels may leave one here for all that runs in the task.
package enum StopReason {
    /// Tells the reason once there is one; called when a cancelled run is entered in the ledger.
    @TaskLocal package static var current: @Sendable () -> String? = { nil }

    /// The reason as the ledger keeps it.
    static var text: String { current() ?? "stopped by the user" }
}
