import CSimdJSON
import CrawlCore

/// Parsers and page memory for reuse: a bounded number of each, and none that grew large.
final class ReaderPool: Sendable {
    /// The most of each kind that wait for their next use.
    static let capacity = 16
    /// Bytes from which on memory goes back to the system instead.
    static let largest = 4 << 20

    private let parsers = Locked<[Parser]>([])
    private let pages = Locked<[Page]>([])

    /// A C++ object that one thread at a time uses: whoever took it out of the pool.
    private struct Parser: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// A C++ object that one thread at a time changes: whoever took it out of the pool.
    private struct Page: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Runs `body` with a parser that nobody else uses meanwhile.
    func withParser<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        let parser = parsers.withLock { $0.popLast() } ?? Parser(pointer: made(csj_parser_create()))
        defer {
            let isKept =
                csj_parser_footprint(parser.pointer) <= Self.largest
                && parsers.withLock { waiting in
                    guard waiting.count < Self.capacity else { return false }
                    waiting.append(parser)
                    return true
                }
            if !isKept { csj_parser_destroy(parser.pointer) }
        }
        return body(parser.pointer)
    }

    /// Memory for one page, which comes back to the pool by itself.
    func makeStorage(body: AnyObject) -> PageStorage {
        let page = pages.withLock { $0.popLast() } ?? Page(pointer: made(csj_page_create()))
        return PageStorage(page: page.pointer, body: body, pool: self)
    }

    fileprivate func takeBack(_ pointer: OpaquePointer) {
        let page = Page(pointer: pointer)
        let isKept =
            csj_page_footprint(pointer) <= Self.largest
            && pages.withLock { waiting in
                guard waiting.count < Self.capacity else { return false }
                waiting.append(page)
                return true
            }
        if !isKept { csj_page_destroy(pointer) }
    }

    private func made(_ pointer: OpaquePointer?) -> OpaquePointer {
        guard let pointer else { preconditionFailure("no memory for a JSON parser") }
        return pointer
    }

    deinit {
        for parser in parsers.withLock({ $0 }) { csj_parser_destroy(parser.pointer) }
        for page in pages.withLock({ $0 }) { csj_page_destroy(page.pointer) }
    }
}

/// Owns what the cells of a batch point to: the page's memory and the body that it was read from.
final class PageStorage {
    let page: OpaquePointer
    private var body: AnyObject
    private let pool: ReaderPool

    fileprivate init(page: OpaquePointer, body: AnyObject, pool: ReaderPool) {
        self.page = page
        self.body = body
        self.pool = pool
    }

    /// Keeps another body instead, which is read next.
    func keep(_ body: AnyObject) {
        self.body = body
    }

    deinit {
        pool.takeBack(page)
    }
}
