import CrawlCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A run's options as the ledger keeps them, so that `crawl resume` goes on in the same way.
package struct RecordedOptions: Sendable, Equatable, Codable {
    package var pageSize: Int?
    package var concurrency: Int
    package var rate: String?
    package var retries: Int
    package var timeout: Double
    package var maxWait: Double
    package var endpoint: String?
    package var origin: CrawlOptions.Origin
    package var fresh: Bool?
    /// The absolute path of the source file, nil for a built-in source.
    package var sourceFile: String?
    /// A hash of what the source file says.
    package var sourceDigest: String?

    enum CodingKeys: String, CodingKey {
        case pageSize = "page_size"
        case concurrency, rate, retries, timeout
        case maxWait = "max_wait"
        case endpoint, origin, fresh
        case sourceFile = "source_file"
        case sourceDigest = "source_digest"
    }

    /// The ledger's view of a crawl of one source; `endpoint` without secrets.
    package init(_ options: CrawlOptions, endpoint: String?, file: SourceFileReference? = nil) {
        if case .records(let size) = options.pageSize { pageSize = size }
        concurrency = options.lanes
        rate = options.rate
        retries = options.retries
        timeout = options.timeout.seconds
        maxWait = options.maxWait.seconds
        self.endpoint = endpoint
        origin = options.origin
        fresh = options.startsFresh ? true : nil
        sourceFile = file?.path
        sourceDigest = file?.digest
    }

    /// The source file that the run was begun with.
    package var file: SourceFileReference? {
        guard let sourceFile, let sourceDigest else { return nil }
        return SourceFileReference(path: sourceFile, digest: sourceDigest)
    }

    /// Reads the JSON text of the ledger.
    ///
    /// - Throws: `CrawlError` (74) where the ledger holds something else.
    package init(json: String) throws(CrawlError) {
        do {
            self = try JSONDecoder().decode(RecordedOptions.self, from: Data(json.utf8))
        } catch {
            throw CrawlError(.database, "the options of a run in the ledger cannot be read: \(json)")
        }
    }

    /// The JSON text for the ledger.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // A struct of numbers and texts always encodes; an empty object would read as an error, never as a default.
        guard let data = try? encoder.encode(self) else { return "{}" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The options of a crawl that goes on with `source`.
    package func options(source: String, count: Int?, database: String) -> CrawlOptions {
        var options = CrawlOptions(count: count)
        options.database = database
        if let pageSize { options.pageSize = .records(pageSize) }
        options.lanes = concurrency
        options.rate = rate
        options.retries = retries
        options.timeout = .seconds(timeout)
        options.maxWait = .seconds(maxWait)
        if let endpoint { options.endpoints[source] = endpoint }
        options.origin = origin
        options.startsFresh = fresh ?? false
        return options
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
