/// The people of a stand-in: a pure function of seed and index, so that a test knows the truth.
package struct Population: Sendable {
    /// The seed that everything follows from.
    package let seed: UInt64
    /// How many people there are; nil is practically endless.
    package let size: Int?
    private let salt: UInt64

    package init(seed: UInt64, size: Int? = nil) {
        self.seed = seed
        self.size = size.map { max(1, $0) }
        salt = SplitMix64.mixed(seed ^ 0x7065_6F70_6C65_2121)
    }

    /// The person at an index from 0 up to the size.
    package func person(at index: Int) -> Person {
        var bytes: [UInt8] = []
        append(personAt: index, to: &bytes)
        return Person(index: index, uid: uid(at: index), json: String(decoding: bytes, as: UTF8.self))
    }

    /// The `uid` of the person at an index, without making the rest; distinct for distinct indexes.
    package func uid(at index: Int) -> String {
        var bytes: [UInt8] = []
        let number = identity(of: index)
        bytes.append(uuid: number.high, number.low)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The index of the next person drawn.
    func draw(_ generator: inout SplitMix64) -> Int {
        generator.below(size ?? 1 << 62)
    }

    /// 64 bits that are unique to the index, spread so that fixing a UUID's version and variant loses none of them.
    @inline(__always)
    private func identity(of index: Int) -> (high: UInt64, low: UInt64, mixed: UInt64) {
        let mixed = SplitMix64.mixed(UInt64(truncatingIfNeeded: index) ^ salt)
        let filling = SplitMix64.mixed(mixed ^ 0x5851_F42D_4C95_7F2D)
        return (mixed, filling & ~0xF | (mixed >> 12 & 0xF), mixed)
    }

    /// Appends the person as compact JSON.
    func append(personAt index: Int, to bytes: inout [UInt8]) {
        let number = identity(of: index)
        var generator = SplitMix64(seed: number.mixed)
        PersonWriter.append(uidHigh: number.high, uidLow: number.low, &generator, to: &bytes)
    }
}

/// One person of a population.
package struct Person: Sendable, Equatable {
    /// The place in the population.
    package let index: Int
    /// The key, a UUID of version 4.
    package let uid: String
    /// The record as the API sends it, compact JSON.
    package let json: String
}
