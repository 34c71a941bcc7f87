import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Shows the cursor again however the program ends.
///
/// `restore` allocates nothing and takes no lock, so that it may be called from a signal handler, from the thread that
/// takes the signals, and at exit.
enum CursorGuard {
    /// The descriptor of the terminal whose cursor is hidden, or -1.
    private static let terminal = Atomic<Int32>(-1)
    private static let isInstalled = Atomic<Bool>(false)

    /// The sequence that hides the cursor, empty where it is hidden already; to be written to the terminal at once.
    static func hide(on descriptor: Int32) -> String {
        install()
        return terminal.exchange(descriptor, ordering: .sequentiallyConsistent) == descriptor ? "" : "\u{1B}[?25l"
    }

    /// The sequence that shows the cursor, empty where it is not hidden; to be written to the terminal at once.
    static func show() -> String {
        terminal.exchange(-1, ordering: .sequentiallyConsistent) < 0 ? "" : "\u{1B}[?25h"
    }

    /// Shows the cursor, and goes to a new line below what stands there, if the cursor is hidden.
    ///
    /// A terminal that is held, and takes nothing now, is left as it is: nobody could be told to let it go.
    static func restore() {
        let descriptor = terminal.exchange(-1, ordering: .sequentiallyConsistent)
        guard descriptor >= 0 else { return }
        var place = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&place, 1, 100) != 0 else { return }
        let sequence: StaticString = "\u{1B}[?25h\n"
        _ = Platform.writeOnce(
            UnsafeRawBufferPointer(start: sequence.utf8Start, count: sequence.utf8CodeUnitCount), to: descriptor)
    }

    /// Arranges for `restore` at exit and before the signals that end a program by themselves.
    private static func install() {
        guard !isInstalled.exchange(true, ordering: .sequentiallyConsistent) else { return }
        atexit { CursorGuard.restore() }
        for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] {
            _ = signal(number) { number in
                CursorGuard.restore()
                // Held back until this handler returns, then ends the program as it would have.
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }
}
