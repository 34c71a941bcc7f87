import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Takes the signals that ask the program to stop, on a thread of its own.
///
/// The first one is handed on, so that what is fetched can still be stored; the second ends the program at once with
/// 128 and the signal's number. Ctrl-Z shows the cursor while the program is stopped.
final class SignalWatcher: Sendable {
    /// The signals that ask the program to stop.
    static let stopSignals = [SIGINT, SIGTERM, SIGHUP]

    private let onStop: @Sendable (Int32) -> Void
    private let endAtOnce: @Sendable (Int32) -> Void
    private let stops = Atomic<Int>(0)

    /// - Parameters:
    ///   - onStop: Called with the first signal's number, on the watcher's thread; must return soon.
    ///   - endAtOnce: Ends the program with an exit code, without unwinding.
    init(
        onStop: @escaping @Sendable (Int32) -> Void,
        endAtOnce: @escaping @Sendable (Int32) -> Void = { _exit($0) }
    ) {
        self.onStop = onStop
        self.endAtOnce = endAtOnce
    }

    /// Holds the signals back for this thread and all that it starts, and turns writing to a closed pipe into an error.
    ///
    /// To be called first in the program, before there is a second thread.
    static func holdSignals() {
        var signals = watched()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Starts the thread.
    ///
    /// - Returns: The thread, nil where the system has none left.
    @discardableResult
    func start() -> pthread_t? {
        let context = Unmanaged.passRetained(self).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        // Held back here, so that the new thread never is without; a test has not called `holdSignals`.
        var signals = Self.watched()
        var before = sigset_t()
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        let result = pthread_create(&thread, nil, SignalWatcher.main, context)
        pthread_sigmask(SIG_SETMASK, &before, nil)
        guard result == 0 else {
            Unmanaged<SignalWatcher>.fromOpaque(context).release()
            return nil
        }
        return thread
    }

    #if canImport(Darwin)
        private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
            Unmanaged<SignalWatcher>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }
    #else
        private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
            if let context {
                Unmanaged<SignalWatcher>.fromOpaque(context).takeRetainedValue().run()
            }
            return nil
        }
    #endif

    private func run() {
        var signals = Self.watched()
        while true {
            var number: Int32 = 0
            guard sigwait(&signals, &number) == 0 else { return }
            guard number != SIGTSTP else {
                Self.stopUntilContinued()
                continue
            }
            if take(number) { return }
        }
    }

    /// Acts on one signal.
    ///
    /// - Returns: Whether the program was told to end at once.
    func take(_ number: Int32) -> Bool {
        guard stops.add(1, ordering: .relaxed).newValue > 1 else {
            onStop(number)
            return false
        }
        CursorGuard.restore()
        endAtOnce(128 + number)
        return true
    }

    private static func stopUntilContinued() {
        CursorGuard.restore()
        kill(getpid(), SIGSTOP)
    }

    /// The signals to wait for: `nohup` has hang-ups ignored, and they stay so.
    private static func watched() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in stopSignals where !(number == SIGHUP && isIgnored(number)) {
            sigaddset(&signals, number)
        }
        if Platform.isTerminal(STDERR_FILENO), !isIgnored(SIGTSTP) {
            sigaddset(&signals, SIGTSTP)
        }
        return signals
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
