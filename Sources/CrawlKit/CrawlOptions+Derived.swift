import CrawlCore
import CrawlHTTP

extension CrawlOptions {
    /// The records that a page asks for as a rule, and once most records are duplicates.
    func pageSizes(for pagination: Pagination) -> (usual: Int, largest: Int) {
        let most = pagination.maxSize
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
        if lanes < 1 {
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
            guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
                throw CrawlError(
                    .usage, "The endpoint of \(name) is no http or https address: '\(URLText.display(url))'",
                    remedy: "Write it like --endpoint \(name)=https://example.org/api.")
            }
        }
    }
}
