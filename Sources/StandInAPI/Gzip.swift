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

    /// Deflate data as gzip; the checksum is left at zero.
    static func unchecked(_ deflated: [UInt8], size: Int) -> [UInt8] {
        var result = header + deflated
        append(UInt32(0), to: &result)
        append(UInt32(truncatingIfNeeded: size), to: &result)
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
}
