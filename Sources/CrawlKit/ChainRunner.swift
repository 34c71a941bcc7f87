import CrawlCore
import CrawlHTTP
import CrawlStore

/// Runs the chain of one run: keeps the lanes busy, hands pages to the writer in the order of arrival, finds the end.
struct ChainRunner: Sendable {
    let crawler: Crawler
    let beginning: Crawler.Beginning
    private let lane: Lane
    private let sink: any PageSink
    private(set) var chain: Chain
    /// What takes the chain's place once the source has refused and its fallback serves.
    var fallback: FallbackChain?
    private(set) var expected: ExpectedValues
    private(set) var governor: Governor
    private(set) var endpoint: Endpoint
    private var isOnTrial: Bool
    /// The foremost page of which the server said that there is none.
    private(set) var missingPage: Fetcher.Failure?

    init(crawler: Crawler, beginning: Crawler.Beginning, lane: Lane, sink: any PageSink) {
        self.crawler = crawler
        self.beginning = beginning
        self.lane = lane
        self.sink = sink
        expected = ExpectedValues(crawler.source, values: beginning.access.expected)
        endpoint = beginning.access.endpoint
        isOnTrial = beginning.isOnTrial
        governor = crawler.options.governor()
        let sizes = crawler.options.pageSizes(for: crawler.source.pagination)
        let size = beginning.state?.size ?? sizes.usual
        chain = Chain(
            target: crawler.options.count, stored: beginning.replacing ? 0 : beginning.stored,
            pager: Pager(
                crawler.source.pagination, size: size, state: beginning.state, sequence: beginning.lastSequence),
            pageSize: size, largestSize: sizes.largest, lanes: governor.lanes)
    }

    /// Runs until the chain is over, an error ends it, or the task is cancelled.
    ///
    /// Every page that arrived before that is submitted when this returns.
    mutating func run() async -> Ending {
        await withDiscardingTaskGroup { group in
            var ending = advance(&group)
            if ending == nil {
                for await message in lane.messages {
                    // After the end only pages that arrived before it still count.
                    let consequence = await take(message)
                    ending = ending ?? consequence
                    if ending == nil, !Task.isCancelled { ending = advance(&group) }
                    if ending != nil { lane.close() }
                }
            }
            group.cancelAll()
            return ending ?? .interrupted
        }
    }

    /// Starts what the chain asks for; the end, if it is reached.
    private mutating func advance(_ group: inout DiscardingTaskGroup) -> Ending? {
        while true {
            switch fallback?.next() ?? chain.next() {
            case .request(let request):
                let (lane, endpoint, isOnTrial) = (lane, endpoint, isOnTrial)
                group.addTask { await lane.fetch(request, from: endpoint, isOnTrial: isOnTrial) }
            case .wait:
                return nil
            case .end(let ending):
                return self.ending(ending)
            }
        }
    }

    /// Takes what a lane or the writer tells; the end, where it means one.
    private mutating func take(_ message: Lane.Message) async -> Ending? {
        switch message {
        case .arrived(let arrival):
            isOnTrial = false
            governor.answered(after: .seconds(arrival.seconds))
            chain.lanes = governor.lanes
            fallback?.lanes = governor.lanes
            return await store(arrival)
        case .committed(let pages):
            for page in pages {
                chain.committed(sequence: page.sequence, counts: page.counts, stored: page.stored)
                fallback?.committed(sequence: page.sequence, stored: page.stored)
            }
            return nil
        case .pushedBack:
            governor.pushedBack()
            chain.lanes = governor.lanes
            fallback?.lanes = governor.lanes
            return nil
        case .held(let sequence):
            chain.committed(sequence: sequence, counts: PageCounts(), stored: chain.stored)
            fallback?.committed(sequence: sequence, stored: chain.stored)
            return nil
        case .storeFailed(let error):
            return .failed(error)
        case .failed(let failure):
            if failure.endpoint != endpoint {
                chain.abandon(failure.failure.request)
                return nil
            }
            if isOnTrial, failure.failure.cause.isOutOfReach {
                chain.abandon(failure.failure.request)
                return await fallBack(after: failure.failure)
            }
            if case .network(.cancelled, _) = failure.failure.cause {
                return Task.isCancelled ? .interrupted : .failed(Self.noRequests)
            }
            if failure.failure.request.value != nil, failure.failure.cause.isUnknownValue {
                fallback?.unanswered(failure.failure.request)
                return nil
            }
            if let absence = failure.failure.cause.absence, chain.missing(failure.failure.request, absence) {
                note(missing: failure.failure)
                return nil
            }
            if askFallback(after: failure.failure) { return nil }
            return .fetchFailed(failure.failure)
        }
    }

    /// Remembers the foremost page that is missing, whatever the order in which the lanes find out.
    private mutating func note(missing failure: Fetcher.Failure) {
        let position = failure.request.position ?? 0
        if let missingPage, missingPage.request.position ?? 0 <= position { return }
        missingPage = failure
    }

    /// The HTTP client has ended although nobody asked it to.
    private static let noRequests = CrawlError(
        .failure, "The system has no thread or no memory left for requests",
        remedy: "Close other programs or raise the limits (`ulimit -u`, `ulimit -v`), then repeat the command.")

    private mutating func store(_ arrival: Fetcher.Arrival) async -> Ending? {
        if let reason = arrival.batch.firstRejection { lane.tally.note(rejection: reason) }
        var ending: Ending?
        var cursor: String?
        if arrival.request.value == nil {
            do {
                try chain.received(arrival.request, arrival.facts)
            } catch {
                var fault = error
                fault.evidence = beginning.access.secrets.hide(in: error.evidence)
                ending = .misled(fault)
            }
            if !chain.pager.allowsAnySize { cursor = storable(chain.pager.state) }
        } else {
            fallback?.received(arrival.request)
        }
        expected.take(arrival.batch)
        if sink.holdsPages { arrival.body?.leaveBudget() }
        do {
            try await sink.submit(
                FetchedPage(
                    sequence: arrival.request.sequence, url: arrival.url, status: arrival.status,
                    attempts: arrival.attempts, bytes: arrival.bytes, batch: arrival.batch, cursor: cursor,
                    fetchedAt: arrival.fetchedAt, unchanged: arrival.unchanged, cache: arrival.cache))
        } catch {
            return .failed(CrawlError(wrapping: error))
        }
        return ending
    }

    /// The pager's state for the ledger; nil where the server wrote a secret into it, so that a later run starts over.
    private func storable(_ state: PagerState) -> String? {
        state.json.flatMap { beginning.access.secrets.hide(in: $0) == $0 ? $0 : nil }
    }

    /// Lets the stand-in take over from an endpoint that is out of reach.
    private mutating func fallBack(after failure: Fetcher.Failure) async -> Ending? {
        do {
            let live = endpoint
            endpoint = try crawler.standInEndpoint()
            isOnTrial = false
            _ = try await crawler.session.store.reopenRun(
                beginning.run.id, endpoint: endpoint.label, target: beginning.run.target,
                options: beginning.run.options)
            crawler.report(
                .notice(
                    CrawlEvent.Notice(
                        source: crawler.source.name,
                        message: """
                            \(live.label) is out of reach (\(failure.cause.reason(host: failure.host))); the built-in stand-in serves \
                            instead, over HTTP on this machine: the people are made up. --live forbids that.
                            """)))
            return nil
        } catch {
            return .failed(CrawlError(wrapping: error))
        }
    }
}
