import CSQLite
import CrawlCore

/// RFC 4180 with LF line ends, or the dialect of spreadsheets.
///
/// NULL is an empty field and an empty text is `""`. The one field of a row with a single column is `""` in both
/// cases, since readers skip empty lines. https://www.rfc-editor.org/rfc/rfc4180
final class CSVEncoder: RowEncoder {
    private let columns: [StoredColumn]
    private let output: OutputBuffer
    private let isExcel: Bool
    private let special = ByteSet([0x22, 0x2C, 0x0A, 0x0D])

    init(_ columns: [StoredColumn], _ output: OutputBuffer, isExcel: Bool) {
        self.columns = columns
        self.output = output
        self.isExcel = isExcel
    }

    func begin() throws {
        if isExcel { try output.append([0xEF, 0xBB, 0xBF]) }
        for (index, column) in columns.enumerated() {
            if index > 0 { try output.append(0x2C) }
            var name = column.name
            try name.withUTF8 { buffer in
                if let bytes = buffer.baseAddress { try text(bytes, buffer.count) }
            }
        }
        try endLine()
    }

    func row(_ statement: OpaquePointer, isFirst: Bool) throws {
        for index in 0..<Int32(truncatingIfNeeded: columns.count) {
            if index > 0 { try output.append(0x2C) }
            switch sqlite3_column_type(statement, index) {
            case SQLITE_NULL: if columns.count == 1 { try quoted(nil, 0, prefix: 0) }
            case SQLITE_INTEGER: try output.append(decimal: sqlite3_column_int64(statement, index))
            case SQLITE_FLOAT: try output.append(shortest: sqlite3_column_double(statement, index))
            default:
                let bytes = sqlite3_column_text(statement, index)
                let count = Int(sqlite3_column_bytes(statement, index))
                if let bytes, count > 0 { try text(bytes, count) } else { try quoted(nil, 0, prefix: 0) }
            }
        }
        try endLine()
    }

    func end(isEmpty: Bool) throws {}

    @inline(__always)
    private func endLine() throws {
        if isExcel { try output.append(0x0D) }
        try output.append(0x0A)
    }

    @inline(__always)
    private func text(_ bytes: UnsafePointer<UInt8>, _ count: Int) throws {
        let first = bytes[0]
        // = + - @ tab and carriage return begin a formula.
        let isFormula =
            isExcel
            && (first == 0x3D || first == 0x2B || first == 0x2D || first == 0x40 || first == 0x09 || first == 0x0D)
        let last = bytes[count - 1]
        if first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09 || isFormula
            || special.first(in: bytes, from: 0, count: count) < count
        {
            try quoted(bytes, count, prefix: isFormula ? 0x27 : 0)
        } else {
            try output.append(bytes, count)
        }
    }

    /// Writes a field in quotes, behind the `prefix` where that is not 0.
    private func quoted(_ bytes: UnsafePointer<UInt8>?, _ count: Int, prefix: UInt8) throws {
        try output.append(0x22)
        if prefix != 0 { try output.append(prefix) }
        if let bytes {
            var start = 0
            for index in 0..<count where bytes[index] == 0x22 {
                // Up to and with the quote, which the next part begins with once more.
                try output.append(bytes + start, index + 1 - start)
                start = index
            }
            try output.append(bytes + start, count - start)
        }
        try output.append(0x22)
    }
}
