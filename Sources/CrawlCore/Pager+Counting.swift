/// The styles that number their pages or records, which need no answer to know the next request but the first.
extension Pager {
    /// The distance from one page's number to the next one's.
    var step: Int {
        if case .offset = pagination { state.size } else { 1 }
    }

    /// Takes a page that has a number, in any order.
    mutating func count(_ request: PageRequest, _ facts: PageFacts) {
        let position = request.position ?? first
        let isShort = facts.received < state.size
        if !hasArrived { adaptSize(position, facts) }
        hasArrived = true
        let announced = announcedLimit(facts)
        if let announced { state.announced = announced }
        if let total = facts.total, total >= facts.received { announcedTotal = total }
        if facts.received == 0 {
            end(before: position)
        } else {
            highest = max(highest ?? position, position)
            if let doubt = state.doubt, position >= doubt { state.doubt = nil }
            if facts.more == false {
                end(before: position + step)
            } else if isShort, facts.more == nil, announced == nil {
                doubt(position + step)
            }
        }
        var ahead = Set(state.ahead ?? [])
        ahead.insert(position)
        var lowest = state.position ?? first
        while ahead.remove(lowest) != nil { lowest += step }
        state.position = lowest
        state.ahead = ahead.isEmpty ? nil : ahead.sorted()
        if isBeyondTheLast(lowest) { state.ended = true }
    }

    /// Takes it for shown that no page of that number exists.
    mutating func end(before position: Int) {
        let end = min(state.end ?? position, position)
        state.end = end
        if let doubt = state.doubt, doubt >= end { state.doubt = nil }
    }

    /// Takes it for possible that no page of that number exists, unless one at or beyond it showed the contrary.
    private mutating func doubt(_ position: Int) {
        if let highest, highest >= position { return }
        if denied.contains(position) {
            end(before: position)
        } else {
            state.doubt = min(state.doubt ?? position, position)
        }
    }

    var first: Int {
        switch pagination {
        case .page(_, let first, _, _, _), .offset(_, let first, _, _, _): first
        default: 0
        }
    }

    /// Takes the number of records that the server sends at a time from the first page, where that is more than asked,
    /// or less although there may be more: with the size that was asked for, offsets would overlap or leave gaps, and a
    /// total would mean another number of pages.
    private mutating func adaptSize(_ position: Int, _ facts: PageFacts) {
        guard facts.received > 0, facts.received != state.size else { return }
        let hasMore = facts.more ?? facts.total.map { $0 > facts.received } ?? facts.pages.map { $0 > 1 }
        guard hasMore != false || facts.received > state.size else { return }
        state.size = facts.received
        restartCounting(at: position + step)
    }

    /// The number at and beyond which there is no page, as the totals of an answer say; nil where it says nothing that
    /// can be true.
    private func announcedLimit(_ facts: PageFacts) -> Int? {
        let pages = facts.pages.flatMap { $0 >= (facts.received > 0 ? 1 : 0) ? $0 : nil }
        let total = facts.total.flatMap { $0 >= facts.received ? $0 : nil }
        if case .offset = pagination {
            return total.map { Self.sum(first, $0) } ?? pages.map { Self.sum(first, Self.product($0, state.size)) }
        }
        return (pages ?? total.map { ($0 - 1) / state.size + ($0 > 0 ? 1 : 0) }).map { Self.sum(first, $0) }
    }

    /// Totals come from outside and may be anything.
    private static func sum(_ first: Int, _ second: Int) -> Int {
        let (sum, overflow) = first.addingReportingOverflow(second)
        return overflow ? .max : sum
    }

    private static func product(_ first: Int, _ second: Int) -> Int {
        let (product, overflow) = first.multipliedReportingOverflow(by: second)
        return overflow ? .max : product
    }
}
