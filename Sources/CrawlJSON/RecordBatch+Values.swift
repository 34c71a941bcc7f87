import CSimdJSON

extension RecordBatch {
    /// All records that are not stored, for pages that are known to be small.
    package var rejects: [RejectedRecord] {
        var all: [RejectedRecord] = []
        try? forEachPart { all += $0.rejects }
        return all
    }

    /// All rows as Swift values, for pages that are known to be small.
    package var rows: [[CellValue]] {
        var all: [[CellValue]] = []
        try? forEachPart { part in
            all += (0..<part.rowCount).map { row in (0..<columnCount).map { part[row: row, column: $0] } }
        }
        return all
    }

    /// Makes a batch from Swift values; each row has `columnCount` values, `extra` last.
    package convenience init(columnCount: Int, rows: [[CellValue]], rejects: [RejectedRecord] = []) {
        let storage = CellStorage(rows.joined())
        self.init(
            columnCount: columnCount, rowCount: rows.count, cells: UnsafePointer(storage.cells), rejects: rejects,
            owner: storage)
    }
}

/// Owns the cells of a batch that was made from Swift values, and their texts.
private final class CellStorage {
    let cells: UnsafeMutablePointer<csj_cell>
    private var texts: [UnsafeMutableBufferPointer<UInt8>] = []

    init(_ values: some Sequence<CellValue>) {
        let values = Array(values)
        cells = .allocate(capacity: max(1, values.count))
        for (index, value) in values.enumerated() {
            var cell = csj_cell()
            switch value {
            case .absent: cell.kind = UInt32(CSJ_ABSENT)
            case .null: cell.kind = UInt32(CSJ_NULL)
            case .integer(let integer):
                cell.kind = UInt32(CSJ_INTEGER)
                cell.integer = integer
            case .real(let real):
                cell.kind = UInt32(CSJ_REAL)
                cell.real = real
            case .text(let text):
                let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, text.utf8.count))
                _ = bytes.initialize(from: text.utf8)
                texts.append(bytes)
                cell.kind = UInt32(CSJ_TEXT)
                cell.length = UInt32(text.utf8.count)
                cell.text = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
            }
            cells[index] = cell
        }
    }

    deinit {
        for text in texts { text.deallocate() }
        cells.deallocate()
    }
}
