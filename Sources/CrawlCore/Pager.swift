/// Walks the pages of a source: which request comes next, what a page changes, whether there is more.
///
/// A pure value. `next` hands out requests, several at a time where the style numbers its pages; `received` takes each
/// page in the order of arrival; `state` after a page is all that a later run needs to go on behind it.
package struct Pager: Sendable {
    package let pagination: Pagination
    package private(set) var state: PagerState
    private var sequence: Int
    /// The next number to hand out.
    private var upcoming: Int
    /// Whether the answer that the next request depends on is under way.
    private var isWaiting = false
    /// Numbers at and beyond this one are known not to exist.
    private var limit: Int?
    private var seenTokens: Set<String> = []
    private var fingerprints: Set<UInt64> = []

    /// Starts at the first page, or behind the pages that `state` knows.
    ///
    /// - Parameter sequence: The number of the last page in the ledger, 0 for none.
    package init(_ pagination: Pagination, size: Int, state: PagerState? = nil, sequence: Int = 0) {
        self.pagination = pagination
        self.sequence = sequence
        var initial = PagerState(size: size)
        switch pagination {
        case .page(_, let first, _, _): initial.position = first
        case .offset: initial.position = 0
        default: break
        }
        self.state = state ?? initial
        upcoming = self.state.position ?? 0
        if let next = self.state.next { seenTokens.insert(next) }
    }

    /// Whether no further page will come, other than those that were asked for already.
    package var isExhausted: Bool {
        if state.ended == true { return true }
        guard let limit else { return false }
        return upcoming >= limit
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
            guard !isWaiting else { return nil }
            isWaiting = true
            return request(size: state.size, nil)
        case .page(let parameter, _, let sizeParameter, _):
            return numbered(parameter, sizeParameter, step: 1)
        case .offset(let parameter, let sizeParameter, _):
            return numbered(parameter, sizeParameter, step: state.size)
        case .cursor(let parameter, _, let sizeParameter, _):
            guard !isWaiting else { return nil }
            isWaiting = true
            var request = request(size: state.size, sizeParameter)
            if let next = state.next { request.query.append(QueryItem(parameter, next)) }
            return request
        case .link(let sizeParameter, _):
            guard !isWaiting else { return nil }
            isWaiting = true
            // A next address carries the size in it.
            var request = request(size: state.size, state.next == nil ? sizeParameter : nil)
            request.address = state.next
            return request
        }
    }

    /// Takes a page that arrived; `state` then stands behind it.
    ///
    /// - Throws: `PaginationLoop` where the page shows that the source leads in a circle.
    package mutating func received(_ request: PageRequest, _ facts: PageFacts) throws(PaginationLoop) {
        switch pagination {
        case .repeat:
            return
        case .single:
            state.ended = true
        case .page(let parameter, let first, _, _):
            let isLast = facts.total.map { (request.position ?? first) - first + 1 >= pages(of: $0) } ?? false
            try count(request, facts, parameter, step: 1, isLast: isLast)
        case .offset(let parameter, _, _):
            let isLast = facts.total.map { (request.position ?? 0) + state.size >= $0 } ?? false
            try count(request, facts, parameter, step: state.size, isLast: isLast)
        case .cursor:
            try follow(request, facts, name: "cursor")
        case .link:
            try follow(request, facts, name: "next address")
        }
    }

    private func pages(of total: Int) -> Int {
        (total + state.size - 1) / state.size
    }

    private mutating func request(size: Int, _ sizeParameter: String?) -> PageRequest {
        sequence += 1
        return PageRequest(
            sequence: sequence, size: size, query: sizeParameter.map { [QueryItem($0, String(size))] } ?? [])
    }

    private mutating func numbered(_ parameter: String, _ sizeParameter: String?, step: Int) -> PageRequest? {
        upcoming = max(upcoming, state.position ?? 0)
        while state.ahead?.contains(upcoming) == true { upcoming += step }
        guard !isExhausted else { return nil }
        var request = request(size: state.size, nil)
        request.position = upcoming
        request.query = [QueryItem(parameter, String(upcoming))]
        if let sizeParameter { request.query.append(QueryItem(sizeParameter, String(state.size))) }
        upcoming += step
        return request
    }

    private mutating func count(
        _ request: PageRequest, _ facts: PageFacts, _ parameter: String, step: Int, isLast: Bool
    ) throws(PaginationLoop) {
        let position = request.position ?? 0
        if let fingerprint = facts.fingerprint, !fingerprints.insert(fingerprint).inserted {
            throw PaginationLoop(
                sequence: request.sequence,
                evidence: "\(parameter)=\(position) brought the same records as an earlier page; "
                    + "the server seems to ignore '\(parameter)'")
        }
        if facts.received < state.size || isLast {
            let beyond = facts.received == 0 ? position : position + step
            limit = min(limit ?? beyond, beyond)
        }
        var ahead = Set(state.ahead ?? [])
        ahead.insert(position)
        var lowest = state.position ?? 0
        while ahead.remove(lowest) != nil { lowest += step }
        state.position = lowest
        state.ahead = ahead.isEmpty ? nil : ahead.sorted()
        if let limit, lowest >= limit { state.ended = true }
    }

    private mutating func follow(
        _ request: PageRequest, _ facts: PageFacts, name: String
    ) throws(PaginationLoop) {
        isWaiting = false
        guard let next = facts.next, !next.isEmpty else {
            state.next = nil
            state.ended = true
            return
        }
        guard seenTokens.insert(next).inserted else {
            throw PaginationLoop(
                sequence: request.sequence, evidence: "it names a \(name) that was followed before: '\(next)'")
        }
        if let fingerprint = facts.fingerprint, !fingerprints.insert(fingerprint).inserted {
            throw PaginationLoop(
                sequence: request.sequence, evidence: "it brought the same records as an earlier page")
        }
        state.next = next
    }
}
