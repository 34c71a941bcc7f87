import CSimdJSON
import CrawlCore

extension RejectedRecord {
    /// A rejected record with its reason in words, in a page in which `before` records stand before those that were read.
    init(_ reject: csj_reject, columns: [Column], before: Int) {
        self.init(
            position: before + reject.position,
            reason: Self.reason(reject, columns: columns),
            payload: Array(UnsafeRawBufferPointer(start: reject.record.bytes, count: reject.record.length)))
    }

    private static func reason(_ reject: csj_reject, columns: [Column]) -> String {
        let token = UnsafeRawBufferPointer(start: reject.token.bytes, count: reject.token.length)
        let column = reject.column >= 0 ? columns[Int(reject.column)] : nil
        let place = column.map { "\($0.name): " } ?? ""
        switch Int(reject.reason) {
        case CSJ_NOT_AN_OBJECT: return "record is not an object but \(JSONKind(token).withArticle)"
        case CSJ_MISSING: return place + "missing"
        case CSJ_REQUIRED_NULL: return place + "null, but the source requires it"
        case CSJ_WRONG_TYPE:
            return place + "expected \(column?.expectation ?? "a value"), got \(JSONKind(token).rawValue)"
        case CSJ_OUT_OF_RANGE:
            let range = column?.type == .real ? "64-bit floating point number" : "64-bit integer"
            return place + "\(Printable.text(token)) is out of range for a \(range)"
        case CSJ_NOT_WHOLE: return place + "\(Printable.text(token)) is not a whole number"
        case CSJ_BAD_STRING: return place + "invalid escape in the string \(Printable.text(token))"
        case CSJ_BAD_KEY: return place + "invalid escape in the key \(Printable.text(token))"
        default: return place + "\(Printable.text(token)) is not a JSON value"
        }
    }
}

extension Column {
    /// What a value must be, for a message.
    fileprivate var expectation: String {
        switch type {
        case .text: acceptsNumbers ? "text or number" : "text"
        case .integer: "integer"
        case .real: "number"
        case .boolean: "boolean"
        case .json: "any value"
        }
    }
}

/// The kinds of JSON values, told by the first byte.
enum JSONKind: String {
    case null, boolean, number, text, list, object

    init(_ token: some Collection<UInt8>) {
        switch token.first {
        case UInt8(ascii: "n"): self = .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
        case UInt8(ascii: "\""): self = .text
        case UInt8(ascii: "["): self = .list
        case UInt8(ascii: "{"): self = .object
        default: self = .number
        }
    }

    /// The kind within a sentence.
    var withArticle: String {
        switch self {
        case .null: "null"
        case .object: "an object"
        case .text: "a text"
        default: "a " + rawValue
        }
    }
}
