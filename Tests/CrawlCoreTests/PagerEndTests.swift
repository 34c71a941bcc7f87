import CrawlCore
import Testing

/// Pages as a server sends them in turn, and how many of them a pager asks for.
struct EndCase: Sendable, CustomTestStringConvertible {
    var name: String
    var pagination: Pagination
    var size = 10
    var answers: [PageFacts]
    /// The requests until the end.
    var pages: Int
    var testDescription: String { name }
}

@Suite("How a pager finds the end")
struct PagerEndTests {
    typealias Facts = PageFacts
    static let page = Pagination.page(parameter: "page", sizeParameter: "size", maxSize: 100)
    static let offset = Pagination.offset(parameter: "start", sizeParameter: "limit", maxSize: 100)
    static let cursor = Pagination.cursor(parameter: "after", next: .answer(.header("X-Next")))

    static let cases = [
        EndCase(
            name: "page: the number of pages is known", pagination: page,
            answers: [Facts(received: 10, pages: 2), Facts(received: 10, pages: 2)], pages: 2),
        EndCase(
            name: "page: a short page is not the last where the number of pages says so", pagination: page,
            answers: [Facts(received: 10, pages: 3), Facts(received: 7, pages: 3), Facts(received: 10, pages: 3)],
            pages: 3),
        EndCase(
            name: "page: a short page is not the last where there are said to be more", pagination: page,
            answers: [
                Facts(received: 10, more: true), Facts(received: 7, more: true), Facts(received: 2, more: false),
            ],
            pages: 3),
        EndCase(
            name: "page: a full page is the last where there are said to be no more", pagination: page,
            answers: [Facts(received: 10, more: true), Facts(received: 10, more: false)], pages: 2),
        EndCase(
            name: "page: an empty page is the last whatever the answer says", pagination: page,
            answers: [Facts(received: 10, total: 999, more: true), Facts(received: 0, total: 999, more: true)],
            pages: 2),
        EndCase(
            name: "page: the number of pages of nothing", pagination: page,
            answers: [Facts(received: 0, total: 0, pages: 0)], pages: 1),
        EndCase(
            name: "page: a total that cannot be true says nothing", pagination: page,
            answers: [
                Facts(received: 10, total: 0), Facts(received: 10, total: 3), Facts(received: 4, total: 0),
                Facts(received: 0, total: 0),
            ],
            pages: 4),
        EndCase(
            name: "page: a short page may be one of many", pagination: page,
            answers: [10, 9, 10, 7, 7, 0].map { Facts(received: $0) }, pages: 6),
        EndCase(
            name: "page: a total that grows is followed", pagination: page,
            answers: [Facts(received: 10, total: 20), Facts(received: 10, total: 25), Facts(received: 5, total: 25)],
            pages: 3),
        EndCase(
            name: "page: totals beyond all numbers", pagination: page,
            answers: [Facts(received: 10, total: .max, pages: .max), Facts(received: 0, total: .max, pages: .max)],
            pages: 2),
        EndCase(
            name: "page: the server sends fewer than asked", pagination: page,
            answers: [4, 4, 2].map { Facts(received: $0, total: 10) }, pages: 3),
        EndCase(
            name: "offset: the number of pages is known", pagination: offset,
            answers: [Facts(received: 10, pages: 2), Facts(received: 10, pages: 2)], pages: 2),
        EndCase(
            name: "offset: totals beyond all numbers", pagination: offset,
            answers: [Facts(received: 10, pages: .max), Facts(received: 0, total: .max)], pages: 2),
        EndCase(
            name: "offset: the server sends fewer than asked", pagination: offset,
            answers: [4, 4, 2].map { Facts(received: $0, total: 10) }, pages: 3),
        EndCase(
            name: "offset: the server sends more than asked", pagination: offset, size: 2,
            answers: [10, 10, 3, 0].map { Facts(received: $0) }, pages: 4),
        EndCase(
            name: "page: the server sends more than asked", pagination: page, size: 2,
            answers: [10, 10, 3].map { Facts(received: $0, total: 23) }, pages: 3),
        EndCase(
            name: "offset: the first record is number 1",
            pagination: .offset(parameter: "startIndex", first: 1, sizeParameter: nil, maxSize: 10),
            answers: [Facts(received: 10, total: 20), Facts(received: 10, total: 20)], pages: 2),
        EndCase(
            name: "cursor: no more, though there is a cursor", pagination: cursor,
            answers: [Facts(received: 5, next: "a", more: true), Facts(received: 5, next: "b", more: false)], pages: 2),
        EndCase(
            name: "cursor: empty", pagination: cursor,
            answers: [Facts(received: 5, next: "a"), Facts(received: 5, next: "")], pages: 2),
        EndCase(
            name: "cursor: a page without records in between", pagination: cursor,
            answers: [Facts(received: 5, next: "a"), Facts(received: 0, next: "b"), Facts(received: 5)], pages: 3),
        EndCase(
            name: "cursor: an empty page that names itself again", pagination: cursor,
            answers: [Facts(received: 5, next: "a"), Facts(received: 0, next: "a")], pages: 2),
    ]

