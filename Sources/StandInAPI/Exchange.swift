/// One request on its way through the server: what came, and how far the answer is.
///
/// Lives from the request line until libmicrohttpd reports the request as completed, and is only touched within its
/// callbacks for one connection, which come one after another.
final class Exchange {
    /// The request target as it came.
    let target: String
    /// What the next call of the handler has to do.
    var step = Step.headers

    init(target: String) {
        self.target = target
    }

    /// The stations of a request.
    enum Step {
        /// The headers were read; the body, which is ignored, comes next.
        case headers
        /// The request is complete and to be decided.
        case decide
        /// The answer is decided and due now.
        case due(Answer)
        /// Nothing is sent until that moment, or until the client has gone.
        case hanging(until: ContinuousClock.Instant)
        /// Headers are sent without end; so many bytes so far.
        case flooding(Int)
    }
}
