import CSimdJSON
import CrawlCore
import CrawlJSON

extension RecordBatch {
    /// A hash of the keys of all rows, nil where there are none: two pages with the same one hold the same records.
    ///
    /// - Parameter key: The places of the key columns in a row.
    func fingerprint(key: [Int]) -> UInt64? {
        guard rowCount > 0 else { return nil }
        // FNV-1a, the same in every process: http://www.isthe.com/chongo/tech/comp/fnv/
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        for row in 0..<rowCount {
            for column in key {
                let cell = cells[row * columnCount + column]
                add(UInt8(truncatingIfNeeded: cell.kind))
                if Int(cell.kind) == CSJ_TEXT {
                    UnsafeRawBufferPointer(start: cell.text, count: Int(cell.length)).forEach(add)
                } else {
                    withUnsafeBytes(of: cell.integer) { $0.forEach(add) }
                }
            }
        }
        return hash
    }
}

extension Source {
    /// The places of the key columns among the columns.
    var keyIndices: [Int] {
        key.compactMap { name in columns.firstIndex { $0.name == name } }
    }
}
