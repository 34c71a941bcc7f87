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

    private let source: Source
    private let captured: [JSONPath]
    private let plan: ReaderPlan
    private let pool = ReaderPool()

    /// Compiles a source.
    ///
    /// - Parameters:
    ///   - source: What records look like and where they are.
    ///   - captured: Paths from the top of a page to further values that the pager needs, the next cursor for example.
    package init(_ source: Source, capturing captured: [JSONPath] = []) {
        self.source = source
        self.captured = captured
        plan = ReaderPlan(source, capturing: captured)
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
        let storage = pool.makeStorage(body: owner)
        let status = pool.withParser { parser in
            csj_read(
                plan.pointer, parser, body.baseAddress?.assumingMemoryBound(to: UInt8.self), body.count,
                max(capacity, body.count), storage.page)
        }
        let view = csj_page_view(storage.page)
        guard Int(status) == CSJ_OK, let cells = view.cells else {
            throw PageProblem(source: source, body: body).failure(status: Int(status))
        }
        let rejects = UnsafeBufferPointer(start: view.rejects, count: view.reject_count)
        let batch = RecordBatch(
            columnCount: source.columns.count + 1, rowCount: view.row_count, cells: cells,
            rejects: rejects.map { RejectedRecord($0, columns: source.columns) }, owner: storage)
        return Page(records: batch, captured: captured.isEmpty ? [:] : values(view))
    }

    /// Reads a page from an array, which is copied.
    ///
    /// - Throws: `FetchFailure.unreadable` where the page as a whole cannot be used.
    package func read(_ body: [UInt8]) throws(FetchFailure) -> Page {
        let copy = PaddedBytes(body)
        return try read(copy.bytes, capacity: copy.capacity, owner: copy)
    }

    private func values(_ view: csj_view) -> [JSONPath: JSONValue] {
        var values: [JSONPath: JSONValue] = [:]
        for (index, path) in captured.enumerated() {
            guard let bytes = view.captures[index].bytes else { continue }
            let text = UnsafeRawBufferPointer(start: bytes, count: view.captures[index].length)
            values[path] = try? JSONValue(parsing: text)
        }
        return values
    }
}

/// Bytes with readable padding behind them.
private final class PaddedBytes {
    let capacity: Int
    let bytes: UnsafeRawBufferPointer

    init(_ source: [UInt8]) {
        capacity = source.count + PageReader.padding
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 64)
        copy.copyBytes(from: source)
        copy[source.count...].copyBytes(from: repeatElement(0, count: PageReader.padding))
        bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(copy)[..<source.count])
        allocation = copy
    }

    private let allocation: UnsafeMutableRawBufferPointer

    deinit {
        allocation.deallocate()
    }
}
