/// Where a chain of pages stands: what the ledger stores with each page, so that a crawl goes on after it.
package struct PagerState: Sendable, Equatable, Codable {
    /// The records asked for on each page; a later run must ask for as many.
    package var size: Int
    /// The lowest page or record number that has not arrived; for styles that count.
    package var position: Int?
    /// Numbers above `position` that have arrived already, ascending.
    package var ahead: [Int]?
    /// The cursor or address of the next page; for styles that follow one.
    package var next: String?
    /// Whether the source has no further page.
    package var ended: Bool?
    /// The number at and beyond which there is no page, as a page showed.
    package var end: Int?
    /// Likewise, as the totals of the latest answer say.
    package var announced: Int?
    /// The number behind a short page, where nothing told whether there is more.
    ///
    /// The server may send no larger pages, leave out records, or have no more; a page at or beyond the number tells.
    package var doubt: Int?

    package init(
        size: Int, position: Int? = nil, ahead: [Int]? = nil, next: String? = nil, ended: Bool? = nil,
        end: Int? = nil, announced: Int? = nil, doubt: Int? = nil
    ) {
        self.size = size
        self.position = position
        self.ahead = ahead
        self.next = next
        self.ended = ended
        self.end = end
        self.announced = announced
        self.doubt = doubt
    }
}
