import CrawlCore

/// A request between the task that waits for it and the thread that carries it out.
final class Transfer: @unchecked Sendable {
    // Unchecked: what changes is touched by the loop's thread alone.

    /// What the waiting task gets.
    typealias Outcome = Result<HTTPResponse, FetchFailure>
    /// Where the waiting task goes on.
    typealias Continuation = CheckedContinuation<Outcome, Never>

    /// What was asked for.
    let request: HTTPRequest
    /// When it was, and when it has to be over.
    let started: ContinuousClock.Instant

    /// The waiting task, nil before the thread took the transfer over and once the task has its outcome.
    var continuation: Continuation?
    /// Whether the waiting task gave up, perhaps before the transfer began.
    var isCancelled = false
    /// The handle that carries it, nil before and after.
    var handle: EasyHandle?
    /// The redirects that were followed.
    var redirects = 0
    /// The fields to send; without secrets once a redirect left the origin.
    var headers: HTTPHeaders
    /// Orders the thread's last write before the task's first read in ThreadSanitizer's eyes too: where an answer is there
    /// before its task has suspended, the runtime orders them in a way that it does not see.
    private let isHandedOver = Locked(false)
    /// Body bytes that came by the beginning of the window in which a stall is looked for.
    var stallWindow: (began: ContinuousClock.Instant, bytes: Int)?

    /// Since when the answer waits for memory, nil while it does not.
    private(set) var pausedSince: ContinuousClock.Instant?
    /// How long it waited in all; the server is not to blame for that time.
    private var paused = Duration.zero
    /// Whether it ever waited.
    var wasPaused: Bool { pausedSince != nil || paused > .zero }

    init(_ request: HTTPRequest) {
        self.request = request
        headers = request.headers
        started = .now
    }

    /// The time that is left.
    var remaining: Duration {
        request.timeout - started.duration(to: pausedSince ?? .now) + paused
    }

    /// Notes whether the answer waits for memory now.
    func note(isPaused: Bool) {
        if isPaused, pausedSince == nil {
            pausedSince = .now
        } else if !isPaused, let since = pausedSince {
            paused += since.duration(to: .now)
            pausedSince = nil
            stallWindow = nil
        }
    }

    /// Removes what must not be sent to another origin.
    func dropSecrets() {
        let named = request.secretHeaderNames
        headers.removeAll { name in
            name == "authorization" || name == "cookie" || name == "proxy-authorization" || named.contains(name)
        }
    }

    /// Hands the outcome to the waiting task; the second time nothing happens.
    func finish(_ outcome: Outcome) {
        isHandedOver.withLock { $0 = true }
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    /// Called by the task before it looks at what it was handed.
    func takeOver() {
        isHandedOver.withLock { $0 = false }
    }
}
