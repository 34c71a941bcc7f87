import CrawlCore
import Glibc

/// Runs the jobs of an actor on a thread of its own, one after the other in the order in which they came.
///
/// SQLite calls block on the disk; a thread of Swift's cooperative pool must not. The thread ends when the executor is
/// no longer used.
final class ThreadExecutor: SerialExecutor {
    private let queue: JobQueue
    private let thread: pthread_t

    /// - Throws: `CrawlError` where the system has no thread left.
    init() throws {
        let queue = JobQueue()
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(queue)
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<JobQueue>.fromOpaque(argument).takeRetainedValue().runAll() }
                return nil
            }, argument.toOpaque())
        guard code == 0 else {
            argument.release()
            throw CrawlError(
                .failure, "The system has no thread left (\(SystemError(code).description))",
                remedy: "Close other programs, then repeat the command.")
        }
        pthread_detach(thread)
        self.queue = queue
        self.thread = thread
    }

    deinit {
        queue.stop()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        enqueue { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Runs `work` on the thread after all that was enqueued before it.
    func enqueue(_ work: @escaping @Sendable () -> Void) {
        queue.append(work)
    }

    func checkIsolated() {
        precondition(pthread_equal(pthread_self(), thread) != 0, "Not on the thread of this executor")
    }
}

/// What the thread still has to do.
///
/// Unchecked because the compiler cannot see that `waiting` and `isStopped` are only touched under the mutex, which
/// must be a pthread mutex for the thread to sleep on the condition.
private final class JobQueue: @unchecked Sendable {
    private var waiting: [@Sendable () -> Void] = []
    private var isStopped = false
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func append(_ work: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(mutex)
        waiting.append(work)
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    func stop() {
        pthread_mutex_lock(mutex)
        isStopped = true
        pthread_cond_signal(condition)
        pthread_mutex_unlock(mutex)
    }

    /// The thread's life: runs what comes until stopped with nothing left to do.
    func runAll() {
        while let work = next() {
            for work in work { work() }
        }
    }

    private func next() -> [@Sendable () -> Void]? {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty {
            if isStopped { return nil }
            pthread_cond_wait(condition, mutex)
        }
        defer { waiting = [] }
        return waiting
    }
}
