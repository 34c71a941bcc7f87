import CrawlCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When the next request to a host may start: one clock for all lanes of a crawl.
///
/// Joins the rate limit with the time before which a server asked not to be asked again. A lane that waits here blocks
/// no thread.
package final class HostClock: Sendable {
    /// Keeps a host's not-before time beyond the end of the program.
    package struct Memory: Sendable {
        /// The time stored for a host, nil where there is none; asked once a host.
        package var load: @Sendable (_ host: String) async -> Date?
        /// Stores the time for a host; durable when it returns.
        package var store: @Sendable (_ host: String, _ notBefore: Date) async -> Void

        package init(
            load: @escaping @Sendable (_ host: String) async -> Date?,
            store: @escaping @Sendable (_ host: String, _ notBefore: Date) async -> Void
        ) {
            self.load = load
            self.store = store
        }

        /// Remembers nothing.
        package static let none = Memory(load: { _ in nil }, store: { _, _ in })
    }

    /// Times are durations since `origin`.
    private struct Host {
        var limit: RateLimit?
        var pace = Pace()
        var notBefore = Duration.zero
        var isLoaded = false
    }

    private let limit: RateLimit?
    private let memory: Memory
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (_ until: Duration) async throws -> Void
    private let date: @Sendable () -> Date
    private let hosts = Locked<[String: Host]>([:])

    /// A clock that lets each host be asked at most as often as `limit` says.
    ///
    /// `clock` measures waits and `date` is the time of day, which only `memory` needs; tests move both.
    package init(
        limit: RateLimit? = nil, memory: Memory = .none, clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.limit = limit
        self.memory = memory
        self.date = date
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// Waits until a request to `host` may start.
    ///
    /// Lanes pass in the order in which they came, `spacing` apart, also after a time in which all had to wait.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    package func pass(_ host: String) async throws(CancellationError) {
        await loadMemory(of: host)
        var start = reserve(host)
        while true {
            guard !Task.isCancelled else { throw CancellationError() }
            let notBefore = hosts.withLock { $0[host]?.notBefore ?? .zero }
            // The server asked to wait while this lane slept: its place in the row is past.
            if notBefore > start { start = reserve(host) }
            guard start > elapsed() else { return }
            do { try await sleep(start) } catch { throw CancellationError() }
        }
    }

    /// Lets no request to `host` start for this time; a longer time that was asked for before stays.
    ///
    /// Durable, as far as `memory` is, when it returns.
    package func hold(_ host: String, for wait: Duration) async {
        await loadMemory(of: host)
        let isLonger = raise(host, to: elapsed() + wait)
        if isLonger { await memory.store(host, date() + wait / .seconds(1)) }
    }

    /// Notes an answer that was not refused.
    package func accepted(_ host: String) {
        let now = elapsed()
        hosts.withLock { $0[host]?.pace.accepted(at: now) }
    }

    /// Notes that `host` refused a request because there were too many (429); all lanes ask more slowly from now on.
    package func refused(_ host: String) {
        let now = elapsed()
        hosts.withLock { $0[host, default: Host(limit: limit)].pace.refused(at: now) }
    }

    /// The time for which `host` must not be asked, zero where it may.
    package func remainingHold(_ host: String) async -> Duration {
        await loadMemory(of: host)
        let notBefore = hosts.withLock { $0[host]?.notBefore ?? .zero }
        return max(.zero, notBefore - elapsed())
    }

    /// Books the host's next start.
    private func reserve(_ host: String) -> Duration {
        let now = elapsed()
        return hosts.withLock { hosts in
            var entry = hosts[host] ?? Host(limit: limit)
            let earliest = max(now, entry.notBefore)
            let limited = entry.limit?.reserve(at: earliest) ?? earliest
            let start = entry.pace.reserve(at: limited)
            hosts[host] = entry
            return start
        }
    }

    /// Moves the host's not-before time; false where it stands at least there already.
    private func raise(_ host: String, to notBefore: Duration) -> Bool {
        hosts.withLock { hosts in
            var entry = hosts[host] ?? Host(limit: limit)
            guard notBefore > entry.notBefore else { return false }
            entry.notBefore = notBefore
            hosts[host] = entry
            return true
        }
    }

    /// Takes over what an earlier run of the program stored.
    private func loadMemory(of host: String) async {
        let isLoaded = hosts.withLock { $0[host]?.isLoaded ?? false }
        guard !isLoaded else { return }
        // Two lanes may both ask the first time; the later answer changes nothing.
        let stored = await memory.load(host)
        hosts.withLock { $0[host, default: Host(limit: limit)].isLoaded = true }
        guard let stored else { return }
        // No server is believed to have meant more, and a clock that was set back must not lock a host for ever.
        let seconds = min(max(0, stored.timeIntervalSince(date())), RetryAfter.ceiling / .seconds(1))
        _ = raise(host, to: elapsed() + .milliseconds(Int64((seconds * 1000).rounded(.up))))
    }
}
