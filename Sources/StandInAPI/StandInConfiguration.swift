/// What a stand-in server serves, and how badly it behaves.
package struct StandInConfiguration: Sendable {
    /// The port on 127.0.0.1; 0 takes a free one.
    package var port = 0
    /// The seed of all data and draws; nil takes a random one for people and draws, so that each server has others, and
    /// a fixed one for posts, coins and quotes.
    package var seed: UInt64?
    /// How many people there are to draw from; nil is practically endless, so that nobody comes twice.
    package var people: Int?
    /// How long each answer waits; other connections go on meanwhile.
    package var latency = Duration.zero
    /// The faults; all that are due fall on a request together.
    package var faults: [Fault] = []
    /// Answers 429 to requests beyond this many in any one second; nil sets no limit.
    package var requestsPerSecond: Int?
    /// How many pages of 100 distinct people are made at start and handed out in turn to `size=100`, for benchmarks.
    ///
    /// Each takes about 85 kB of memory.
    package var precomputedPages = 0
    /// Pages of 100 posts made at start and handed out to `_limit=100` by their number, in place of the 100 posts that
    /// there are otherwise, for benchmarks; about 27 kB each.
    package var precomputedPostPages = 0
    /// What users answers to a `size` that is no number from 1 to 100.
    package var oddSize = OddSize.clamp
    /// How many coins tickers has.
    package var coins = 2_000
    /// Whether a third of the prices differs on each request for tickers or quotes.
    package var pricesMove = false
    /// How the handshake of quotes behaves.
    package var quotes = QuotesBehaviour()
    /// The collection behind `/pages/…`.
    package var collection = CollectionBehaviour()
    /// Called after each request was decided, on the server's thread; must return at once.
    package var requestLog: (@Sendable (StandInRequestRecord) -> Void)?

    package init() {}

    /// The answers to a `size` outside 1 to 100; what the service did is not established.
    package enum OddSize: Sendable, CaseIterable {
        /// Beyond 100 means 100, anything else one bare object.
        case clamp
        /// Status 400.
        case badRequest
        /// An empty list.
        case emptyList
    }
}

/// One line of the request log.
package struct StandInRequestRecord: Sendable {
    /// The number of the request, from 1.
    package let number: Int
    /// The method, `GET` as a rule.
    package let method: String
    /// The request target as it came.
    package let target: String
    /// The status answered, or nil where the fault sends none.
    package let status: Int?
    /// The fault that was due, as it was written.
    package let fault: String?
    /// The size of the body in bytes.
    package let bytes: Int
}

/// How the cookie and crumb handshake of quotes behaves.
package struct QuotesBehaviour: Sendable {
    /// How many quote requests a crumb is good for; nil sets no end.
    package var crumbUses: Int?
    /// What the crumb address does.
    package var crumb = CrumbAnswer.text
    /// Answers 401 "unable to access this feature" to every quote request.
    package var refused = false
    /// Sends the first visitor of the cookie address to a consent page instead.
    package var consent = false
    /// Whether that page comes again and again, as it does until a person has clicked.
    package var consentComesAgain = false
    /// Whether the cookie address sets a cookie.
    package var setsCookie = true
    /// Answers 429 to a User-Agent that does not begin like a browser's.
    package var needsBrowserAgent = false

    package init() {}

    /// The answers of the crumb address.
    package enum CrumbAnswer: Sendable, CaseIterable {
        /// A crumb of 11 characters.
        case text
        /// Status 200 without a body.
        case empty
        /// Status 429 with a text that is no crumb.
        case tooMany
        /// Status 200 with the same text.
        case sentence
        /// Status 200 with a web page.
        case page
        /// Status 200 with an error as JSON.
        case json
        /// Status 401, whatever the cookie.
        case unauthorized
    }
}

/// The size of the collection behind `/pages/…`, and how its pagination misbehaves.
package struct CollectionBehaviour: Sendable {
    /// How many records there are.
    package var size = 250
    /// The most records on a page, and the number where the request names none.
    package var pageSize = 25
    /// Whether the chain of pages runs in a circle.
    package var loop = Loop.none
    /// How the last page says that it is the last, in the styles with a cursor or an address in the body.
    package var end = End.null
    /// How the addresses of next pages are written.
    package var addresses = Addresses.absolute

    package init() {}

    /// The circles that a chain can run in.
    package enum Loop: Sendable, CaseIterable {
        /// None: the chain ends.
        case none
        /// The next page is the page itself.
        case same
        /// Two pages name each other, A-B-A-B.
        case alternating
        /// Every address brings the first page.
        case firstPage
    }

    /// The ways to say that no page follows.
    package enum End: Sendable, CaseIterable {
        /// The field is null.
        case null
        /// The field is missing.
        case absent
        /// The field is an empty text.
        case empty
        /// The field is false.
        case `false`
    }

    /// The forms of an address.
    package enum Addresses: Sendable, CaseIterable {
        /// With scheme and host.
        case absolute
        /// From the root of the host.
        case relative
    }
}
