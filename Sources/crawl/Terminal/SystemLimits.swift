import CrawlCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the system grants the program, looked at before anything is begun.
///
/// The libraries below, Dispatch above all, stop the program or wait for ever where the system refuses them a thread
/// or a descriptor in the middle of the work; a limit that is too low is therefore told at once.
enum SystemLimits {
    private static let neededDescriptors = 40
    private static let neededThreads = 12
    private static let stackSize = 1 << 20

    /// Makes the best of what is granted; to be called first in the program.
    static func prepare() {
        var descriptors = rlimit()
        if getrlimit(resource(RLIMIT_NOFILE), &descriptors) == 0, descriptors.rlim_cur < 4096 {
            descriptors.rlim_cur = min(descriptors.rlim_max, 4096)
            setrlimit(resource(RLIMIT_NOFILE), &descriptors)
        }
        #if canImport(Glibc)
            var addresses = rlimit()
            if getrlimit(resource(RLIMIT_AS), &addresses) == 0, addresses.rlim_cur != rlim_t.max { spareAddresses() }
        #endif
    }

    #if canImport(Glibc)
        private typealias SetOption = @convention(c) (Int32, Int32) -> Int32
        private typealias SetAttributes = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32

        /// Keeps threads from reserving 8 MB for a stack and 64 MB for a heap each, of which they use next to nothing.
        ///
        /// Looked up by name, for Swift sees neither function: https://man7.org/linux/man-pages/man3/mallopt.3.html
        private static func spareAddresses() {
            let arenaLimit: Int32 = -8
            if let symbol = dlsym(nil, "mallopt") { _ = unsafeBitCast(symbol, to: SetOption.self)(arenaLimit, 1) }
            guard let symbol = dlsym(nil, "pthread_setattr_default_np") else { return }
            var attributes = pthread_attr_t()
            pthread_attr_init(&attributes)
            pthread_attr_setstacksize(&attributes, stackSize)
            _ = unsafeBitCast(symbol, to: SetAttributes.self)(&attributes)
            pthread_attr_destroy(&attributes)
        }
    #endif

    /// The error of a limit that is too low to work with, nil where there is room.
    static var refusal: CrawlError? {
        // Swift takes the arguments from /proc/self/cmdline; without them another command would run than was asked for.
        if CommandLine.argc == 0 {
            return CrawlError(
                .failure, "The system does not tell this program its arguments (/proc is missing)",
                remedy: "Mount /proc, then repeat the command.")
        }
        if let number = refusedDescriptor {
            return CrawlError(
                .failure, "The system lets this program open too few files (\(Platform.text(ofError: number)))",
                remedy: "Raise the limit with `ulimit -n 256`, then repeat the command.")
        }
        if let number = refusedThread {
            return CrawlError(
                .failure, "The system lets this program start too few threads (\(Platform.text(ofError: number)))",
                remedy: "Close other programs, or raise the limits (`ulimit -u` for threads, `ulimit -v` for memory), "
                    + "then repeat the command.")
        }
        return nil
    }

    private static var refusedDescriptor: Int32? {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        while opened.count < neededDescriptors {
            let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
            guard descriptor >= 0 else { return errno }
            opened.append(descriptor)
        }
        return nil
    }

    private static var refusedThread: Int32? {
        let gate = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        pthread_mutex_init(gate, nil)
        defer {
            pthread_mutex_destroy(gate)
            gate.deallocate()
        }
        // All of them are to live at once: each waits for the gate.
        pthread_mutex_lock(gate)
        var threads: [pthread_t] = []
        var refusal: Int32?
        while threads.count < neededThreads, refusal == nil {
            #if canImport(Darwin)
                var thread: pthread_t?
            #else
                var thread = pthread_t()
            #endif
            let number = pthread_create(&thread, nil, waitAtGate, gate)
            if number == 0 { threads.append(thread) } else { refusal = number }
        }
        pthread_mutex_unlock(gate)
        for thread in threads { pthread_join(thread, nil) }
        return refusal
    }

    #if canImport(Darwin)
        private static let waitAtGate: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
            pass($0)
            return nil
        }
    #else
        private static let waitAtGate: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
            if let gate = $0 { pass(gate) }
            return nil
        }
    #endif

    private static func pass(_ gate: UnsafeMutableRawPointer) {
        let gate = gate.assumingMemoryBound(to: pthread_mutex_t.self)
        pthread_mutex_lock(gate)
        pthread_mutex_unlock(gate)
    }

    #if canImport(Glibc)
        private static func resource(_ number: __rlimit_resource) -> __rlimit_resource_t {
            __rlimit_resource_t(number.rawValue)
        }
    #else
        private static func resource(_ number: Int32) -> Int32 { number }
    #endif
}
