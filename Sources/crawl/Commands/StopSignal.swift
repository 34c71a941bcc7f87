import CrawlCore
import CrawlKit
import CrawlStore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The polite end: the first signal, or a reader of standard output that goes away, cancels the command's task.
///
/// A command that has nothing to store, or has stored all, is not waited for where its output makes it wait.
final class StopSignal: Sendable {
    private struct State {
        var exitCode: Int32?
        var cancel: (@Sendable () -> Void)?
        /// How many crawls store what they fetch.
        var saving = 0
        /// How many parts of the command only read the database.
        var reading = 0
        var patience = OutputPatience()

        var work: OutputPatience.Work { saving > 0 ? .saving : reading > 0 ? .reading : .telling }
    }

    private let state = Locked(State())

    /// The exit code that the signal asks for, nil as long as none has come.
    var exitCode: Int32? { state.withLock { $0.exitCode } }

    /// Begins to take the signals.
    ///
    /// To be called before the first word is written: until then they are held back.
    func watch() {
        let watcher = SignalWatcher(
            onStop: { self.stop(with: 128 + $0) }, hasWaitedEnough: { self.hasWaitedEnough() },
            endAtOnce: { code in
                CursorGuard.restore()
                UnfinishedFiles.remove()
                _exit(code)
            })
        if !watcher.start() { SignalWatcher.letSignalsGo() }
    }

    /// Runs a command and returns its exit code; a signal cancels it and decides the code.
    func whileWatching(_ body: @escaping @Sendable () async throws -> Int32) async throws -> Int32 {
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

    /// Runs what stores records: however long it takes after a signal, it is waited for.
    func whileSaving<Result>(_ body: () async -> Result) async -> Result {
        state.withLock { $0.saving += 1 }
        defer { state.withLock { $0.saving -= 1 } }
        return await body()
    }

    /// Runs what only reads the database: after a signal nothing of it is waited for.
    func whileReading<Result>(_ body: () async throws -> Result) async throws -> Result {
        state.withLock { $0.reading += 1 }
        defer { state.withLock { $0.reading -= 1 } }
        return try await body()
    }

    /// Stops because nobody reads standard output any more.
    func outputClosed() {
        stop(with: ExitCode.brokenPipe.rawValue)
    }

    private func hasWaitedEnough() -> Bool {
        let progress = OutputCall.progress
        return state.withLock { $0.patience.isOver($0.work, progress) }
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
