import Glibc

/// The bytes of a body in memory of their own, followed by padding that a vectorised parser may read.
///
/// Growing belongs to the transfer that fills it; from the moment it stands in an `HTTPResponse` nothing changes it.
package final class ResponseBody: @unchecked Sendable {
    // Unchecked: filled by one thread, handed over once, read-only from then on.

    /// Zeroed bytes that stand behind the body.
    package static let padding = 64

    /// Bytes of the body.
    package private(set) var count = 0
    private var block: BodyMemory.Block

    /// The first byte; it stays where it is once the body stands in an answer.
    package var pointer: UnsafeMutableRawPointer { block.start }

    /// Bytes of the memory at `pointer`, at least `count + padding`.
    package var capacity: Int { block.capacity }

    /// An empty body with room for `bytes`, or nil where there is no memory.
    init?(reserving bytes: Int) {
        guard let block = BodyMemory.take(bytes + Self.padding) else { return nil }
        self.block = block
    }

    /// A body that holds a copy of `bytes`, for what does not come from the network.
    package init(_ bytes: some Collection<UInt8>) {
        guard let block = BodyMemory.take(bytes.count + Self.padding) else {
            preconditionFailure("no memory for a body of \(bytes.count) bytes")
        }
        self.block = block
        UnsafeMutableRawBufferPointer(start: block.start, count: bytes.count).copyBytes(from: bytes)
        count = bytes.count
        seal()
    }

    deinit {
        BodyMemory.giveBack(block)
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
            guard let larger = BodyMemory.grow(block, to: wanted) else { return nil }
            block = larger
        }
        return UnsafeMutableRawBufferPointer(start: pointer + count, count: capacity - Self.padding - count)
    }

    /// Counts bytes that were written into `room` as part of the body.
    func commit(_ bytes: Int) {
        count += bytes
    }

    /// Zeroes the padding; the last thing that happens before the body is handed over.
    func seal() {
        memset(pointer + count, 0, Self.padding)
    }
}
