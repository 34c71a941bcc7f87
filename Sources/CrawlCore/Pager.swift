/// Walks the pages of a source: which request comes next, what a page changes, whether there is more.
///
/// A pure value. `next` hands out requests, several at a time where the style numbers its pages; `received` takes each
/// page in the order of arrival; `state` after a page is all that a later run needs to go on behind it.
package struct Pager: Sendable {
    package let pagination: Pagination
    package internal(set) var state: PagerState
    private var sequence: Int
    /// The next number to hand out.
    private var upcoming: Int
    /// Whether the answer that the next request depends on is under way.
    private var isWaiting = false
    /// Whether a page has arrived, so that the size of pages is known.
    var hasArrived: Bool
    /// The lowest number of which the server said that there is no such page.
    private var lowestMissing: Int?
    /// All numbers of which it said so in a way that may be trusted behind a short page.
    var denied: Set<Int> = []
    /// The highest number of a page that held records.
    var highest: Int?
    /// The records that the source holds, as the latest answer says that counts them; nil where none does.
    package internal(set) var announcedTotal: Int?
    /// Hashes of the cursors and addresses that were followed.
    private var followed: Set<Int> = []
    private var fingerprints: Set<UInt64> = []
    /// Pages in a row that named a next one and held nothing.
    private var emptyPages = 0

    /// Pages in a row without a record after which a chain that always names another is given up.
    package static let patience = 100

    /// Starts at the first page, or behind the pages that `state` knows.
    ///
    /// - Parameter sequence: The number of the last page in the ledger, 0 for none.
    package init(_ pagination: Pagination, size: Int, state: PagerState? = nil, sequence: Int = 0) {
        self.pagination = pagination
        self.sequence = sequence
        var initial = PagerState(size: size)
        switch pagination {
        case .page(_, let first, _, _, _), .offset(_, let first, _, _, _): initial.position = first
        default: break
        }
        self.state = state ?? initial
        hasArrived = state != nil
        upcoming = self.state.position ?? 0
        highest = state?.ahead?.last ?? state?.position.map { $0 - step }
        if let next = self.state.next { followed.insert(next.hashValue) }
    }

    /// Whether no further page will come, other than those that were asked for already.
    package var isExhausted: Bool {
        state.ended == true || isBeyond(upcoming)
    }

    /// Whether several requests may be under way at once.
    package var allowsLanes: Bool {
        switch pagination {
        case .repeat, .page, .offset: true
        case .single, .cursor, .link: false
        }
    }

    /// Whether each page may ask for another number of records.
    package var allowsAnySize: Bool {
        if case .repeat = pagination { true } else { false }
    }

    /// The next request, or nil where the chain has to wait for an answer or is exhausted.
    ///
    /// - Parameter size: The records to ask for; only random endpoints may change it from page to page.
    package mutating func next(size: Int) -> PageRequest? {
        guard !isExhausted else { return nil }
        switch pagination {
        case .repeat(let sizeParameter, _):
            return request(size: size, sizeParameter)
        case .single:
            guard beginWaiting() else { return nil }
            return request(size: state.size, nil)
        case .page(let parameter, _, let sizeParameter, _, _), .offset(let parameter, _, let sizeParameter, _, _):
            return numbered(parameter, sizeParameter)
        case .cursor(let parameter, _, _, let sizeParameter, _):
            guard beginWaiting() else { return nil }
            var request = request(size: state.size, sizeParameter)
            if let next = state.next { request.query.append(QueryItem(parameter, next)) }
            return request
        case .link(_, _, let sizeParameter, _):
            guard beginWaiting() else { return nil }
            // A next address carries the size in it.
            var request = request(size: state.size, state.next == nil ? sizeParameter : nil)
            request.address = state.next
            return request
        }
    }

    /// Takes a page that arrived; `state` then stands behind it.
    ///
    /// - Throws: `PaginationFault` where the page shows that the source leads in a circle or nowhere; `state` then
    ///   still stands before it.
    package mutating func received(_ request: PageRequest, _ facts: PageFacts) throws(PaginationFault) {
        switch pagination {
        case .repeat:
            return
        case .single:
            state.ended = true
        case .page(let parameter, _, _, _, _), .offset(let parameter, _, _, _, _):
            // Some servers answer for pages behind the last one with one that they have.
            if repeatsBeyondTheLast(request, facts) { return }
            let place = "\(parameter)=\(request.position ?? 0)"
            try checkRecords(
                request, facts,
                evidence: "\(place) brought the same records as an earlier page; the server seems to ignore "
                    + "'\(parameter)'")
            count(request, facts)
        case .cursor:
            try follow(request, facts, name: "cursor")
        case .link:
            try follow(request, facts, name: "next address")
        }
    }

    /// How sure it is that a request that failed asked for a page behind the last one.
    package enum Absence: Sendable {
        /// The server says that there is no such page or no content, or cannot make sense of the number.
        case denied
        /// It fails in a way in which some servers fail behind the last page.
        case possible
    }

    /// Takes a request that failed as one for a page that does not exist; false where that cannot be.
    ///
    /// Once nothing is under way, `misses` tells whether another page has shown that the source ends before it.
    package mutating func missing(_ request: PageRequest, _ absence: Absence) -> Bool {
        guard hasArrived, let position = request.position else { return false }
        // Behind a short first page there may be all the rest, behind a later one hardly anything.
        let isTrusted = absence != .possible || position > first + step
        if position == state.doubt, isTrusted {
            end(before: position)
        } else {
            if isTrusted { denied.insert(position) }
            lowestMissing = min(lowestMissing ?? position, position)
        }
        return true
    }

    /// Whether the server denied a page that should be there.
    package var misses: Bool {
        lowestMissing.map { !isBeyondTheLast($0) } ?? false
    }

    /// Whether a page behind the last one, or behind what may be the last, holds what an earlier one held.
    private mutating func repeatsBeyondTheLast(_ request: PageRequest, _ facts: PageFacts) -> Bool {
        guard let position = request.position else { return false }
        if let end = state.end, position >= end { return true }
        guard let doubt = state.doubt, position >= doubt, let fingerprint = facts.fingerprint,
            fingerprints.contains(fingerprint)
        else { return false }
        if position == doubt { end(before: position) }
        return true
    }

    /// Whether no page of that number exists, or the server says so.
    func isBeyond(_ position: Int) -> Bool {
        isBeyond(position, any: [state.end, state.announced, lowestMissing])
    }

    /// Whether a page showed that no page of that number exists.
    func isBeyondTheLast(_ position: Int) -> Bool {
        isBeyond(position, any: [state.end, state.announced])
    }

    private func isBeyond(_ position: Int, any limits: [Int?]) -> Bool {
        limits.contains { $0.map { position >= $0 } ?? false }
    }

    private mutating func beginWaiting() -> Bool {
        guard !isWaiting else { return false }
        isWaiting = true
        return true
    }

    private mutating func request(size: Int, _ sizeParameter: String?) -> PageRequest {
        sequence += 1
        return PageRequest(
            sequence: sequence, size: size, query: sizeParameter.map { [QueryItem($0, String(size))] } ?? [])
    }

    private mutating func numbered(_ parameter: String, _ sizeParameter: String?) -> PageRequest? {
        // The first page alone tells how many records the server is willing to send at a time.
        guard hasArrived || beginWaiting() else { return nil }
        upcoming = max(upcoming, state.position ?? 0)
        while state.ahead?.contains(upcoming) == true { upcoming += step }
        guard !isExhausted else { return nil }
        // The page behind a short one tells whether there is more at all.
        if let doubt = state.doubt, upcoming > doubt { return nil }
        var request = request(size: state.size, nil)
        request.position = upcoming
        request.query = [QueryItem(parameter, String(upcoming))]
        if let sizeParameter { request.query.append(QueryItem(sizeParameter, String(state.size))) }
        upcoming += step
        return request
    }

    /// Puts the next number where the first page's answer wants it.
    mutating func restartCounting(at position: Int) {
        upcoming = position
    }

    private mutating func checkRecords(
        _ request: PageRequest, _ facts: PageFacts, evidence: String
    ) throws(PaginationFault) {
        guard let fingerprint = facts.fingerprint, !fingerprints.insert(fingerprint).inserted else { return }
        throw PaginationFault(.circle, sequence: request.sequence, evidence: evidence)
    }

    private mutating func follow(
        _ request: PageRequest, _ facts: PageFacts, name: String
    ) throws(PaginationFault) {
        isWaiting = false
        let next = facts.more == false ? nil : facts.next.flatMap { $0.isEmpty ? nil : $0 }
        // Some chains end with an empty page that names itself again.
        guard let next, facts.received > 0 || next != state.next else {
            if let deadEnd = facts.deadEnd, facts.more != false {
                throw PaginationFault(.deadEnd, sequence: request.sequence, evidence: deadEnd)
            }
            state.next = nil
            state.ended = true
            return
        }
        guard followed.insert(next.hashValue).inserted else {
            throw PaginationFault(
                .circle, sequence: request.sequence,
                evidence: "it names a \(name) that was followed before: '\(next.prefix(120))'")
        }
        try checkRecords(request, facts, evidence: "it brought the same records as an earlier page")
        emptyPages = facts.received == 0 ? emptyPages + 1 : 0
        guard emptyPages < Self.patience else {
            throw PaginationFault(
                .circle, sequence: request.sequence,
                evidence: "it is the \(emptyPages)th in a row that holds no record and names another \(name)")
        }
        state.next = next
    }
}
