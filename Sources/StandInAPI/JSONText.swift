/// Writes JSON a value at a time; commas look after themselves.
struct JSONText {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// An object whose fields `fill` writes.
    mutating func object(_ fill: (inout JSONText) -> Void) {
        nested(open: 0x7B, close: 0x7D, fill)
    }

    /// A list whose values `fill` writes.
    mutating func list(_ fill: (inout JSONText) -> Void) {
        nested(open: 0x5B, close: 0x5D, fill)
    }

    private mutating func nested(open: UInt8, close: UInt8, _ fill: (inout JSONText) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        fill(&self)
        bytes.append(close)
        needsComma = true
    }

    /// The name of the field whose value comes next.
    mutating func key(_ name: String) {
        separate()
        bytes.append(quoted: name)
        bytes.append(0x3A)
        needsComma = false
    }

    mutating func value(_ text: String) {
        separate()
        bytes.append(quoted: text)
    }

    mutating func value(_ number: Int) {
        separate()
        bytes.append(decimal: number)
    }

    mutating func value(_ number: Double) {
        separate()
        bytes.append(double: number)
    }

    mutating func value(_ flag: Bool) {
        raw(flag ? "true" : "false")
    }

    mutating func null() {
        raw("null")
    }

    /// A value that is JSON already.
    mutating func raw(_ json: StaticString) {
        separate()
        bytes.append(json)
    }

    mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    mutating func field(_ name: String, _ number: Int) {
        key(name)
        value(number)
    }

    mutating func field(_ name: String, _ number: Double) {
        key(name)
        value(number)
    }

    mutating func field(_ name: String, _ flag: Bool) {
        key(name)
        value(flag)
    }

    /// A field whose value `write` writes.
    mutating func field(_ name: String, _ write: (inout JSONText) -> Void) {
        key(name)
        write(&self)
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = true
    }
}
