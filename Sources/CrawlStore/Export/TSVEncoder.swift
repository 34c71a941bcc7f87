import CSQLite
import CrawlCore

/// Tab-separated values: every line of the output is a row, every tab ends a field.
///
/// NULL is an empty field, and so is an empty text.
final class TSVEncoder: RowEncoder {
    private let columns: [StoredColumn]
    private let output: OutputBuffer
    private let special = ByteSet([0x09, 0x0A, 0x0D, 0x5C])

    init(_ columns: [StoredColumn], _ output: OutputBuffer) {
        self.columns = columns
        self.output = output
    }

    func begin() throws {
        for (index, column) in columns.enumerated() {
            if index > 0 { try output.append(0x09) }
            var name = column.name
            try name.withUTF8 { buffer in
                if let bytes = buffer.baseAddress { try text(bytes, buffer.count) }
            }
        }
        try output.append(0x0A)
    }

    func row(_ statement: OpaquePointer, isFirst: Bool) throws {
        for index in 0..<Int32(truncatingIfNeeded: columns.count) {
            if index > 0 { try output.append(0x09) }
            switch sqlite3_column_type(statement, index) {
            case SQLITE_NULL: break
            case SQLITE_INTEGER: try output.append(decimal: sqlite3_column_int64(statement, index))
            case SQLITE_FLOAT: try output.append(shortest: sqlite3_column_double(statement, index))
            default:
                if let bytes = sqlite3_column_text(statement, index) {
                    try text(bytes, Int(sqlite3_column_bytes(statement, index)))
                }
            }
        }
        try output.append(0x0A)
    }

    func end(isEmpty: Bool) throws {}

    private func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
        var start = 0
        while true {
            let end = special.first(in: bytes, from: start, count: count)
            try output.append(bytes + start, end - start)
            guard end < count else { return }
            try output.append(0x5C)
            switch bytes[end] {
            case 0x09: try output.append(UInt8(ascii: "t"))
            case 0x0A: try output.append(UInt8(ascii: "n"))
            case 0x0D: try output.append(UInt8(ascii: "r"))
            default: try output.append(0x5C)
            }
            start = end + 1
        }
    }
}
