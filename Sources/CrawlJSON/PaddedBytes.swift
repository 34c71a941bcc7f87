/// A copy of bytes with readable padding behind them.
final class PaddedBytes: @unchecked Sendable {
    // Unchecked: written once, before anybody else has it.

    /// The bytes, without the padding.
    let bytes: UnsafeRawBufferPointer
    /// The bytes that are readable from the first one on.
    let capacity: Int
    private let allocation: UnsafeMutableRawBufferPointer

    /// Copies bytes, with one more at each side where two are given.
    init(_ source: some Collection<UInt8>, between edges: (UInt8, UInt8)? = nil) {
        let (count, edge) = (source.count, edges == nil ? 0 : 1)
        capacity = count + 2 * edge + PageReader.padding
        allocation = .allocate(byteCount: capacity, alignment: 64)
        UnsafeMutableRawBufferPointer(rebasing: allocation[edge...]).copyBytes(from: source)
        if let edges {
            allocation[0] = edges.0
            allocation[count + 1] = edges.1
        }
        UnsafeMutableRawBufferPointer(rebasing: allocation[(count + 2 * edge)...])
            .copyBytes(from: repeatElement(0, count: PageReader.padding))
        bytes = UnsafeRawBufferPointer(rebasing: allocation[..<(count + 2 * edge)])
    }

    deinit {
        allocation.deallocate()
    }
}
