import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Keeps count of the system calls that wait for whoever reads the output, maybe for ever.
///
/// A pipe that nobody reads, a named pipe that nobody opens and a terminal that is held wake nobody who waits for them.
/// Whoever is to end the program looks here for whether it still gets anywhere.
package enum OutputCall {
    /// How far the output has come; two of them are equal where nothing has moved in between.
    package struct Progress: Sendable, Equatable {
        /// Whether a call has not returned.
        package var isWaiting: Bool
        /// The calls that have returned.
        package var returned: Int
        /// The bytes in the pipe that nobody has read yet, 0 where the system does not tell.
        package var unread: Int32

        package init(isWaiting: Bool, returned: Int, unread: Int32 = 0) {
            self.isWaiting = isWaiting
            self.returned = returned
            self.unread = unread
        }
    }

    private static let waiting = Atomic<Int>(0)
    private static let returned = Atomic<Int>(0)
    /// What the last call is about, -1 where that is not open yet.
    private static let descriptor = Atomic<Int32>(-1)

    /// Makes a call that may have to wait for a reader; `errno` is as the call left it.
    ///
    /// - Parameter descriptor: What it is about, nil where that is still to be opened.
    package static func making<Result: ~Copyable, Failure: Error>(
        to descriptor: Int32? = nil, _ call: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        Self.descriptor.store(descriptor ?? -1, ordering: .relaxed)
        waiting.add(1, ordering: .relaxed)
        defer {
            returned.add(1, ordering: .relaxed)
            waiting.subtract(1, ordering: .relaxed)
        }
        return try call()
    }

    /// How far the output has come.
    package static var progress: Progress {
        let descriptor = descriptor.load(ordering: .relaxed)
        var unread: Int32 = 0
        if descriptor >= 0, ioctl(descriptor, UInt(FIONREAD), &unread) != 0 { unread = 0 }
        return Progress(
            isWaiting: waiting.load(ordering: .relaxed) > 0, returned: returned.load(ordering: .relaxed),
            unread: unread)
    }
}
