import CSQLite
import CrawlCore

/// Turns rows into the bytes of a format.
protocol RowEncoder {
    /// Writes what stands before the first row.
    func begin() throws
    /// Writes the row that the statement stands on.
    func row(_ statement: OpaquePointer, isFirst: Bool) throws
    /// Writes what stands after the last row.
    func end(isEmpty: Bool) throws
}

extension OutputBuffer {
    /// Appends a whole number in decimal digits.
    func append(decimal value: Int64) throws {
        // The longest has 19 digits and a sign.
        let room = try room(20)
        var magnitude = value.magnitude
        var digits = 1
        var rest = magnitude / 10
        while rest > 0 {
            digits += 1
            rest /= 10
        }
        let size = digits + (value < 0 ? 1 : 0)
        if value < 0 { room[0] = UInt8(ascii: "-") }
        for place in stride(from: size - 1, through: size - digits, by: -1) {
            room[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude % 10)
            magnitude /= 10
        }
        advance(size)
    }

    /// Appends the shortest digits that give the same double when they are read again.
    func append(shortest value: Double) throws {
        try append(value.description)
    }
}

/// A table that says of each byte whether a format must treat it.
struct ByteSet: ~Copyable {
    private let table: UnsafeMutablePointer<UInt8>

    init(_ bytes: some Sequence<UInt8>) {
        table = .allocate(capacity: 256)
        table.initialize(repeating: 0, count: 256)
        for byte in bytes { table[Int(byte)] = 1 }
    }

    deinit {
        table.deallocate()
    }

    func contains(_ byte: UInt8) -> Bool {
        table[Int(byte)] != 0
    }

    /// The place of the first byte of the set from `start` on, `count` where there is none.
    @inline(__always)
    func first(in bytes: UnsafePointer<UInt8>, from start: Int, count: Int) -> Int {
        var index = start
        while index < count, table[Int(bytes[index])] == 0 { index += 1 }
        return index
    }
}
