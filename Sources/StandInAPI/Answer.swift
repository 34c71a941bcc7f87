/// What the stand-in has decided to send, and how.
struct Answer: Sendable {
    /// The status code.
    var status = 200
    /// The headers besides those that the HTTP library adds.
    var headers: [(name: String, value: String)] = [("content-type", jsonType)]
    /// The body.
    var body: Body
    /// The record that a fault may spoil, where the body has records.
    var target: SpoilTarget?
    /// How long to wait before the first byte.
    var delay = Duration.zero
    /// How the bytes go out.
    var delivery = Delivery.whole
    /// The line for the request log; nil for requests that are not counted.
    var record: StandInRequestRecord?

    static let jsonType = "application/json; charset=utf-8"

    /// A body of its own, or one that many answers share without a copy.
    enum Body: Sendable {
        case bytes([UInt8])
        case shared(PrecomputedPages, Int)

        /// The bytes, copied where they are shared.
        var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .shared(let pages, let index): Array(pages[index])
            }
        }

        var count: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .shared(let pages, let index): pages[index].count
            }
        }
    }

    /// The ways that an answer leaves, or does not.
    enum Delivery: Sendable {
        /// Complete.
        case whole
        /// Cut after so many bytes of the body, then closed.
        case cut(after: Int)
        /// A byte at a time.
        case drip(every: Duration)
        /// The body again and again, chunked, without end.
        case endless
        /// Nothing until the time has passed or the client has gone, then closed.
        case hang(Duration)
        /// Closed without a byte.
        case close
        /// Reset without a byte.
        case reset
        /// The body's bytes as they are, without HTTP, then closed.
        case raw
        /// A status line and then header after header.
        case endlessHeaders
    }

    init(status: Int = 200, type: String = jsonType, _ bytes: [UInt8], target: SpoilTarget? = nil) {
        self.status = status
        headers = [("content-type", type)]
        body = .bytes(bytes)
        self.target = target
    }

    init(status: Int = 200, type: String = jsonType, text: String) {
        self.init(status: status, type: type, Array(text.utf8))
    }

    init(shared pages: PrecomputedPages, page: Int) {
        body = .shared(pages, page)
        target = pages.target(of: page)
    }

    /// Whether the client gets a status line.
    var hasStatus: Bool {
        switch delivery {
        case .close, .reset, .hang, .raw: false
        default: true
        }
    }

    /// The error form of most JSON services.
    static func error(_ status: Int, _ message: String) -> Answer {
        var json = JSONText()
        json.object { $0.field("error", message) }
        return Answer(status: status, json.bytes)
    }
}

/// One record within a body, and the names of its fields that faults spoil.
struct SpoilTarget: Sendable {
    /// Where the record lies in the body.
    var range: Range<Int>
    /// The key field.
    var key: String
    /// A text field.
    var text: String
    /// An integer field.
    var number: String
}
