/// A hash that is the same in every process, for what is kept: FNV-1a with 64 bits.
///
/// See <http://www.isthe.com/chongo/tech/comp/fnv/>. Not for keys that somebody hostile may choose.
package struct StableHash: Sendable {
    /// The hash of what was added so far.
    package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

    package init() {}

    /// Adds a byte.
    package mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }

    /// Adds bytes.
    package mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { add(byte) }
    }

    /// Adds bytes in memory.
    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { add(byte) }
    }
}
