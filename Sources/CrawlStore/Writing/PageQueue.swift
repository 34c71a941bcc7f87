import CrawlCore

/// The pages that wait for the disk, of all runs, in the order in which they came.
final class PageQueue: Sendable {
    /// The most pages of one run that wait while its lanes go on.
    ///
    /// They are committed together: the more there are, the fewer times a page of the key's index is written.
    static let capacity = 16

    private struct State {
        var waiting: [PageSubmission] = []
        var waitingCount: [ObjectIdentifier: Int] = [:]
        var suspended: [(submission: PageSubmission, continuation: CheckedContinuation<Void, any Error>)] = []
        var closed: CrawlError?
        /// Whether the thread has been asked already to commit what waits.
        var isScheduled = false

        /// Puts the page in the line; true where the thread must be told.
        mutating func admit(_ submission: PageSubmission) -> Bool {
            waiting.append(submission)
            waitingCount[ObjectIdentifier(submission.writer), default: 0] += 1
            defer { isScheduled = true }
            return !isScheduled
        }

        func hasRoom(for writer: RunWriter) -> Bool {
            waitingCount[ObjectIdentifier(writer), default: 0] < PageQueue.capacity
        }
    }

    private let state = Locked(State())

    /// Takes the page if fewer than `capacity` of its run wait.
    ///
    /// - Throws: `CrawlError` where the run has failed or the store is closed.
    func addIfRoom(_ submission: PageSubmission, core: StoreCore) throws -> Bool {
        try state.withLock { state in
            if let failure = submission.writer.failure ?? state.closed { throw failure }
            guard state.hasRoom(for: submission.writer) else { return false }
            if state.admit(submission) { core.scheduleCommit() }
            return true
        }
    }

    /// Takes the page now or as soon as there is room, and then resumes the continuation.
    func add(_ submission: PageSubmission, _ continuation: CheckedContinuation<Void, any Error>, core: StoreCore) {
        let result: Result<Void, any Error>? = state.withLock { state in
            if let failure = submission.writer.failure ?? state.closed { return .failure(failure) }
            guard state.hasRoom(for: submission.writer) else {
                state.suspended.append((submission, continuation))
                return nil
            }
            if state.admit(submission) { core.scheduleCommit() }
            return .success(())
        }
        if let result { continuation.resume(with: result) }
    }

    /// All pages that wait; lets those that were suspended move up.
    func takeAll(core: StoreCore) -> [PageSubmission] {
        let (taken, admitted) = state.withLock { state in
            let taken = state.waiting
            state.waiting = []
            state.waitingCount = [:]
            state.isScheduled = false
            var admitted: [CheckedContinuation<Void, any Error>] = []
            var left: [(PageSubmission, CheckedContinuation<Void, any Error>)] = []
            for (submission, continuation) in state.suspended {
                if state.hasRoom(for: submission.writer) {
                    // Told before the continuation resumes, so that what its task asks for next comes after the page.
                    if state.admit(submission) { core.scheduleCommit() }
                    admitted.append(continuation)
                } else {
                    left.append((submission, continuation))
                }
            }
            state.suspended = left
            return (taken, admitted)
        }
        for continuation in admitted { continuation.resume() }
        return taken
    }

    /// Ends the runs of these writers: drops what of them waits and refuses what comes.
    func fail(_ writers: [RunWriter], with error: CrawlError) {
        let failed = Set(writers.map(ObjectIdentifier.init))
        let refused = state.withLock { state in
            for writer in writers { writer.fail(with: error) }
            state.waiting.removeAll { failed.contains(ObjectIdentifier($0.writer)) }
            for identifier in failed { state.waitingCount[identifier] = nil }
            let refused = state.suspended.filter { failed.contains(ObjectIdentifier($0.submission.writer)) }
            state.suspended.removeAll { failed.contains(ObjectIdentifier($0.submission.writer)) }
            return refused.map(\.continuation)
        }
        for continuation in refused { continuation.resume(throwing: error) }
    }

    /// Refuses every page from now on.
    func close(with error: CrawlError) {
        let refused = state.withLock { state in
            state.closed = error
            state.waiting = []
            defer { state.suspended = [] }
            return state.suspended.map(\.continuation)
        }
        for continuation in refused { continuation.resume(throwing: error) }
    }
}
