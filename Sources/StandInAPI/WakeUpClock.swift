#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import CMicroHTTPD

/// Lets connections sleep without holding the server's thread, and wakes them.
///
/// One thread of its own waits for the earliest of them. A connection is put to sleep and listed under the lock, so
/// that `stop()` finds each one: libmicrohttpd must not be stopped while connections are suspended. The class is shared
/// unchecked because its fields are only touched under `mutex`, except `thread`, which only `init` and the first caller
/// of `stop()` touch.
final class WakeUpClock: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var sleeping: [(due: UInt64, connection: OpaquePointer)] = []
    private var stopped = false
    private var thread = pthread_t()

    /// Starts the thread; nil where the system refuses one.
    init?() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<WakeUpClock>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            stopped = true
            return nil
        }
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Suspends a connection for a time; false, and no sleep, once the clock is stopped.
    ///
    /// May only be called within libmicrohttpd's callbacks for that connection.
    func sleep(_ connection: OpaquePointer, for duration: Duration) -> Bool {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = UInt64(max(0, seconds)) * 1_000_000_000 + UInt64(max(0, attoseconds) / 1_000_000_000)
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        guard !stopped else { return false }
        MHD_suspend_connection(connection)
        sleeping.append((Self.now() + nanoseconds, connection))
        pthread_cond_signal(condition)
        return true
    }

    /// Whether `stop()` was called.
    var isStopped: Bool {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return stopped
    }

    /// Wakes all connections, lets none sleep again, and joins the thread; to be called once.
    func stop() {
        pthread_mutex_lock(mutex)
        stopped = true
        for sleeper in sleeping { MHD_resume_connection(sleeper.connection) }
        sleeping = []
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
        pthread_join(thread, nil)
    }

    private func run() {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while !stopped {
            let now = Self.now()
            var earliest: UInt64?
            sleeping.removeAll { sleeper in
                guard sleeper.due > now else {
                    MHD_resume_connection(sleeper.connection)
                    return true
                }
                earliest = min(earliest ?? .max, sleeper.due)
                return false
            }
            if let earliest {
                var time = timespec(tv_sec: Int(earliest / 1_000_000_000), tv_nsec: Int(earliest % 1_000_000_000))
                pthread_cond_timedwait(condition, mutex, &time)
            } else {
                pthread_cond_wait(condition, mutex)
            }
        }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
