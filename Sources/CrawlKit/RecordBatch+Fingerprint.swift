import CSimdJSON
import CrawlCore
import CrawlJSON

extension RecordBatch {
    /// A hash of the keys of all rows, nil where there are none: two pages with the same one hold the same records.
    ///
    /// - Parameter key: The places of the key columns in a row.
    func fingerprint(key: [Int]) -> UInt64? {
        guard rowCount > 0 else { return nil }
        var hash = StableHash()
        do {
            try forEachPart(where: { rows, _ in rows > 0 }) { part in
                for row in 0..<part.rowCount {
                    for column in key { hash.add(part.cells[row * columnCount + column]) }
                }
            }
        } catch {
            return nil
        }
        return hash.value
    }
}

extension StableHash {
    fileprivate mutating func add(_ cell: csj_cell) {
        add(UInt8(truncatingIfNeeded: cell.kind))
        if Int(cell.kind) == CSJ_TEXT {
            add(UnsafeRawBufferPointer(start: cell.text, count: Int(cell.length)))
        } else {
            withUnsafeBytes(of: cell.integer) { add($0) }
        }
    }
}

extension Source {
    /// The places of the key columns among the columns.
    var keyIndices: [Int] {
        key.compactMap { name in columns.firstIndex { $0.name == name } }
    }
}
