/// Runs work that reports events while they are read.
///
/// A reader that stops reading, or whose task is cancelled, cancels the work; that then stores what it has fetched.
///
/// - Parameter work: Takes the function to report with; it is over when it returns.
func eventStream(
    _ work: @escaping @Sendable (@escaping @Sendable (CrawlEvent) -> Void) async -> Void
) -> AsyncStream<CrawlEvent> {
    AsyncStream { continuation in
        // A task of its own, for the reader waits for events and not for the work; ended with the stream.
        let task = Task {
            await work { continuation.yield($0) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
    }
}

extension CrawlEvent.Summary {
    /// The summary, where what was wanted is stored.
    ///
    /// - Throws: The summary's error; `CancellationError` where a cancelled task stopped the crawl.
    func completed() throws -> CrawlEvent.Summary {
        if let error { throw error }
        if outcome == .interrupted { throw CancellationError() }
        return self
    }
}
