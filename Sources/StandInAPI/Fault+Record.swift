extension Fault {
    /// Spoils the one record that the answer offers, and leaves all other bytes as they are.
    func spoilRecord(of answer: inout Answer) {
        guard let target = answer.target else { return }
        let bytes = answer.body.bytes
        var record = Array(bytes[target.range])
        switch kind {
        case .missingKey: Self.remove(target.key, from: &record)
        case .nullKey: Self.replace(target.key, in: &record) { _ in Array("null".utf8) }
        case .wrongKey: Self.replace(target.key, in: &record) { _ in Array("{\"wrong\":true}".utf8) }
        case .wrongColumn: Self.replace(target.number, in: &record) { _ in Array("\"twelve\"".utf8) }
        case .bigInteger: Self.replace(target.number, in: &record) { _ in Array("9223372036854775808".utf8) }
        case .nul: Self.replace(target.text, in: &record) { _ in Array("\"nul\\u0000inside\"".utf8) }
        case .loneSurrogate: Self.replace(target.text, in: &record) { _ in Array("\"half \\ud83d pair\"".utf8) }
        case .control:
            Self.replace(target.text, in: &record) { _ in Array("\"\\u001b[31mred\\u0007\\r\\n\\u009b2J\"".utf8) }
        case .invalidUTF8: Self.replace(target.text, in: &record) { _ in [0x22, 0x61, 0xC3, 0x28, 0xFF, 0x22] }
        case .longText:
            let length = max(1, amount) * 1_000
            Self.replace(target.text, in: &record) { _ in [0x22] + [UInt8](repeating: 0x78, count: length) + [0x22] }
        case .numbers:
            Self.replace(target.number, in: &record) { _ in Array("9007199254740993".utf8) }
            let fields = "\"least\":-9223372036854775808,\"small\":1e-08,\"digits\":0.1234567890123456789,"
            record.insert(contentsOf: Array(fields.utf8), at: 1)
        case .notAnObject: record = Array("42".utf8)
        case .extraField:
            let fields = "\"favourite_colour\":\"teal\",\"scores\":[1,2.5,null],\"nested\":{\"a\":{\"b\":true}},"
            record.insert(contentsOf: Array(fields.utf8), at: 1)
        default: return
        }
        let start = target.range.lowerBound
        answer.body = .bytes(Array(bytes[..<start]) + record + bytes[target.range.upperBound...])
        // Another fault may fall on the same record.
        answer.target?.range = start..<start + record.count
    }

    /// Exchanges the value of a field for what `change` makes of it.
    private static func replace(_ field: String, in record: inout [UInt8], _ change: ([UInt8]) -> [UInt8]) {
        guard let place = place(of: field, in: record) else { return }
        record.replaceSubrange(place.value, with: change(Array(record[place.value])))
    }

    /// Takes a field out, with the comma after it or before it.
    private static func remove(_ field: String, from record: inout [UInt8]) {
        guard let place = place(of: field, in: record) else { return }
        var range = place.name.lowerBound..<place.value.upperBound
        if range.upperBound < record.count, record[range.upperBound] == 0x2C {
            range = range.lowerBound..<range.upperBound + 1
        } else if let comma = record[..<range.lowerBound].lastIndex(of: 0x2C) {
            range = comma..<range.upperBound
        }
        record.removeSubrange(range)
    }

    /// Where the first field of that name, at any depth, has its name and its value.
    private static func place(of field: String, in record: [UInt8]) -> (name: Range<Int>, value: Range<Int>)? {
        let name = Array("\"\(field)\":".utf8)
        guard let start = record.firstRange(of: name)?.lowerBound else { return nil }
        var position = start + name.count
        while position < record.count, record[position] == 0x20 { position += 1 }
        let value = position
        var depth = 0
        var inText = false
        while position < record.count {
            let byte = record[position]
            if inText {
                if byte == 0x5C { position += 1 }
                if byte == 0x22 { inText = false }
            } else {
                switch byte {
                case 0x22: inText = true
                case 0x7B, 0x5B: depth += 1
                case _ where depth == 0 && [0x2C, 0x7D, 0x5D, 0x0A].contains(byte):
                    return (start..<start + name.count, value..<position)
                case 0x7D, 0x5D: depth -= 1
                default: break
                }
            }
            position += 1
        }
        return nil
    }
}