    @Test("the end", arguments: cases)
    func end(_ row: EndCase) throws {
        var pager = Pager(row.pagination, size: row.size)
        var pages = 0
        while let request = pager.next(size: row.size), pages < row.answers.count {
            try pager.received(request, row.answers[pages])
            pages += 1
        }
        #expect(pager.isExhausted)
        #expect(pages == row.pages)
        #expect(pager.state.ended == true)
    }

    @Test("where the server sends fewer than asked, offsets leave no gap, also after a restart")
    func steps() throws {
        var pager = Pager(Self.offset, size: 10)
        var positions: [Int] = []
        while let request = pager.next(size: 10), positions.count < 10 {
            let position = request.position ?? -1
            positions.append(position)
            #expect(request.query.last == QueryItem("limit", positions.count == 1 ? "10" : "4"))
            try pager.received(request, PageFacts(received: min(4, 18 - position), total: 18))
            pager = Pager(Self.offset, size: 4, state: pager.state, sequence: positions.count)
        }
        #expect(positions == [0, 4, 8, 12, 16])
    }

    @Test("lanes ask for no page beyond the announced end")
    func announced() throws {
        var pager = Pager(Self.page, size: 10)
        let first = pager.next(size: 10)
        try pager.received(try #require(first), PageFacts(received: 10, total: 35))
        let rest = (0..<9).compactMap { _ in pager.next(size: 10)?.position }
        #expect(rest == [2, 3, 4])
        #expect(pager.state.ended != true)
    }

    @Test("a chain of pages without records is given up")
    func emptyPages() throws {
        var pager = Pager(Self.cursor, size: 10)
        var found: PaginationFault?
        for page in 1...1_000 where found == nil {
            let next = pager.next(size: 10)
            let request = try #require(next)
            do { try pager.received(request, PageFacts(received: 0, next: "c\(page)")) } catch { found = error }
        }
        #expect(found?.kind == .circle)
        #expect(found?.sequence == Pager.patience)
    }

    @Test("a next page that cannot be asked for is no end; the state stays before the page")
    func deadEnd() throws {
        var pager = Pager(.link(), size: 10, state: PagerState(size: 10, next: "http://a/2"), sequence: 1)
        let next = pager.next(size: 10)
        let request = try #require(next)
        let fault = #expect(throws: PaginationFault.self) {
            try pager.received(request, PageFacts(received: 3, deadEnd: "it leads to another host"))
        }
        #expect(fault == PaginationFault(.deadEnd, sequence: 2, evidence: "it leads to another host"))
        #expect(pager.state.next == "http://a/2")
        #expect(pager.state.ended != true)
    }
}
