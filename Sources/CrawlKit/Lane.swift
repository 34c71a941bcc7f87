import CrawlCore
import CrawlHTTP
import CrawlJSON
import CrawlStore

/// The way of a run's pages from the network to the chain: what the lanes share, and the mailbox that they fill.
struct Lane: Sendable {
    /// What the chain is told.
    enum Message: Sendable {
        case arrived(Fetcher.Arrival)
        case failed(LaneFailure)
        case committed([CommittedPage])
        /// A server said that there is too much.
        case pushedBack
        /// A page stands in memory and will be committed later.
        case held(sequence: Int)
        case storeFailed(CrawlError)
    }

    /// A request that failed, and where it was made.
    struct LaneFailure: Sendable {
        var endpoint: Endpoint
        var failure: Fetcher.Failure
    }

    let messages: AsyncStream<Message>
    let tally: Tally
    private let mailbox: AsyncStream<Message>.Continuation
    private let fetcher: Fetcher

    init(_ crawler: Crawler, _ beginning: Crawler.Beginning) throws {
        (messages, mailbox) = AsyncStream.makeStream(of: Message.self)
        tally = Tally(stored: beginning.replacing ? 0 : beginning.stored)
        let access = beginning.access
        let requester = Requester(
            source: crawler.source.name, client: crawler.session.client, clock: crawler.session.clock,
            policy: crawler.options.retryPolicy(for: access.endpoint), tally: tally, secrets: access.secrets,
            pushedBack: { [mailbox] in mailbox.yield(.pushedBack) }, report: crawler.report)
        fetcher = Fetcher(
            source: crawler.source, access: access, requester: requester,
            handshake: access.handshake.map {
                Handshake($0, for: access.endpoint, requests: access.requests, requester: requester)
            },
            reader: PageReader(crawler.source, capturing: crawler.source.pagination.bodyPaths),
            fallbackReader: access.fallback.map { PageReader($0.source) }, knownPages: beginning.knownPages)
    }

    /// Fetches a page and tells the chain.
    func fetch(_ request: PageRequest, from endpoint: Endpoint, isOnTrial: Bool) async {
        do {
            mailbox.yield(.arrived(try await fetcher.fetch(request, from: endpoint, isOnTrial: isOnTrial)))
        } catch {
            mailbox.yield(.failed(LaneFailure(endpoint: endpoint, failure: error)))
        }
    }

    /// Tells the chain that a page is kept for later.
    func held(_ page: FetchedPage) {
        mailbox.yield(.held(sequence: page.sequence))
    }

    /// What the store calls after each transaction: counts, reports and tells the chain.
    func committed(source: String, run: Int64) -> RunWriter.Outcome {
        { result in
            switch result {
            case .success(let pages):
                report(pages, source: source, run: run)
                mailbox.yield(.committed(pages))
            case .failure(let error):
                mailbox.yield(.storeFailed(error))
            }
        }
    }

    /// Counts and reports pages that are durable.
    func report(_ pages: [CommittedPage], source: String, run: Int64) {
        for page in pages {
            tally.add(page.counts, bytes: page.bytes, stored: page.stored)
            fetcher.requester.report(
                .page(
                    CrawlEvent.Page(
                        source: source, run: run, sequence: page.sequence, counts: page.counts, bytes: page.bytes,
                        stored: page.stored)))
            for change in page.changes {
                fetcher.requester.report(
                    .change(
                        CrawlEvent.Change(source: source, record: change, headline: fetcher.source.headline)))
            }
        }
    }

    /// Takes no more messages; those that are there are still delivered.
    func close() {
        mailbox.finish()
    }
}
