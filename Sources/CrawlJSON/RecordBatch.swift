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
    /// Records that are not stored.
    package let rejectCount: Int
    /// What is in memory, or where it is to be read from.
    private let content: Content

    private enum Content {
        /// All of it; the object keeps alive what the cells point to.
        case rows(cells: UnsafePointer<csj_cell>, rejects: [RejectedRecord], owner: AnyObject)
        /// Nothing but the page's bytes.
        case pieces(RecordPieces)
    }

    /// Records that the page held.
    package var receivedCount: Int { rowCount + rejectCount }

    package init(
        columnCount: Int, rowCount: Int, cells: UnsafePointer<csj_cell>, rejects: [RejectedRecord], owner: AnyObject
    ) {
        self.columnCount = columnCount
        self.rowCount = rowCount
        rejectCount = rejects.count
        content = .rows(cells: cells, rejects: rejects, owner: owner)
    }

    /// The records of a page that is too large, or holds too many, to have them all in memory.
    init(columnCount: Int, _ pieces: RecordPieces) {
        self.columnCount = columnCount
        rowCount = pieces.pieces.reduce(0) { $0 + $1.rows }
        rejectCount = pieces.pieces.reduce(0) { $0 + $1.rejects }
        content = .pieces(pieces)
    }

    /// Some of the records of a page, in memory.
    package struct Part {
        /// Rows.
        package let rowCount: Int
        /// `rowCount` times as many cells as the batch has columns, row by row; valid as long as the part is kept.
        package let cells: UnsafePointer<csj_cell>
        /// The records that are not stored, in the order of the page.
        package let rejects: [RejectedRecord]
        fileprivate let columnCount: Int
        fileprivate let owner: AnyObject

        /// A cell; `row` and `column` count from 0.
        package subscript(row row: Int, column column: Int) -> CellValue {
            CellValue(cells[row * columnCount + column])
        }
    }

    /// Calls `body` with all records, part by part and in the order of the page; one part is in memory at a time.
    ///
    /// - Parameter isNeeded: Tells by the rows and rejects of a part whether it is; one that is not is not read.
    /// - Throws: What `body` throws; `CrawlError` where there is no memory.
    package func forEachPart(
        where isNeeded: (_ rows: Int, _ rejects: Int) -> Bool = { _, _ in true }, _ body: (Part) throws -> Void
    ) throws {
        switch content {
        case .rows(let cells, let rejects, let owner):
            guard isNeeded(rowCount, rejects.count) else { return }
            let part = Part(
                rowCount: rowCount, cells: cells, rejects: rejects, columnCount: columnCount, owner: owner)
            try withExtendedLifetime(owner) { try body(part) }
        case .pieces(let pieces):
            for piece in pieces.pieces where isNeeded(piece.rows, piece.rejects) {
                try pieces.batch(piece).forEachPart(body)
            }
        }
    }

    /// The last records of the page, at least one where it has any; nil where there is no memory.
    package var lastPart: Part? {
        switch content {
        case .rows(let cells, let rejects, let owner):
            Part(rowCount: rowCount, cells: cells, rejects: rejects, columnCount: columnCount, owner: owner)
        case .pieces(let pieces):
            pieces.pieces.last.flatMap { try? pieces.batch($0).lastPart }
        }
    }

    /// Why the first record that is not stored is not.
    package var firstRejection: String? {
        switch content {
        case .rows(_, let rejects, _): rejects.first?.reason
        case .pieces(let pieces):
            pieces.pieces.first { $0.rejects > 0 }.flatMap { try? pieces.batch($0).firstRejection }
        }
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
