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
        for row in 0..<rowCount {
            for column in key {
                let cell = cells[row * columnCount + column]
                hash.add(UInt8(truncatingIfNeeded: cell.kind))
                if Int(cell.kind) == CSJ_TEXT {
                    hash.add(UnsafeRawBufferPointer(start: cell.text, count: Int(cell.length)))
                } else {
                    withUnsafeBytes(of: cell.integer) { hash.add($0) }
                }
            }
        }
        return hash.value
    }
}

extension Source {
    /// The places of the key columns among the columns.
    var keyIndices: [Int] {
        key.compactMap { name in columns.firstIndex { $0.name == name } }
    }
}
