/// Small bodies that unpack to huge ones: blanks, a million of them a megabyte.
///
/// Made by hand by RFC 1951 (deflate) and RFC 7932 (brotli). Checksums are left at zero; whoever unpacks a bomb to its
/// end has lost already.
package enum Bomb {
    /// Gzip of about a thousandth of the size.
    package static func gzip(megabytes: Int) -> [UInt8] {
        let (bytes, size) = deflated(megabytes)
        return Gzip.unchecked(bytes, size: size)
    }

    /// The same without gzip's header, as `deflate` names it, though few servers send it so.
    package static func deflate(megabytes: Int) -> [UInt8] {
        deflated(megabytes).bytes
    }

    /// One block of the longest matches.
    private static func deflated(_ megabytes: Int) -> (bytes: [UInt8], size: Int) {
        var bits = BitWriter(bytes: [])
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
        return (bits.finished(), matches * 258 + 1)
    }

    /// Brotli in parts of 16 MiB, each of them 15 bytes.
    package static func brotli(megabytes: Int) -> [UInt8] {
        var bits = BitWriter(bytes: [])
        bits.append(0, 1)  // a window of 64 KiB
        let part = 1 << 24
        for _ in 0..<(megabytes * 1_000_000 + part - 1) / part {
            bits.append(0, 1)  // not the last part
            bits.append(2, 2)  // its length, less 1, in six nibbles
            bits.append(part - 1, 24)
            bits.append(0, 1)  // compressed
            bits.append(0, 3)  // one type of block each
            bits.append(0, 6)  // no postfix, no direct distances
            bits.append(0, 2)  // the mode of the context
            bits.append(0, 2)  // one tree of literals and of distances
            for (symbol, width) in [(0x20, 8), (399, 10), (16, 6)] {
                bits.append(1, 2)  // a code of one symbol, which takes no bits
                bits.append(0, 2)
                bits.append(symbol, width)
            }
            bits.append(part - 1 - 2118, 24)  // after one blank, copy all others
            bits.append(0, 1)  // at distance 1
        }
        bits.append(0b11, 2)  // the last part, empty
        return bits.finished()
    }
}

/// Writes bits as deflate and brotli want them, the lowest first.
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
