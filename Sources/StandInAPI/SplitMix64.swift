/// A small, fast, seedable random number generator.
///
/// The algorithm is Steele, Lea and Flood's SplitMix64, <https://doi.org/10.1145/2714064.2660195>.
struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    @inline(__always)
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    /// A number below `limit`, from the high half of a product; the bias is below 2^-32 for the small limits here.
    @inline(__always)
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(truncatingIfNeeded: limit)).high)
    }

    /// A number from 0 up to, but without, 1.
    @inline(__always)
    mutating func unit() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    /// A bijection of 64 bits, so that distinct numbers stay distinct.
    @inline(__always)
    static func mixed(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
