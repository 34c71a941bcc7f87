import CCurl

import CrawlCore

/// The way from the tasks that send requests to the thread that carries them out.
final class TransferInbox: Sendable {
    /// What the thread takes at a time.
    struct Content {
        /// Transfers that begin, each with the task that waits for it.
        var starts: [(transfer: Transfer, continuation: Transfer.Continuation)] = []
        /// Transfers whose tasks gave up; some may be among `starts`.
        var cancels: [Transfer] = []
        /// Whether the thread has to end.
        var isClosing = false
        /// Whether there is memory again for answers that wait for it.
        var hasFreedMemory = false
    }

    /// Wakes a thread that sleeps in `curl_multi_poll`.
    private struct Alarm: @unchecked Sendable {
        // Unchecked: curl_multi_wakeup is the one function that any thread may call; the lock of the alarm keeps the
        // handle alive meanwhile.
        let multi: UnsafeMutableRawPointer

        func ring() {
            curl_multi_wakeup(multi)
        }
    }

    private struct State {
        var content = Content()
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
        var isAsleep = false
        var hasEnded = false

        /// Whether the thread has to be woken, once for all that is handed over while it sleeps.
        mutating func wakes() -> Bool {
            defer { isAsleep = false }
            return isAsleep
        }
    }

    private let state = Locked(State())
    /// What wakes the thread, while there is something to wake; with a lock of its own, so that the thread that was
    /// woken finds the other one free.
    private let alarm = Locked<Alarm?>(nil)

    /// What a transfer ends with where the thread is gone or going.
    static let closed = FetchFailure.network(.cancelled, detail: "the HTTP client is closed")

    // MARK: - For tasks

    /// Hands over a transfer that begins; its outcome comes through `continuation`.
    func start(_ transfer: Transfer, _ continuation: Transfer.Continuation) {
        let wakes: Bool? = state.withLock { state in
            guard !state.hasEnded, !state.content.isClosing else { return nil }
            state.content.starts.append((transfer, continuation))
            return state.wakes()
        }
        guard let wakes else { return continuation.resume(returning: .failure(Self.closed)) }
        if wakes { ring() }
    }

    /// Ends a transfer, wherever it is on its way.
    func cancel(_ transfer: Transfer) {
        let wakes = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.content.cancels.append(transfer)
            return state.wakes()
        }
        if wakes { ring() }
    }

    /// Tells that there is memory again for answers that wait for it.
    func noteFreedMemory() {
        let wakes = state.withLock { state in
            guard !state.hasEnded else { return false }
            state.content.hasFreedMemory = true
            return state.wakes()
        }
        if wakes { ring() }
    }

    /// Asks the thread to end; returns at once.
    func close() {
        let wakes = state.withLock { state in
            state.content.isClosing = true
            return state.wakes()
        }
        if wakes { ring() }
    }

    /// Returns when the thread has let go of everything.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waitingForEnd.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func ring() {
        alarm.withLock { $0?.ring() }
    }

    // MARK: - For the thread

    /// Names the handle that the thread will sleep in.
    func open(_ multi: UnsafeMutableRawPointer) {
        let opened = Alarm(multi: multi)
        alarm.withLock { $0 = opened }
    }

    /// Takes all that was handed over.
    func take() -> Content {
        state.withLock { state in
            defer {
                state.content.starts.removeAll(keepingCapacity: true)
                state.content.cancels.removeAll(keepingCapacity: true)
                state.content.hasFreedMemory = false
            }
            state.isAsleep = false
            return state.content
        }
    }

    /// Whether the thread may sleep; if so, whatever is handed over from now on wakes it.
    func fallAsleep() -> Bool {
        state.withLock { state in
            let content = state.content
            state.isAsleep =
                content.starts.isEmpty && content.cancels.isEmpty && !content.isClosing && !content.hasFreedMemory
            return state.isAsleep
        }
    }

    /// Takes nothing any more; what was handed over last ends.
    func end() {
        let starts = state.withLock { state in
            state.hasEnded = true
            defer { state.content = Content(isClosing: true) }
            return state.content.starts
        }
        alarm.withLock { $0 = nil }
        for start in starts { start.continuation.resume(returning: .failure(Self.closed)) }
    }

    /// Tells those who wait for the end that everything is let go of.
    func announceEnd() {
        let waiting = state.withLock { state in
            defer { state.waitingForEnd = [] }
            return state.waitingForEnd
        }
        for continuation in waiting { continuation.resume() }
    }
}
