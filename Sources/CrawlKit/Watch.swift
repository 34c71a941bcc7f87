import CrawlCore

/// Keeps whole sources fresh: loads them again and again, asking conditionally, and tells what has changed.
public struct Watch: Sendable {
    /// What is loaded each time, and how.
    public var load: BulkLoad
    /// The time from the beginning of one load to the beginning of the next, at least a second.
    public var interval: Duration

    /// The most intervals that a failing source is left alone.
    private static let longestBackoff = 16

    /// Prepares a watch; nothing is opened or asked yet.
    public init(_ load: BulkLoad, every interval: Duration) {
        self.load = load
        self.interval = max(interval, .seconds(1))
        self.load.options.caching = .revalidate
        self.load.options.notesChanges = true
    }

    /// Loads until the task is cancelled, or until a failure that will not pass by itself.
    ///
    /// Never throws; a failure that may pass is reported as a notice and makes the next load come later.
    ///
    /// - Parameters:
    ///   - rounds: The most loads, nil for no end.
    ///   - clock: What measures the time between loads.
    ///   - report: Called with each event, from several threads; must not block.
    /// - Returns: The summaries of the last load.
    @discardableResult
    public func run(
        rounds: Int? = nil, clock: some Clock<Duration> = ContinuousClock(),
        report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }
    ) async -> [CrawlEvent.Summary] {
        let session: CrawlSession
        do {
            try load.options.validate(for: load.items.flatMap(\.sources))
            session = try await CrawlSession.open(load.options)
        } catch {
            return load.failed(with: CrawlError(wrapping: error), report: report)
        }
        var summaries: [CrawlEvent.Summary] = []
        var pace = WatchPace(interval: interval, longestBackoff: Self.longestBackoff)
        var round = 0
        while true {
            let start = clock.now
            summaries = await load.run(in: session, report: report)
            round += 1
            let errors = summaries.compactMap(\.error)
            guard !Task.isCancelled, errors.allSatisfy(\.mayPass), round < rounds ?? .max else { break }
            var random = SystemRandomNumberGenerator()
            let wait = pace.next(after: errors.isEmpty, using: &random)
            if let first = errors.first {
                report(
                    .notice(
                        CrawlEvent.Notice(
                            source: summaries.first { $0.error == first }?.source ?? "",
                            message: "\(first.message); looking again in \(Int(wait.seconds.rounded())) s")))
            }
            do {
                try await clock.sleep(until: start.advanced(by: wait), tolerance: nil)
            } catch {
                break
            }
        }
        await session.close()
        return summaries
    }

    /// The events of the watch, which runs while they are read: those of each load, `change` among them.
    ///
    /// A task that stops reading, or is cancelled, ends the watch.
    public var events: AsyncStream<CrawlEvent> {
        eventStream { report in await run(report: report) }
    }
}

/// When a watch looks again: at its interval, a little scattered; later and later while the source fails.
struct WatchPace: Sendable {
    let interval: Duration
    let longestBackoff: Int
    private var backoff = 1

    init(interval: Duration, longestBackoff: Int) {
        self.interval = interval
        self.longestBackoff = longestBackoff
    }

    /// The time from the beginning of the last load to that of the next.
    ///
    /// Scattered by a twentieth to both sides, so that many watches do not ask at the same instant for ever.
    mutating func next(after success: Bool, using random: inout some RandomNumberGenerator) -> Duration {
        backoff = success ? 1 : min(backoff * 2, longestBackoff)
        return interval * backoff * Double.random(in: 0.95...1.05, using: &random)
    }
}

extension CrawlError {
    /// Whether the same load may succeed later without anybody doing anything.
    fileprivate var mayPass: Bool {
        [.unavailable, .unreadable, .tryLater, .fewer].contains(exitCode)
    }
}
