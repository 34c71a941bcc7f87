import CrawlStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes one value of a row: the types that SQLite has, those that stand for them, and JSON.
struct ColumnValue: Decoder {
    let key: any CodingKey
    let type: ColumnType
    let value: RecordValue
    var codingPath: [any CodingKey] { [key] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw mismatch([String: Any].self, wanted: "an object")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw mismatch([Any].self, wanted: "a list")
    }

    // MARK: -

    private func number<Number: FixedWidthInteger & Decodable>(_ wanted: Number.Type) throws -> Number {
        switch value {
        case .text where type == .json: return try json(wanted)
        case .integer(let integer) where type != .boolean: if let number = Number(exactly: integer) { return number }
        case .real(let real): if let number = Number(exactly: real) { return number }
        default: break
        }
        throw mismatch(wanted, wanted: "\(wanted)")
    }

    private func number<Number: BinaryFloatingPoint & Decodable>(_ wanted: Number.Type) throws -> Number {
        switch value {
        case .text where type == .json: return try json(wanted)
        case .integer(let integer) where type != .boolean: return Number(integer)
        case .real(let real): return Number(real)
        default: throw mismatch(wanted, wanted: "\(wanted)")
        }
    }

    /// The time that a text (RFC 3339) or an integer (seconds since 1970) names.
    private func date() throws -> Date {
        switch value {
        case .text(let text): if let date = Timestamp.date(text) { return date }
        case .integer(let seconds): return Date(timeIntervalSince1970: Double(seconds))
        default: break
        }
        throw mismatch(Date.self, wanted: "Date (RFC 3339 text or seconds since 1970)")
    }

    private func url() throws -> URL {
        if case .text(let text) = value, let url = URL(string: text) { return url }
        throw mismatch(URL.self, wanted: "URL")
    }

    private func decimal() throws -> Decimal {
        // The shortest digits of a double are those that were sent, as long as there were no more than 15.
        if value.number != nil, let decimal = Decimal(string: value.description) { return decimal }
        throw mismatch(Decimal.self, wanted: "Decimal")
    }

    private func json<Value: Decodable>(_ wanted: Value.Type) throws -> Value {
        guard case .text(let text) = value else { throw mismatch(wanted, wanted: "\(wanted)") }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            if let date = Timestamp.date(text) { return date }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time in RFC 3339")
        }
        do {
            return try decoder.decode(wanted, from: Data(text.utf8))
        } catch let error as DecodingError {
            throw error.within(key)
        }
    }

    private func mismatch(_ type: Any.Type, wanted: String) -> DecodingError {
        let holds =
            switch value {
            case .null: "NULL"
            case .integer: self.type == .boolean ? "a boolean" : "an integer"
            case .real: "a real number"
            case .text: self.type == .json ? "JSON" : "a text"
            }
        return DecodingError.typeMismatch(
            type,
            DecodingError.Context(codingPath: [key], debugDescription: "holds \(holds), but is wanted as \(wanted)"))
    }
}

extension ColumnValue: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        switch value {
        case .integer(let integer) where integer == 0 || integer == 1: return integer == 1
        case .text where self.type == .json: return try json(type)
        default: throw mismatch(type, wanted: "Bool")
        }
    }

    func decode(_ type: String.Type) throws -> String {
        if case .text(let text) = value { return text }
        throw mismatch(type, wanted: "String")
    }

    func decode(_ type: Double.Type) throws -> Double { try number(type) }
    func decode(_ type: Float.Type) throws -> Float { try number(type) }
    func decode(_ type: Int.Type) throws -> Int { try number(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try number(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try number(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try number(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try number(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try number(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try number(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try number(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try number(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try number(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // JSONDecoder treats these types in its own way as well; their own `init(from:)` wants other shapes.
        let special: Any? =
            switch type {
            case is Date.Type: try date()
            case is URL.Type: try url()
            case is Decimal.Type: try decimal()
            default: nil
            }
        if let value = special as? Value { return value }
        return self.type == .json ? try json(type) : try Value(from: self)
    }
}

extension DecodingError {
    /// The error of a value that stands within another one.
    fileprivate func within(_ key: any CodingKey) -> DecodingError {
        func moved(_ context: Context) -> Context {
            Context(
                codingPath: [key] + context.codingPath, debugDescription: context.debugDescription,
                underlyingError: context.underlyingError)
        }
        switch self {
        case .typeMismatch(let type, let context): return .typeMismatch(type, moved(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, moved(context))
        case .dataCorrupted(let context): return .dataCorrupted(moved(context))
        case .keyNotFound(let missing, let context):
            // As "not found" it would read as if the table lacked a column.
            let description = "the key '\(missing.stringValue)' is missing"
            return .dataCorrupted(moved(Context(codingPath: context.codingPath, debugDescription: description)))
        @unknown default: return self
        }
    }
}
