import CrawlCore
import CrawlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CrawlOptions {
    /// The records that a page asks for as a rule, and once most records are duplicates.
    func pageSizes(for pagination: Pagination) -> (usual: Int, largest: Int) {
        let most = pagination.maxSize
        // Pages that nobody can ask a size of have the one that they have.
        if pagination.sizeParameter == nil { return (most, most) }
        switch pageSize {
        case .records(let size):
            return (min(size, most), min(size, most))
        case .automatic:
            guard let count else { return (most, most) }
            return (max(1, min(count / 10, most)), most)
        }
    }
}

extension CrawlOptions {
    /// Checks what a program, or a command line, can get wrong.
    ///
    /// - Throws: `CrawlError` (64).
    package func validate() throws(CrawlError) {
        if let count, count < 1 {
            throw CrawlError(.usage, "A count of \(count) records makes no sense", remedy: "Ask for at least 1.")
        }
        if let lanes, lanes < 1 {
            throw CrawlError(.usage, "\(lanes) requests at once make no sense", remedy: "Ask for at least 1.")
        }
        if case .records(let size) = pageSize, size < 1 {
            throw CrawlError(.usage, "A page of \(size) records makes no sense", remedy: "Ask for at least 1.")
        }
        if retries < 0 {
            throw CrawlError(.usage, "\(retries) retries make no sense", remedy: "Ask for at least 0.")
        }
        _ = try rateLimit()
        for (name, url) in endpoints.sorted(by: { $0.key < $1.key }) {
            // With a placeholder in it, it is an address only once that is filled in.
            let isAddress = url.contains("{") || HTTPURL(url) != nil
            guard url.hasPrefix("http://") || url.hasPrefix("https://"), isAddress else {
                throw CrawlError(
                    .usage, "The endpoint of \(name) is no http or https address: '\(URLText.display(url))'",
                    remedy: "Write it like --endpoint \(name)=https://example.org/api.")
            }
        }
    }
}

extension CrawlOptions {
    /// Checks what can be got wrong about these sources.
    ///
    /// - Throws: `CrawlError` (64).
    package func validate(for sources: [Source]) throws(CrawlError) {
        try validate()
        let known = Set(sources.flatMap(\.placeholders))
        for name in set.keys.sorted() where !known.contains(name) {
            let names = sources.map { "'\($0.name)'" }.joined(separator: " and ")
            guard !known.isEmpty else {
                throw CrawlError(
                    .usage, "There is no placeholder {\(name)} to set: \(names) has none",
                    remedy: "Leave out --set, or write {\(name)} into the address of a source file.")
            }
            let near = NearMiss.suggestion(for: name, among: known.sorted())
            throw CrawlError(
                .usage, "There is no placeholder {\(name)} in \(names)",
                remedy: near.map { "Did you mean '\($0)'?" }
                    ?? "It has \(known.sorted().map { "{\($0)}" }.joined(separator: ", ")).")
        }
    }
}

extension CrawlOptions {
    /// The limit that `rate` asks for.
    ///
    /// - Throws: `CrawlError` (64) where `rate` is no rate.
    func rateLimit() throws(CrawlError) -> RateLimit? {
        guard let rate else { return nil }
        guard let limit = RateLimit(parsing: rate) else {
            throw CrawlError(
                .usage, "The rate '\(rate)' cannot be read",
                remedy: "Write a number of requests and a time: 5/s, 100/m, 20000/h or 0.5/s.")
        }
        return limit
    }

    /// The environment that `${NAME}` is taken from.
    var variables: [String: String] { environment ?? ProcessInfo.processInfo.environment }

    /// The most lanes that are opened where their number is left to the program.
    package static let mostLanes = 8

    /// How many requests may be under way at once.
    func governor() -> Governor {
        lanes.map { Governor(fixed: $0) } ?? Governor(upTo: Self.mostLanes)
    }

    /// How failed requests to an endpoint are repeated; a server on this machine is asked again sooner.
    func retryPolicy(for endpoint: Endpoint) -> RetryPolicy {
        var policy = RetryPolicy(retries: retries, maxWait: maxWait)
        if HTTPURL(endpoint.url)?.isLoopback == true {
            policy.base = .milliseconds(20)
            policy.cap = .seconds(1)
        }
        return policy
    }
}
