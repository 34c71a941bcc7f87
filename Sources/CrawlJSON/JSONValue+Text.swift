extension JSONValue {
    /// The value as compact JSON (RFC 8259), on one line.
    ///
    /// A double that is no number or infinite becomes `null`, since JSON has no such numbers.
    package var text: String {
        var result = ""
        write(to: &result)
        return result
    }

    /// Appends the value as compact JSON.
    package func write(to result: inout String) {
        switch self {
        case .null: result += "null"
        case .bool(let bool): result += bool ? "true" : "false"
        case .integer(let integer): result += String(integer)
        case .real(let real): result += real.isFinite ? String(real) : "null"
        case .number(let digits): result += digits
        case .text(let text): Self.write(text, to: &result)
        case .array(let elements):
            result += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { result += "," }
                element.write(to: &result)
            }
            result += "]"
        case .object(let members):
            result += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { result += "," }
                Self.write(member.key, to: &result)
                result += ":"
                member.value.write(to: &result)
            }
            result += "}"
        }
    }

    /// Appends a text in quotes; everything that a terminal or a line-based reader might act on is escaped.
    package static func write(_ text: String, to result: inout String) {
        result += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.actsOnTerminal:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        result += "\""
    }
}
