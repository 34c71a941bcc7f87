import CSQLite
import CrawlCore

/// One JSON object a line, alone or as the elements of an array.
///
/// Columns of JSON appear as the values that they are. https://www.rfc-editor.org/rfc/rfc8259
final class JSONEncoder: RowEncoder {
    private let columns: [StoredColumn]
    private let output: OutputBuffer
    private let isArray: Bool
    /// What stands before each column's value: brace or comma, name, colon.
    private var names: [[UInt8]] = []
    /// The control characters, the quote and the backslash.
    private let special = ByteSet(Array(0..<0x20) + [0x22, 0x5C])
    private let lineEnds = ByteSet([0x0A, 0x0D])

    init(_ columns: [StoredColumn], _ output: OutputBuffer, isArray: Bool) {
        self.columns = columns
        self.output = output
        self.isArray = isArray
        for (index, column) in columns.enumerated() {
            var name = Array(index == 0 ? "{\"".utf8 : ",\"".utf8)
            for byte in column.name.utf8 { name += special.contains(byte) ? Self.escape(byte) : [byte] }
            names.append(name + Array("\":".utf8))
        }
    }

    func begin() throws {
        if isArray { try output.append(UInt8(ascii: "[")) }
    }

    func row(_ statement: OpaquePointer, isFirst: Bool) throws {
        if isArray { try output.append(isFirst ? "\n" : ",\n") }
        for column in columns.indices {
            try output.append(names[column])
            try value(statement, Int32(truncatingIfNeeded: column), columns[column].type)
        }
        try output.append(UInt8(ascii: "}"))
        if !isArray { try output.append(0x0A) }
    }

    func end(isEmpty: Bool) throws {
        if isArray { try output.append(isEmpty ? "]\n" : "\n]\n") }
    }

    @inline(__always)
    private func value(_ statement: OpaquePointer, _ index: Int32, _ type: ColumnType) throws {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_NULL: try output.append("null")
        case SQLITE_INTEGER where type == .boolean:
            try output.append(sqlite3_column_int64(statement, index) == 0 ? "false" : "true")
        case SQLITE_INTEGER: try output.append(decimal: sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: try output.append(shortest: sqlite3_column_double(statement, index))
        default:
            guard let bytes = sqlite3_column_text(statement, index) else { return try output.append("\"\"") }
            let count = Int(sqlite3_column_bytes(statement, index))
            if type == .json, count > 0 { try json(bytes, count) } else { try text(bytes, count) }
        }
    }

    private func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
        try output.append(0x22)
        var start = 0
        while true {
            let end = special.first(in: bytes, from: start, count: count)
            try output.append(bytes + start, end - start)
            guard end < count else { break }
            try output.append(Self.escape(bytes[end]))
            start = end + 1
        }
        try output.append(0x22)
    }

    /// Copies JSON without its line ends: in JSON they can only stand between tokens, where they mean nothing.
    private func json(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
        var start = 0
        while true {
            let end = lineEnds.first(in: bytes, from: start, count: count)
            try output.append(bytes + start, end - start)
            guard end < count else { return }
            start = end + 1
        }
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        switch byte {
        case 0x22: return Array("\\\"".utf8)
        case 0x5C: return Array("\\\\".utf8)
        case 0x0A: return Array("\\n".utf8)
        case 0x0D: return Array("\\r".utf8)
        case 0x09: return Array("\\t".utf8)
        default:
            let digits = String(byte, radix: 16)
            return Array("\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
        }
    }
}
