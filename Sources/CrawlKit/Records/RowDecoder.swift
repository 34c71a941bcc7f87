import CrawlStore

/// The columns of rows, and where each stands.
struct RowHeading: Sendable {
    let columns: [StoredColumn]
    private let places: [String: Int]

    init(columns: [StoredColumn]) {
        self.columns = columns
        places = Dictionary(columns.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    func place(of column: String) -> Int? { places[column] }
}

/// One row of a source's table.
struct StoredRow: Sendable {
    let heading: RowHeading
    let values: [RecordValue]

    /// The row as a record.
    ///
    /// - Throws: `CrawlError` that names the column and the type where the row does not fit.
    func record<Record: CrawledRecord>(as type: Record.Type) throws(CrawlError) -> Record {
        do {
            return try Record(from: RowDecoder(row: self))
        } catch {
            throw mismatch(error, type)
        }
    }

    private func mismatch<Record: CrawledRecord>(_ error: any Error, _ type: Record.Type) -> CrawlError {
        let key = zip(heading.columns, values).filter(\.0.isKey)
            .map { "\($0.name) \($1.description.debugDescription)" }.joined(separator: ", ")
        let problem: String
        switch error {
        case DecodingError.keyNotFound(let column, _):
            let names = heading.columns.map(\.name)
            let near = NearMiss.suggestion(for: column.stringValue, among: names).map { "; is '\($0)' meant?" } ?? ""
            problem = "the table has no column '\(column.stringValue)'\(near)"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            problem = (path.isEmpty ? "" : "column '\(path)': ") + context.debugDescription
        default:
            problem = "\(error)"
        }
        return CrawlError(
            .failure, "The record of \(Record.source) with \(key) cannot be read as \(type): \(problem)",
            remedy: "Give the property of \(type) the column's name and type, and make it optional where NULL occurs.")
    }
}

/// Decodes a record from one row, by the names of the columns.
private struct RowDecoder: Decoder {
    let row: StoredRow
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(RowContainer(row: row))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw DecodingError.typeMismatch([Any].self, whole("a list"))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer {
        throw DecodingError.typeMismatch(Any.self, whole("a single value"))
    }

    private func whole(_ wanted: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: [], debugDescription: "a record has columns, but \(wanted) is wanted")
    }
}

/// The columns of a row as the properties of a record.
private struct RowContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let row: StoredRow
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { row.heading.columns.compactMap { Key(stringValue: $0.name) } }

    func contains(_ key: Key) -> Bool { row.heading.place(of: key.stringValue) != nil }

    private func value(_ key: Key) throws -> ColumnValue {
        guard let place = row.heading.place(of: key.stringValue) else {
            throw DecodingError.keyNotFound(
                key, DecodingError.Context(codingPath: [], debugDescription: "no such column"))
        }
        return ColumnValue(key: key, type: row.heading.columns[place].type, value: row.values[place])
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try value(key).decode(type) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try value(key).decode(type) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try value(key).decode(type) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try value(key).decode(type) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try value(key).decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try value(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try value(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try value(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { RowDecoder(row: row) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}
