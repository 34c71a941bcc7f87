import CrawlCore

/// Loads several whole sources together: side by side, through one client into one database.
public struct BulkLoad: Sendable {
    /// What is loaded.
    public enum Item: Sendable {
        /// One source, its pages durable as they arrive.
        case source(Source)
        /// Sources that appear together: all in one transaction, or none.
        case group(name: String, sources: [Source])

        /// The group of `tickers` and `quotes`: nobody ever reads the one new and the other old.
        public static var markets: Item { .group(name: "markets", sources: [.tickers, .quotes]) }

        /// The sources of the item.
        public var sources: [Source] {
            switch self {
            case .source(let source): [source]
            case .group(_, let sources): sources
            }
        }
    }

    /// What is loaded, in the order of the summaries.
    public var items: [Item]
    /// How it is loaded; `count` does not count here.
    public var options: CrawlOptions
    /// Whether of a group what arrived is stored although another of its sources failed.
    public var keepsPartialGroups: Bool

    /// Prepares a load; nothing is opened or asked yet.
    public init(_ items: [Item], options: CrawlOptions = CrawlOptions(), keepsPartialGroups: Bool = false) {
        self.items = items
        self.options = options
        self.options.count = nil
        self.keepsPartialGroups = keepsPartialGroups
    }

    /// Loads all sources to the end.
    ///
    /// Never throws: what went wrong stands in the summaries. When it returns, every page that was reported is durable
    /// and the database is closed.
    ///
    /// - Parameter report: Called with each event, from several threads; must not block. Each source ends with its
    ///   `finished`.
    /// - Returns: The summaries, in the order of the sources.
    @discardableResult
    public func run(
        report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }
    ) async -> [CrawlEvent.Summary] {
        let session: CrawlSession
        do {
            try options.validate(for: items.flatMap(\.sources))
            session = try await CrawlSession.open(options)
        } catch {
            return failed(with: CrawlError(wrapping: error), report: report)
        }
        let summaries = await run(in: session, report: report)
        await session.close()
        return summaries
    }

    /// Loads all sources to the end, and throws where one of them is not whole.
    ///
    /// What the other sources brought is stored all the same; of a group all or nothing.
    ///
    /// - Parameter report: As with `run(report:)`.
    /// - Returns: The summaries, in the order of the sources.
    /// - Throws: The `CrawlError` of the first source that failed; `CancellationError` where the task was cancelled.
    @discardableResult
    public func complete(
        report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }
    ) async throws -> [CrawlEvent.Summary] {
        let summaries = await run(report: report)
        if let error = summaries.lazy.compactMap(\.error).first { throw error }
        return try summaries.map { try $0.completed() }
    }

    /// The events of the load, which runs while they are read; each source ends with its `finished`.
    ///
    /// A task that stops reading, or is cancelled, stops the load. Each reading is a load of its own.
    public var events: AsyncStream<CrawlEvent> {
        eventStream { report in await run(report: report) }
    }

    /// The summaries of a load that could not begin.
    func failed(
        with error: CrawlError, report: @Sendable (CrawlEvent) -> Void
    ) -> [CrawlEvent.Summary] {
        items.flatMap(\.sources).map { source in
            let summary = CrawlEvent.Summary(
                source: source.name, run: nil, outcome: .failed, target: nil, stored: 0, database: options.database,
                error: error)
            report(.finished(summary))
            return summary
        }
    }

    /// Loads all sources through a session that stays open.
    func run(
        in session: CrawlSession, report: @escaping @Sendable (CrawlEvent) -> Void
    ) async -> [CrawlEvent.Summary] {
        await withTaskGroup(of: (Int, [CrawlEvent.Summary]).self) { group in
            for (index, item) in items.enumerated() {
                let crawlers = item.sources.map {
                    Crawler(session: session, source: $0, options: options, report: report)
                }
                switch item {
                case .source:
                    group.addTask { (index, await crawlers.asyncMap { await $0.run() }) }
                case .group(let name, _):
                    let load = GroupLoad(name: name, crawlers: crawlers, keepsPart: keepsPartialGroups)
                    group.addTask { (index, await load.run()) }
                }
            }
            var results: [Int: [CrawlEvent.Summary]] = [:]
            for await (index, summaries) in group { results[index] = summaries }
            return items.indices.flatMap { results[$0] ?? [] }
        }
    }
}

extension Array {
    fileprivate func asyncMap<Result>(_ transform: (Element) async -> Result) async -> [Result] {
        var results: [Result] = []
        for element in self { results.append(await transform(element)) }
        return results
    }
}
