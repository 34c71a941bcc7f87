import CrawlCore
import CrawlHTTP
import CrawlStore
import StandInAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Crawler {
    /// What is known before the first request.
    struct Beginning: Sendable {
        var run: RunRecord
        /// Where and with what the source is asked.
        var access: SourceAccess
        var stored: Int
        var state: PagerState?
        /// The number of the run's last page, 0 without pages.
        var lastSequence: Int
        var replacing: Bool
        /// Whether the stand-in may take over where the endpoint is out of reach.
        var isOnTrial: Bool
        /// What is known of pages from loads before; nil for a crawl that does not load a whole source.
        var knownPages: KnownPages?
    }

    /// How a crawl begins.
    enum Opening: Sendable {
        /// The target stands already.
        case nothingToDo(stored: Int)
        /// The whole source was loaded so shortly ago that its server promised no change until then.
        case stillFresh(stored: Int, until: Date)
        /// A run is entered in the ledger; the chain may begin.
        case crawl(Beginning)
    }

    /// Looks at what is stored, chooses the endpoint and enters the run in the ledger.
    ///
    /// Makes no request.
    func begin() async throws -> Opening {
        let store = session.store
        try await store.prepare(source)
        let stored = try await store.storedCount(of: source.name)
        let unfinished = try await store.latestUnfinishedRun(of: source.name)
        let position = if let unfinished { try await store.position(ofRun: unfinished.id) } else { RunPosition?.none }
        let before = try unfinished.map { try RecordedOptions(json: $0.options) }
        // Where the source file says something else by now, the place in its pages means nothing.
        let isSameSource = before?.sourceDigest == source.file?.digest
        let situation = Resumption.Situation(
            stored: stored,
            unfinished: try unfinished.map { run in
                Resumption.UnfinishedRun(
                    id: run.id, endpoint: run.endpoint, target: run.target,
                    isFresh: before?.fresh ?? false,
                    pages: position?.pages ?? 0, surplus: position?.surplus ?? 0,
                    state: isSameSource ? try position?.cursor.map(PagerState.init(json:)) : nil)
            })
        let goesOnWithStandIn =
            options.origin == .automatic && options.endpoints[source.name] == nil
            && situation.unfinished?.endpoint == Endpoint.standInLabel && BuiltInSources.isRandomEitherWay(source)
            && !(options.startsFresh && situation.unfinished?.isFresh == false)
        let addresses = try goesOnWithStandIn ? standInAddresses() : addresses()
        let filling = Filling(source, options)
        let endpoint = try SourceAccess.preview(addresses, filling)
        var recorded = RecordedOptions(options, source: source)

        let knownPages = try await knownPages()
        if situation.unfinished == nil, options.caching == .automatic, !options.startsFresh,
            let until = knownPages?.freshUntil(first: firstPageKey(at: endpoint), now: Date())
        {
            return .stillFresh(stored: stored, until: until)
        }

        let decision = Resumption.decide(
            situation, target: options.count, startsFresh: options.startsFresh, endpoint: endpoint.label,
            pagination: source.pagination)
        switch decision {
        case .nothingToDo(let completing):
            if let completing {
                try await store.finishRun(
                    completing, state: .complete, reason: nil, endedAt: Timestamp.text(Date()))
            }
            return .nothingToDo(stored: stored)
        case .goOn(let run, let state, let replacing):
            let access = try SourceAccess(addresses, filling, options)
            // What the run was begun for stays true of it, whether or not this command says so again.
            if replacing { recorded.fresh = true }
            let run = try await store.reopenRun(
                run, endpoint: endpoint.label, target: options.count, options: recorded.json)
            if goesOnWithStandIn {
                report(.notice(CrawlEvent.Notice(source: source.name, message: Self.goingOnWithStandIn)))
            }
            return .crawl(
                Beginning(
                    run: run, access: access, stored: stored, state: state,
                    lastSequence: position?.lastSequence ?? 0, replacing: replacing,
                    isOnTrial: mayFallBack(from: endpoint) && position?.pages ?? 0 == 0, knownPages: knownPages))
        case .begin(let replacing, _):
            let access = try SourceAccess(addresses, filling, options)
            let run = try await store.beginRun(
                source: source.name, endpoint: endpoint.label, target: options.count, options: recorded.json,
                startedAt: Timestamp.text(Date()))
            return .crawl(
                Beginning(
                    run: run, access: access, stored: stored, state: nil, lastSequence: 0, replacing: replacing,
                    isOnTrial: mayFallBack(from: endpoint), knownPages: knownPages))
        }
    }

    private static let goingOnWithStandIn = """
        This crawl was begun with the built-in stand-in and goes on with it: the people are made up. \
        --live asks the public service instead.
        """

    /// The addresses that the options ask for.
    private func addresses() throws -> SourceAddresses {
        try options.origin == .offline ? standInAddresses() : SourceAddresses(of: source, options)
    }

    private func standInAddresses() throws -> SourceAddresses {
        let server = try session.standInServer()
        return try SourceAddresses(of: source) { server.url(of: $0) }
    }

    /// The stand-in's address for a source that may be answered by it instead of its own server.
    ///
    /// - Throws: `CrawlError` (69) where the stand-in does not play the source.
    func standInEndpoint() throws -> Endpoint {
        try SourceAccess(standInAddresses(), Filling(source, options), options).endpoint
    }

    private func mayFallBack(from endpoint: Endpoint) -> Bool {
        options.origin == .automatic && endpoint.kind == .live && BuiltInSources.isRandomEitherWay(source)
    }
}

// MARK: Cache
extension Crawler {
    /// What earlier loads know of the source's pages; nil for a crawl that takes only a part of the source.
    private func knownPages() async throws -> KnownPages? {
        if case .repeat = source.pagination { return nil }
        // Of a page that has not changed nobody knows which of the values asked for it answers.
        guard options.count == nil, source.expectation == nil else { return nil }
        let pages = try await session.store.cachedPages(of: source.name)
        return KnownPages(source, pages: pages, isAsking: options.caching != .refresh && !options.startsFresh)
    }

    /// The key of the first page that a new run would ask for.
    private func firstPageKey(at endpoint: Endpoint) -> String {
        let size = options.pageSizes(for: source.pagination).usual
        var pager = Pager(source.pagination, size: size)
        guard let request = pager.next(size: size) else { return endpoint.label }
        return RequestBuilder.cacheKey(of: request, at: endpoint)
    }
}
