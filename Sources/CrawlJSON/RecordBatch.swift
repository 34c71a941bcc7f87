import CSimdJSON

/// The records of one page, as rows of cells, and those that the source file rejects.
///
/// A row has one cell for each column of the source, in the source's order, and one more for `extra`: the JSON object
/// of all fields that no column names, absent where there are none. Immutable once made, so that the thread that
/// parsed a page may hand it to the thread that writes it.
package final class RecordBatch: @unchecked Sendable {
    /// Cells in a row: the source's columns and `extra`.
    package let columnCount: Int
    /// Rows, in the order of the page.
    package let rowCount: Int
    /// `rowCount * columnCount` cells, row by row; valid as long as the batch.
    package let cells: UnsafePointer<csj_cell>
    /// The records that are not stored, in the order of the page.
    package let rejects: [RejectedRecord]
    /// Keeps alive what the cells point to.
    private let owner: AnyObject

    /// Records that the page held.
    package var receivedCount: Int { rowCount + rejects.count }

    package init(
        columnCount: Int, rowCount: Int, cells: UnsafePointer<csj_cell>, rejects: [RejectedRecord], owner: AnyObject
    ) {
        self.columnCount = columnCount
        self.rowCount = rowCount
        self.cells = cells
        self.rejects = rejects
        self.owner = owner
    }

    /// A cell; `row` and `column` count from 0.
    package subscript(row row: Int, column column: Int) -> CellValue {
        CellValue(cells[row * columnCount + column])
    }
}

/// A record that is not stored.
package struct RejectedRecord: Sendable, Equatable {
    /// The place in the page, from 1.
    package var position: Int
    /// What is wrong, for example `uid: expected text, got number`.
    package var reason: String
    /// The bytes of the record as they were sent.
    package var payload: [UInt8]

    package init(position: Int, reason: String, payload: [UInt8]) {
        self.position = position
        self.reason = reason
        self.payload = payload
    }
}

/// A cell as a Swift value, for all but the hot path.
package enum CellValue: Sendable, Equatable {
    case absent
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    package init(_ cell: csj_cell) {
        switch Int(cell.kind) {
        case CSJ_NULL: self = .null
        case CSJ_INTEGER: self = .integer(cell.integer)
        case CSJ_REAL: self = .real(cell.real)
        case CSJ_TEXT:
            let bytes = UnsafeRawBufferPointer(start: cell.text, count: Int(cell.length))
            self = .text(String(decoding: bytes, as: UTF8.self))
        default: self = .absent
        }
    }
}
