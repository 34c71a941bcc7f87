/// Gzip made by hand, so that the stand-in needs no compression library.
///
/// The formats are RFC 1952 (gzip) and RFC 1951 (deflate).
enum Gzip {
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]

    /// Valid gzip of the bytes, in stored blocks.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result = header
        var position = 0
        repeat {
            let length = min(65_535, bytes.count - position)
            result.append(position + length == bytes.count ? 1 : 0)
            append(UInt16(length), to: &result)
            append(~UInt16(length), to: &result)
            result += bytes[position..<position + length]
            position += length
        } while position < bytes.count
        append(checksum(bytes), to: &result)
        append(UInt32(truncatingIfNeeded: bytes.count), to: &result)
        return result
    }

    /// About a thousandth of the size it unpacks to: blanks, as one block of the longest matches.
    ///
    /// Its checksum is left at zero; whoever unpacks a bomb to its end has lost already.
    static func bomb(megabytes: Int) -> [UInt8] {
        var bits = BitWriter(bytes: header)
        bits.append(0b101, 3)  // the last block, with its own codes
        bits.append(29, 5)  // 286 literal and length codes
        bits.append(0, 5)  // 1 distance code
        bits.append(14, 4)  // 18 lengths of code length codes
        // Code lengths 1 and 2 and the run of zeros (18) get the codes 10, 11 and 0.
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]
        for symbol in order { bits.append(symbol == 18 ? 1 : symbol == 1 || symbol == 2 ? 2 : 0, 3) }
        let run = { (zeros: Int, bits: inout BitWriter) in
            bits.append(0, 1)
            bits.append(zeros - 11, 7)
        }
        run(32, &bits)
        bits.append(0b11, 2)  // blank: 2 bits
        run(138, &bits)
        run(85, &bits)
        bits.append(0b11, 2)  // end of block: 2 bits
        run(28, &bits)
        bits.append(0b01, 2)  // length 258: 1 bit
        bits.append(0b01, 2)  // distance 1: 1 bit
        bits.append(0b01, 2)  // a blank, code 10 with its first bit first
        let matches = megabytes * 1_000_000 / 258
        for _ in 0..<matches { bits.append(0, 2) }
        bits.append(0b11, 2)
        var result = bits.finished()
        append(UInt32(0), to: &result)
        append(UInt32(truncatingIfNeeded: matches * 258 + 1), to: &result)
        return result
    }

    /// The CRC-32 of RFC 1952.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ sum >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Writes bits as deflate wants them, the lowest first.
    private struct BitWriter {
        var bytes: [UInt8]
        private var pending = 0
        private var count = 0

        init(bytes: [UInt8]) {
            self.bytes = bytes
        }

        mutating func append(_ value: Int, _ width: Int) {
            pending |= value << count
            count += width
            while count >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                count -= 8
            }
        }

        mutating func finished() -> [UInt8] {
            if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
            return bytes
        }
    }
}
