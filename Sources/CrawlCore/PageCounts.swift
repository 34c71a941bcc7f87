/// What became of the records of one page, or of many pages added up.
///
/// The ledger's equation holds for each: `received == new + duplicate + updated + rejected + surplus`.
public struct PageCounts: Sendable, Equatable, Codable {
    /// Records that the page held.
    public var received = 0
    /// Records stored for the first time.
    public var new = 0
    /// Records whose key was stored already and that changed nothing.
    public var duplicate = 0
    /// Stored records that took new values.
    public var updated = 0
    /// Records that the source file does not allow; they stand in `crawl_rejects`.
    public var rejected = 0
    /// Records beyond the target, not stored.
    public var surplus = 0

    package init() {}

    /// Whether every received record is accounted for.
    public var isBalanced: Bool {
        received == new + duplicate + updated + rejected + surplus
    }

    package static func += (sum: inout PageCounts, page: PageCounts) {
        sum.received += page.received
        sum.new += page.new
        sum.duplicate += page.duplicate
        sum.updated += page.updated
        sum.rejected += page.rejected
        sum.surplus += page.surplus
    }
}
