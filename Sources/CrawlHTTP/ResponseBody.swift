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
    private var share: BodyShare?

    /// The first byte; it stays where it is once the body stands in an answer.
    package var pointer: UnsafeMutableRawPointer { block.start }

    /// Bytes of the memory at `pointer`, at least `count + padding`.
    package var capacity: Int { block.capacity }

    /// What a body may take without a share of the budget.
    private static let free = 64 << 10
    /// A large body grows by so many bytes at most, since what it does not fill counts against the budget.
    private static let longestStep = 4 << 20

    /// An empty body, with room for `bytes` where the budget has it, or nil where there is no memory.
    init?(reserving bytes: Int, share: BodyShare? = nil) {
        let wanted = bytes + Self.padding
        let isGranted = wanted <= Self.free || share?.claim(wanted) ?? true
        guard let block = BodyMemory.take(isGranted ? wanted : Self.free) else { return nil }
        self.block = block
        self.share = share
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

    /// Why a body cannot grow.
    enum Refusal: Error, Equatable {
        /// There is no memory.
        case noMemory
        /// Other bodies have the budget; there will be room once they are gone.
        case mustWait
    }

    /// Room for at least `bytes` more behind the body, to be filled and then counted by `commit`.
    func room(for bytes: Int) throws(Refusal) -> UnsafeMutableRawBufferPointer {
        let needed = count + bytes + Self.padding
        if needed > capacity {
            let wanted = max(needed, capacity + min(capacity, Self.longestStep))
            guard wanted <= Self.free || share?.claim(wanted) ?? true else { throw .mustWait }
            guard let larger = BodyMemory.grow(block, to: wanted) else { throw .noMemory }
            block = larger
        }
        return UnsafeMutableRawBufferPointer(start: pointer + count, count: capacity - Self.padding - count)
    }

    /// Gives the share of the budget back although the body stays: what is kept for long must hold up nobody.
    ///
    /// For a body that stands in an answer, once.
    package func leaveBudget() {
        share = nil
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
