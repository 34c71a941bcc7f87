#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A value behind a lock: one thread at a time reads or changes it.
///
/// Like `Mutex` of the standard library, on a POSIX mutex: the standard one calls the kernel's futex itself, which
/// ThreadSanitizer does not see, so that under it each correct use would be reported as a race and the true ones drown.
///
/// `@unchecked Sendable`: the value is reached only while the mutex is held, and enters and leaves it by `sending`.
package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Lends the value to `body` while the lock is held; never wait in it, and never take the same lock again.
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
