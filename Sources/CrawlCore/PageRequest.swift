/// One request that a pager asks for.
package struct PageRequest: Sendable, Equatable {
    /// The page's number within the run, from 1.
    package var sequence: Int
    /// The records that the page is expected to hold at most.
    package var size: Int
    /// Query items that replace those of the same name in the source's address, in order.
    package var query: [QueryItem]
    /// The whole address where the server named it (`link`), else nil.
    package var address: String?
    /// The page number or record number that the request asks for, for styles that have one.
    package var position: Int?
    /// The one value that a request to the source's fallback asks for; nil for a request to the source itself.
    package var value: String?

    package init(
        sequence: Int, size: Int, query: [QueryItem] = [], address: String? = nil, position: Int? = nil,
        value: String? = nil
    ) {
        self.sequence = sequence
        self.size = size
        self.query = query
        self.address = address
        self.position = position
        self.value = value
    }
}

/// One item of an address's query, not percent-encoded.
package struct QueryItem: Sendable, Hashable {
    /// The parameter.
    package var name: String
    /// Its value.
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// What a pager needs to know of a page that arrived.
package struct PageFacts: Sendable, Equatable {
    /// Records that the page held, rejected ones included.
    package var received: Int
    /// The next cursor or address; nil or empty where there is none.
    package var next: String?
    /// Why the next page that the answer names cannot be asked for, as a part of a sentence; nil where it can.
    package var deadEnd: String?
    /// The number of records in the whole source, where the answer says it.
    package var total: Int?
    /// The number of pages of the whole source, where the answer says it.
    package var pages: Int?
    /// Whether another page follows, where the answer says it.
    package var more: Bool?
    /// A hash of the keys of the page's records; nil where the page held none.
    package var fingerprint: UInt64?

    package init(
        received: Int, next: String? = nil, deadEnd: String? = nil, total: Int? = nil, pages: Int? = nil,
        more: Bool? = nil, fingerprint: UInt64? = nil
    ) {
        self.received = received
        self.next = next
        self.deadEnd = deadEnd
        self.total = total
        self.pages = pages
        self.more = more
        self.fingerprint = fingerprint
    }
}

/// A page that shows that the source cannot be followed as its source file says.
package struct PaginationFault: Error, Equatable {
    /// The ways in which a chain of pages goes wrong.
    package enum Kind: Sendable, Equatable {
        /// It leads in a circle.
        case circle
        /// There is said to be a next page, but no way to it that may be taken.
        case deadEnd
    }

    package var kind: Kind
    /// The page that shows it, from 1 within the run.
    package var sequence: Int
    /// How it shows, as a part of a sentence: `its cursor 'abc' was used before`.
    package var evidence: String

    package init(_ kind: Kind, sequence: Int, evidence: String) {
        self.kind = kind
        self.sequence = sequence
        self.evidence = evidence
    }
}
