import CrawlCore

/// How far the crawl of one source is.
struct ProgressState: Sendable, Equatable {
    /// The source's name, fit for a terminal.
    var source: String
    /// The records wanted, nil for the whole source.
    var target: Int?
    /// The records stored.
    var stored = 0
    /// Records that were stored already.
    var duplicates = 0
    /// Records that the source file does not allow.
    var rejected = 0
    /// Attempts repeated.
    var retries = 0
    /// Records a second.
    var rate: Double?
    /// Seconds until the target stands at this pace.
    var secondsLeft: Double?
    /// Seconds until a failed request is repeated, while nothing else happens.
    var secondsWaiting: Double?
    /// Whether the first request is still to come.
    var isStarting = false
}

/// Builds the state of one source from its events.
struct ProgressTracker: Sendable {
    private var state: ProgressState
    private var meter: RateMeter
    private var waitsUntil: Double?

    init(source: String, at time: Double) {
        state = ProgressState(source: SafeText.visible(source), isStarting: true)
        meter = RateMeter(count: 0, at: time)
    }

    /// Takes an event in.
    mutating func note(_ event: CrawlEvent, at time: Double) {
        switch event {
        case .started(let started):
            state.target = started.target
            state.stored = started.stored
            state.isStarting = false
            meter = RateMeter(count: started.stored, at: time)
        case .retry(let retry):
            state.retries += 1
            waitsUntil = time + retry.wait
        case .page(let page):
            state.stored = page.stored
            state.duplicates += page.counts.duplicate
            state.rejected += page.counts.rejected
            waitsUntil = nil
            meter.note(count: page.stored, at: time)
        case .finished(let summary):
            state.stored = summary.stored
            waitsUntil = nil
        case .notice, .request, .change:
            break
        }
    }

    /// The state at a time.
    func state(at time: Double) -> ProgressState {
        var state = state
        state.rate = meter.rate(at: time)
        if let target = state.target, let rate = state.rate, rate > 0 {
            state.secondsLeft = Double(max(0, target - state.stored)) / rate
        }
        if let waitsUntil, waitsUntil > time {
            state.secondsWaiting = waitsUntil - time
        }
        return state
    }
}
