import Glibc
import Synchronization

/// Ctrl-C, and the alarm that ends a measurement which takes far too long.
///
/// The handler only notes the signal; the call that waits returns early, and what was started is ended on the way out.
enum Interruption {
    private static let noted = Atomic<Int32>(0)

    /// Notes the signals from now on, instead of ending the process.
    static func watch() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { Interruption.noted.store($0, ordering: .relaxed) }
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGALRM] {
            sigaction(signal, &action, nil)
        }
    }

    /// The signal that was noted, nil for none.
    static var signal: Int32? {
        let signal = noted.load(ordering: .relaxed)
        return signal == 0 ? nil : signal
    }
}
