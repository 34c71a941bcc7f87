import CrawlCore
import Testing

/// A source that ends, as a pager sees it.
private struct Shelf {
    var pagination: Pagination
    var records: Int
    var saysTotal = false

    func answer(_ request: PageRequest, size: Int) -> PageFacts {
        let from: Int
        switch pagination {
        case .page(_, let first, _, _, _): from = ((request.position ?? first) - first) * size
        case .offset: from = request.position ?? 0
        case .cursor: from = Int(request.query.last?.value ?? "0") ?? 0
        case .link: from = Int(request.address ?? "0") ?? 0
        case .single: return PageFacts(received: records)
        case .repeat: return PageFacts(received: request.size)
        }
        let count = max(0, min(size, records - from))
        let next = from + size < records ? String(from + size) : nil
        return PageFacts(
            received: count, next: next, total: saysTotal ? records : nil,
            fingerprint: count == 0 ? nil : UInt64(from) &* 0x9E37_79B9_7F4A_7C15 &+ 1)
    }
}

struct ShelfCase: Sendable, CustomTestStringConvertible {
    var name: String
    var pagination: Pagination
    var records: Int
    var size: Int
    var saysTotal = false
    var pages: Int
    var testDescription: String { name }
}

@Suite("Pager")
struct PagerTests {
    static let page = Pagination.page(parameter: "page", first: 1, sizeParameter: "size", maxSize: 100)
    static let offset = Pagination.offset(parameter: "start", sizeParameter: "limit", maxSize: 100)
    static let cursor = Pagination.cursor(parameter: "after", next: .answer(.body(JSONPath(["next"]))))

    static let cases = [
        ShelfCase(name: "page, short last page", pagination: page, records: 25, size: 10, pages: 4),
        ShelfCase(name: "page, multiple of the size", pagination: page, records: 30, size: 10, pages: 4),
        ShelfCase(name: "page, total known", pagination: page, records: 30, size: 10, saysTotal: true, pages: 3),
        ShelfCase(name: "page, empty source", pagination: page, records: 0, size: 10, pages: 1),
        ShelfCase(name: "offset, short last page", pagination: offset, records: 25, size: 10, pages: 4),
        ShelfCase(name: "offset, multiple of the size", pagination: offset, records: 20, size: 10, pages: 3),
        ShelfCase(name: "offset, total known", pagination: offset, records: 20, size: 10, saysTotal: true, pages: 2),
        ShelfCase(name: "cursor", pagination: cursor, records: 25, size: 10, pages: 3),
        ShelfCase(name: "cursor, one page", pagination: cursor, records: 3, size: 10, pages: 1),
        ShelfCase(name: "link", pagination: .link(), records: 25, size: 10, pages: 3),
        ShelfCase(name: "single", pagination: .single, records: 25, size: 1, pages: 1),
    ]

    @Test("walks every record once and ends", arguments: cases)
    func walk(_ row: ShelfCase) throws {
        let shelf = Shelf(pagination: row.pagination, records: row.records, saysTotal: row.saysTotal)
        var pager = Pager(row.pagination, size: row.size)
        var received = 0
        var pages = 0
        while let request = pager.next(size: row.size), pages < 100 {
            pages += 1
            #expect(request.sequence == pages)
            let facts = shelf.answer(request, size: row.size)
            received += facts.received
            try pager.received(request, facts)
        }
        #expect(pager.isExhausted)
        #expect(received == row.records)
        #expect(pages == row.pages)
    }

    @Test("goes on behind the last page after a restart at any page", arguments: cases)
    func resume(_ row: ShelfCase) throws {
        let shelf = Shelf(pagination: row.pagination, records: row.records, saysTotal: row.saysTotal)
        for stop in 0..<row.pages {
            var received = 0
            var pages = 0
            var pager = Pager(row.pagination, size: row.size)
            var isRestarted = false
            while pages < 100 {
                if pages == stop, !isRestarted {
                    pager = Pager(row.pagination, size: row.size, state: pager.state, sequence: pages)
                    isRestarted = true
                }
                guard let request = pager.next(size: row.size) else { break }
                pages += 1
                let facts = shelf.answer(request, size: row.size)
                received += facts.received
                try pager.received(request, facts)
            }
            #expect(received == row.records, "stopped after page \(stop)")
            #expect(pages == row.pages, "stopped after page \(stop)")
        }
    }

    @Test("several lanes: pages that arrive out of order leave no gap after a restart")
    func outOfOrder() throws {
        let shelf = Shelf(pagination: Self.page, records: 105, saysTotal: false)
        var pager = Pager(Self.page, size: 10)
        let one = pager.next(size: 10)
        let first = try #require(one)
        #expect(pager.next(size: 10) == nil, "the first page tells how many records there are on a page")
        try pager.received(first, shelf.answer(first, size: 10))
        let others = (0..<4).compactMap { _ in pager.next(size: 10) }
        try pager.received(others[2], shelf.answer(others[2], size: 10))
        try pager.received(others[0], shelf.answer(others[0], size: 10))
        #expect(pager.state == PagerState(size: 10, position: 3, ahead: [4]))

        var resumed = Pager(Self.page, size: 10, state: pager.state, sequence: 5)
        var positions: [Int] = []
        while let request = resumed.next(size: 10), positions.count < 20 {
            positions.append(request.position ?? -1)
            try resumed.received(request, shelf.answer(request, size: 10))
        }
        #expect(positions == [3, 5, 6, 7, 8, 9, 10, 11, 12])
    }

    struct LoopCase: Sendable, CustomTestStringConvertible {
        var name: String
        var pagination: Pagination
        var answers: [PageFacts]
        var page: Int
        var testDescription: String { name }
    }

    static let loops = [
        LoopCase(
            name: "the same cursor", pagination: cursor,
            answers: [PageFacts(received: 5, next: "a"), PageFacts(received: 5, next: "a")], page: 2),
        LoopCase(
            name: "A-B-A-B", pagination: cursor,
            answers: ["a", "b", "a", "b"].map { PageFacts(received: 5, next: $0) }, page: 3),
        LoopCase(
            name: "a next address equal to itself", pagination: .link(),
            answers: [PageFacts(received: 5, next: "/p?page=0"), PageFacts(received: 5, next: "/p?page=0")], page: 2),
        LoopCase(
            name: "the same full page for ever", pagination: page,
            answers: [PageFacts(received: 10, fingerprint: 7), PageFacts(received: 10, fingerprint: 7)], page: 2),
        LoopCase(
            name: "the same offset page for ever", pagination: offset,
            answers: [PageFacts(received: 10, fingerprint: 7), PageFacts(received: 10, fingerprint: 7)], page: 2),
        LoopCase(
            name: "new cursors, the same records", pagination: cursor,
            answers: [
                PageFacts(received: 5, next: "a", fingerprint: 7), PageFacts(received: 5, next: "b", fingerprint: 7),
            ], page: 2),
    ]

    @Test("a circle is found and names the page", arguments: loops)
    func loop(_ row: LoopCase) throws {
        var pager = Pager(row.pagination, size: 10)
        var found: PaginationFault?
        for answer in row.answers where found == nil {
            let next = pager.next(size: 10)
            let request = try #require(next)
            do { try pager.received(request, answer) } catch { found = error }
        }
        #expect(found?.sequence == row.page)
    }
}
