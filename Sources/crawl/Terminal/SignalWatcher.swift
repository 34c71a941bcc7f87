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
/// 128 and the signal's number, and so does the first where nothing is left but to wait for a reader of the output that
/// may never come. Ctrl-Z shows the cursor while the program is stopped.
///
/// The signals go through a handler and a pipe, not `sigwait`: the thread that Dispatch leaves behind for the main one
/// holds no signal back, and would die of what the others wait for.
final class SignalWatcher: Sendable {
    /// The signals that ask the program to stop.
    static let stopSignals = [SIGINT, SIGTERM, SIGHUP]
    /// The signal of a terminal that is closed.
    static let hangUp = SIGHUP

    /// The end of the pipe that the handler writes to, or -1.
    private static let pipeEntrance = Atomic<Int32>(-1)

    private let onStop: @Sendable (Int32) -> Void
    private let hasWaitedEnough: @Sendable () -> Bool
    private let endAtOnce: @Sendable (Int32) -> Void
    private let pipeExit = Atomic<Int32>(-1)

    /// - Parameters:
    ///   - onStop: Called with the first signal's number, on the watcher's thread; must return soon.
    ///   - hasWaitedEnough: Asked every `OutputPatience.interval` after the first signal: whether to end at once.
    ///   - endAtOnce: Ends the program with an exit code, without unwinding.
    init(
        onStop: @escaping @Sendable (Int32) -> Void,
        hasWaitedEnough: @escaping @Sendable () -> Bool = { false },
        endAtOnce: @escaping @Sendable (Int32) -> Void
    ) {
        self.onStop = onStop
        self.hasWaitedEnough = hasWaitedEnough
        self.endAtOnce = endAtOnce
    }

    /// Holds the signals back for this thread and all that it starts, so that they interrupt no system call of theirs,
    /// and turns writing to a closed pipe into an error.
    ///
    /// To be called first in the program, before there is a second thread; the watcher takes what has come meanwhile.
    static func holdSignals() {
        var signals = watched()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        signal(SIGPIPE, SIG_IGN)
        // A shell without job control has its background programs ignore Ctrl-C, and an ignored signal is forgotten
        // even while it is held back.
        for number in watchedNumbers() where isIgnored(number) { signal(number, SIG_DFL) }
    }

    /// Lets the signals that `holdSignals` holds back end the program by themselves, where there is no watcher.
    static func letSignalsGo() {
        var signals = watched()
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Takes the signals over, in place of an earlier watcher.
    ///
    /// - Returns: Whether the system granted the thread and the pipe.
    @discardableResult
    func start() -> Bool {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return false }
        _ = ends.map { fcntl($0, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        pipeExit.store(ends[0], ordering: .sequentiallyConsistent)
        let context = Unmanaged.passRetained(self).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        guard pthread_create(&thread, nil, SignalWatcher.main, context) == 0 else {
            Unmanaged<SignalWatcher>.fromOpaque(context).release()
            _ = ends.map { close($0) }
            return false
        }
        // Nobody waits for its end, so that the system may forget it then.
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
        let earlier = Self.pipeEntrance.exchange(ends[1], ordering: .sequentiallyConsistent)
        if earlier >= 0 { close(earlier) }
        for number in Self.watchedNumbers() {
            _ = signal(number) { number in
                let entrance = SignalWatcher.pipeEntrance.load(ordering: .sequentiallyConsistent)
                let byte = UInt8(truncatingIfNeeded: number)
                // The interrupted code must find the error number as it left it.
                let before = errno
                _ = withUnsafeBytes(of: byte) { Platform.writeOnce($0, to: entrance) }
                errno = before
            }
        }
        return true
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
        let exit = pipeExit.load(ordering: .sequentiallyConsistent)
        defer { close(exit) }
        var signals = Self.watched()
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        var first: Int32?
        while true {
            if let first, !hasCome(at: exit) {
                guard hasWaitedEnough() else { continue }
                return endAtOnce(128 + first)
            }
            var byte: UInt8 = 0
            let count = read(exit, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1 else { return }
            let number = Int32(byte)
            if number == SIGTSTP {
                CursorGuard.restore()
                kill(getpid(), SIGSTOP)
            } else if first != nil {
                return endAtOnce(128 + number)
            } else {
                first = number
                onStop(number)
            }
        }
    }

    /// Whether a signal comes before it is time to ask again.
    private func hasCome(at exit: Int32) -> Bool {
        var pipe = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
        return poll(&pipe, 1, OutputPatience.interval) != 0
    }

    private static func watched() -> sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in watchedNumbers() {
            sigaddset(&signals, number)
        }
        return signals
    }

    /// `nohup` has hang-ups ignored, and they stay so; Ctrl-Z matters only where a cursor can be hidden.
    private static func watchedNumbers() -> [Int32] {
        let stopping = stopSignals.filter { !($0 == SIGHUP && isIgnored($0)) }
        return Platform.isTerminal(STDERR_FILENO) && !isIgnored(SIGTSTP) ? stopping + [SIGTSTP] : stopping
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
