import Glibc

/// The bytes of a body in memory of their own, followed by padding that a vectorised parser may read.
///
/// Growing belongs to the transfer that fills it; from the moment it stands in an `HTTPResponse` nothing changes it.
package final class ResponseBody: @unchecked Sendable {
    // Unchecked: filled by one thread, handed over once, read-only from then on.

    /// Zeroed bytes that stand behind the body.
    package static let padding = 64

    /// The first byte.
    package private(set) var pointer: UnsafeMutableRawPointer
    /// Bytes of the body.
    package private(set) var count = 0
    /// Bytes of the memory at `pointer`, at least `count + padding`.
    package private(set) var capacity: Int

    /// An empty body with room for `bytes`, or nil where there is no memory.
    convenience init?(reserving bytes: Int) {
        guard let memory = malloc(bytes + Self.padding) else { return nil }
        self.init(memory: memory, capacity: bytes + Self.padding)
        seal()
    }

    /// A body that holds a copy of `bytes`, for what does not come from the network.
    package convenience init(_ bytes: some Collection<UInt8>) {
        guard let memory = malloc(bytes.count + Self.padding) else {
            preconditionFailure("no memory for a body of \(bytes.count) bytes")
        }
        self.init(memory: memory, capacity: bytes.count + Self.padding)
        UnsafeMutableRawBufferPointer(start: pointer, count: bytes.count).copyBytes(from: bytes)
        count = bytes.count
        seal()
    }

    private init(memory: UnsafeMutableRawPointer, capacity: Int) {
        pointer = memory
        self.capacity = capacity
    }

    deinit {
        free(pointer)
    }

    /// The bytes of the body, without the padding; valid as long as the body is.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ read: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try read(UnsafeRawBufferPointer(start: pointer, count: count))
    }

    /// Room for at least `bytes` more behind the body, to be filled and then counted by `commit`.
    ///
    /// Nil where there is no memory.
    func room(for bytes: Int) -> UnsafeMutableRawBufferPointer? {
        if count + bytes + Self.padding > capacity {
            let wanted = max(count + bytes + Self.padding, capacity * 2)
            guard let memory = realloc(pointer, wanted) else { return nil }
            pointer = memory
            capacity = wanted
        }
        return UnsafeMutableRawBufferPointer(start: pointer + count, count: capacity - Self.padding - count)
    }

    /// Counts bytes that were written into `room` as part of the body.
    func commit(_ bytes: Int) {
        count += bytes
    }

    /// Forgets the bytes and keeps the memory.
    func clear() {
        count = 0
    }

    /// Zeroes the padding; the last thing that happens before the body is handed over.
    func seal() {
        memset(pointer + count, 0, Self.padding)
    }
}
