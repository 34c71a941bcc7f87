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
    /// Whether only the first page has arrived, shorter than asked for, while nothing told whether there is more.
    ///
    /// The server may send no larger pages, or have no more records. Nil for false.
    package var short: Bool?

    package init(
        size: Int, position: Int? = nil, ahead: [Int]? = nil, next: String? = nil, ended: Bool? = nil,
        short: Bool? = nil
    ) {
        self.size = size
        self.position = position
        self.ahead = ahead
        self.next = next
        self.ended = ended
        self.short = short
    }
}
