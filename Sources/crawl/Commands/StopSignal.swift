import CrawlCore
import CrawlKit

/// The polite end: the first signal, or a reader of standard output that goes away, cancels the command's task.
final class StopSignal: Sendable {
    private struct State {
        var exitCode: Int32?
        var cancel: (@Sendable () -> Void)?
    }

    private let state = Locked(State())

    /// The exit code that the signal asks for, nil as long as none has come.
    var exitCode: Int32? { state.withLock { $0.exitCode } }

    /// Runs a command and returns its exit code; a signal cancels it and decides the code.
    func whileWatching(_ body: @escaping @Sendable () async throws -> Int32) async throws -> Int32 {
        // First of all: until the watcher takes them, signals end the program where it stands.
        SignalWatcher { self.stop(with: 128 + $0) }.start()
        // A task of its own, for a signal has to cancel it from outside; awaited below, so that it outlives nobody.
        let task = Task { try await body() }
        let hasCome = state.withLock { state in
            state.cancel = { task.cancel() }
            return state.exitCode != nil
        }
        if hasCome { task.cancel() }
        let code: Int32
        do {
            code = try await task.value
        } catch is CancellationError {
            code = ExitCode.failure.rawValue
        }
        return exitCode ?? code
    }

    /// Stops because nobody reads standard output any more.
    func outputClosed() {
        stop(with: ExitCode.brokenPipe.rawValue)
    }

    private func stop(with code: Int32) {
        if let reason = Self.reason(code) { StopReason.note(reason) }
        let cancel = state.withLock { state in
            state.exitCode = state.exitCode ?? code
            return state.cancel
        }
        cancel?()
    }

    /// Why the crawl stopped, where that was not a person's wish.
    private static func reason(_ code: Int32) -> String? {
        switch code {
        case ExitCode.brokenPipe.rawValue: "whoever read standard output has gone"
        case 128 + SignalWatcher.hangUp: "the terminal was closed"
        default: nil
        }
    }
}
