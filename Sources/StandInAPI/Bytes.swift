/// Text appended to bytes without a String in between, which is what makes a page of 100 people cheap.
extension [UInt8] {
    @inline(__always)
    mutating func append(_ text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    @inline(__always)
    mutating func append(text: String) {
        append(contentsOf: text.utf8)
    }

    /// The number in decimal, with zeros in front up to `width` digits.
    mutating func append(decimal number: Int, width: Int = 1) {
        var rest = number.magnitude
        if number < 0 { append(0x2D) }
        let start = count
        repeat {
            append(UInt8(truncatingIfNeeded: 0x30 + rest % 10))
            rest /= 10
        } while rest > 0
        while count - start < width { append(0x30) }
        self[start...].reverse()
    }

    /// The shortest text that reads back as the same number.
    mutating func append(double number: Double) {
        append(contentsOf: number.description.utf8)
    }

    /// The text as a JSON string; `&` is escaped as the real service does.
    mutating func append(quoted text: String) {
        append(0x22)
        append(escaped: text)
        append(0x22)
    }

    /// The text as the inside of a JSON string.
    mutating func append(escaped text: String) {
        for byte in text.utf8 {
            switch byte {
            case 0x22: append("\\\"")
            case 0x5C: append("\\\\")
            case 0x0A: append("\\n")
            case 0x0D: append("\\r")
            case 0x09: append("\\t")
            case 0x26: append("\\u0026")
            case 0..<0x20:
                append("\\u00")
                append(hexadecimal: byte)
            default: append(byte)
            }
        }
    }

    @inline(__always)
    mutating func append(hexadecimal byte: UInt8) {
        append(Self.hexadecimalDigit(byte >> 4))
        append(Self.hexadecimalDigit(byte & 15))
    }

    @inline(__always)
    private static func hexadecimalDigit(_ nibble: UInt8) -> UInt8 {
        nibble < 10 ? 0x30 + nibble : 0x57 + nibble
    }

    /// The two halves as a UUID with version 4 and its variant set.
    mutating func append(uuid high: UInt64, _ low: UInt64) {
        let high = high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        for shift in stride(from: 56, through: 0, by: -8) {
            append(hexadecimal: UInt8(truncatingIfNeeded: high >> UInt64(shift)))
            if shift == 32 || shift == 16 { append(0x2D) }
        }
        append(0x2D)
        for shift in stride(from: 56, through: 0, by: -8) {
            append(hexadecimal: UInt8(truncatingIfNeeded: low >> UInt64(shift)))
            if shift == 48 { append(0x2D) }
        }
    }
}
