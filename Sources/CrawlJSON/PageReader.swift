import CSimdJSON
import CrawlCore

/// Turns the bytes of a page into a batch of records, as a source file describes them.
///
/// May be used from several threads at once. Memory is reused from page to page, so that it depends on the number and
/// size of the pages that are alive, not on how many were read.
package final class PageReader: Sendable {
    /// What one page brought.
    package struct Page: Sendable {
        /// The page's records.
        package let records: RecordBatch
        /// The values at the paths asked for when the reader was made; a path that the page lacks is missing here.
        package let captured: [JSONPath: JSONValue]
    }

    /// The deepest nesting of a page that is read.
    package static let maximumDepth = Int(CSJ_MAX_DEPTH)
    /// Readable bytes that must lie behind a page so that it need not be copied.
    package static let padding = 64

    let source: Source
    private let captured: [JSONPath]
    /// The plan for a page, and the one for a list of records alone.
    let plan: ReaderPlan
    let listPlan: ReaderPlan
    let pool = ReaderPool()

    /// Compiles a source.
    ///
    /// - Parameters:
    ///   - source: What records look like and where they are.
    ///   - captured: Paths from the top of a page to further values that the pager needs, the next cursor for example.
    package init(_ source: Source, capturing captured: [JSONPath] = []) {
        self.source = source
        self.captured = captured
        plan = ReaderPlan(source, capturing: captured)
        var list = source
        list.records = JSONPath([])
        listPlan = ReaderPlan(list, capturing: [])
    }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - body: The page's bytes.
    ///   - capacity: The bytes that are readable from the start of `body`; where that is less than the page and
    ///     `padding`, the page is copied.
    ///   - owner: What keeps `body` alive and unchanged; the batch holds it.
    /// - Throws: `FetchFailure.unreadable` where the page as a whole cannot be used.
    package func read(
        _ body: UnsafeRawBufferPointer, capacity: Int, owner: AnyObject
    ) throws(FetchFailure) -> Page {
        guard body.count <= Self.mostBytesAtOnce else {
            return try readInPieces(body, capacity: capacity, owner: owner)
        }
        let storage = pool.makeStorage(body: owner)
        let width = source.columns.count + 1
        // Rows must not take many times the memory of the bytes that they came in.
        let cells = max(width, min(max(body.count * 2, Self.fewCellBytes), Self.mostBytesAtOnce) / Self.cellBytes)
        let status = read(
            body, capacity: capacity, as: plan, most: (cells: cells, rejects: Self.mostRejectsAtOnce), into: storage)
        if status == CSJ_TOO_MANY { return try readInPieces(body, capacity: capacity, owner: owner) }
        guard status == CSJ_OK else { throw PageProblem(source: source, body: body).failure(status: status) }
        return Page(records: batch(storage), captured: values(csj_page_view(storage.page)))
    }

    /// Pages of more bytes are read in pieces; so are those whose rows take more memory than that.
    private static let mostBytesAtOnce = 1 << 20
    private static let fewCellBytes = 128 << 10
    private static let mostRejectsAtOnce = 2048
    private static let cellBytes = MemoryLayout<csj_cell>.stride

    private func readInPieces(
        _ body: UnsafeRawBufferPointer, capacity: Int, owner: AnyObject
    ) throws(FetchFailure) -> Page {
        guard capacity >= body.count + Self.padding else {
            let copy = PaddedBytes(body)
            return try readInPieces(copy.bytes, capacity: copy.capacity, owner: copy)
        }
        let pieces = try RecordPieces(of: body, owner: owner, reader: self)
        return Page(records: RecordBatch(columnCount: source.columns.count + 1, pieces), captured: pieces.captured)
    }

    /// Reads bytes into the storage; the status of `csj_read`.
    func read(
        _ body: UnsafeRawBufferPointer, capacity: Int, as plan: ReaderPlan, most: (cells: Int, rejects: Int),
        into storage: PageStorage
    ) -> Int {
        pool.withParser { parser in
            Int(
                csj_read(
                    plan.pointer, parser, body.baseAddress?.assumingMemoryBound(to: UInt8.self), body.count,
                    max(capacity, body.count), most.cells, most.rejects, storage.page))
        }
    }

    /// The rows and rejects that were read into the storage, whose records follow after `before` others.
    func batch(_ storage: PageStorage, before: Int = 0) -> RecordBatch {
        let view = csj_page_view(storage.page)
        let rejects = UnsafeBufferPointer(start: view.rejects, count: view.reject_count)
        return RecordBatch(
            columnCount: source.columns.count + 1, rowCount: view.row_count, cells: view.cells,
            rejects: rejects.map { RejectedRecord($0, columns: source.columns, before: before) }, owner: storage)
    }

    /// Reads a page from an array, which is copied.
    ///
    /// - Throws: `FetchFailure.unreadable` where the page as a whole cannot be used.
    package func read(_ body: [UInt8]) throws(FetchFailure) -> Page {
        let copy = PaddedBytes(body)
        return try read(copy.bytes, capacity: copy.capacity, owner: copy)
    }

    /// The values at the captured paths.
    func values(_ view: csj_view) -> [JSONPath: JSONValue] {
        var values: [JSONPath: JSONValue] = [:]
        for (index, path) in captured.enumerated() {
            guard let bytes = view.captures[index].bytes else { continue }
            let text = UnsafeRawBufferPointer(start: bytes, count: view.captures[index].length)
            values[path] = try? JSONValue(parsing: text)
        }
        return values
    }
}
