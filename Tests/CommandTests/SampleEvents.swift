import CrawlCore

extension CrawlEvent {
    static let sampleStarted = started(endpoint: "http://127.0.0.1:1/users", resumed: true)

    static func started(endpoint: String, resumed: Bool = false, source: String = "users") -> CrawlEvent {
        .started(
            Started(
                source: source, run: 7, endpoint: endpoint, target: 50, stored: 31, resumed: resumed,
                database: "output/crawl.db"))
    }

    static func samplePage(
        sequence: Int, new: Int, duplicate: Int = 0, stored: Int, source: String = "users"
    ) -> CrawlEvent {
        var counts = PageCounts()
        counts.received = new + duplicate
        counts.new = new
        counts.duplicate = duplicate
        return .page(
            Page(source: source, run: 7, sequence: sequence, counts: counts, bytes: 4410, stored: stored))
    }

    static func sampleRetry(wait: Double, reason: String = "HTTP 503") -> CrawlEvent {
        .retry(Retry(source: "users", url: "http://127.0.0.1:1/users?size=5", attempt: 1, wait: wait, reason: reason))
    }

    static func sampleRequest(status: Int?) -> CrawlEvent {
        .request(
            Request(
                source: "users", url: "http://127.0.0.1:1/users?size=5", status: status, bytes: 4410, seconds: 0.0214))
    }
}

extension CrawlEvent.Summary {
    static func sampleSummary(
        _ outcome: Outcome = .complete, stored: Int = 50, isMadeUp: Bool = false, error: CrawlError? = nil,
        source: String = "users"
    ) -> Self {
        var counts = PageCounts()
        counts.received = 50
        counts.new = 50
        return Self(
            source: source, run: 7, outcome: outcome, target: 50, stored: stored, counts: counts, requests: 10,
            retries: 1, bytes: 44_100, seconds: 0.21, database: "output/crawl.db", isMadeUp: isMadeUp, error: error)
    }
}
