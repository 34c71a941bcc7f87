import CrawlCore
import CrawlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A run's options as the ledger keeps them, so that `crawl resume` goes on in the same way.
package struct RecordedOptions: Sendable, Equatable, Codable {
    package var pageSize: Int?
    package var concurrency: Int?
    package var rate: String?
    package var retries: Int
    package var timeout: Double
    package var maxWait: Double
    package var endpoint: String?
    /// Addresses of the source's handshake and fallback, by their whole names.
    package var addresses: [String: String]?
    /// Values for placeholders, as they were written: a `${NAME}` in them is looked up again.
    package var set: [String: String]?
    /// What was given and held a secret, so that it is not kept: `endpoint NAME` or `set NAME`.
    package var withheld: [String]?
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
        case endpoint, addresses, set, withheld, origin, fresh
        case sourceFile = "source_file"
        case sourceDigest = "source_digest"
    }

    /// The ledger's view of a crawl of one source, without secrets.
    package init(_ options: CrawlOptions, source: Source) {
        if case .records(let size) = options.pageSize { pageSize = size }
        concurrency = options.lanes
        rate = options.rate
        retries = options.retries
        timeout = options.timeout.seconds
        maxWait = options.maxWait.seconds
        origin = options.origin
        fresh = options.startsFresh ? true : nil
        sourceFile = source.file?.path
        sourceDigest = source.file?.digest
        recordRequests(options, source)
    }

    /// The source file that the run was begun with.
    package var file: SourceFileReference? {
        guard let sourceFile, let sourceDigest else { return nil }
        return SourceFileReference(path: sourceFile, digest: sourceDigest)
    }

    /// Enters what the requests were made of.
    private mutating func recordRequests(_ options: CrawlOptions, _ source: Source) {
        var withheld: [String] = []
        for name in source.addressNames where options.origin != .offline {
            guard let address = options.endpoints[name] else { continue }
            if URLText.holdsSecret(address) {
                withheld.append("endpoint \(name)")
            } else if name == source.name {
                endpoint = address
            } else {
                addresses = (addresses ?? [:]).merging([name: address]) { $1 }
            }
        }
        for name in source.placeholders {
            guard let value = options.set[name] else { continue }
            if URLText.isSecret(name), !value.contains("${") {
                withheld.append("set \(name)")
            } else {
                set = (set ?? [:]).merging([name: value]) { $1 }
            }
        }
        if !withheld.isEmpty { self.withheld = withheld }
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
        options.endpoints.merge(addresses ?? [:]) { $1 }
        options.set = set ?? [:]
        options.origin = origin
        options.startsFresh = fresh ?? false
        return options
    }
}

extension RecordedOptions {
    /// Checks that what held a secret, and is therefore not kept, was given again.
    ///
    /// - Throws: `CrawlError` (64) that names what is missing.
    package func requireWithheld(in options: CrawlOptions, run: Int64, of source: String) throws(CrawlError) {
        guard options.origin != .offline else { return }
        for entry in withheld ?? [] {
            let (option, name) = (entry.prefix { $0 != " " }, String(entry.drop { $0 != " " }.dropFirst()))
            let isGiven = option == "set" ? options.set[name] != nil : options.endpoints[name] != nil
            guard !isGiven else { continue }
            throw CrawlError(
                .usage,
                option == "set"
                    ? "Run \(run) of \(source) was begun with a secret value for {\(name)}, which is not kept"
                    : "Run \(run) of \(source) was begun with an address for \(name) that holds a secret, "
                        + "which is not kept",
                remedy: "Give it again: crawl resume --\(option) \(name)=\(option == "set" ? "VALUE" : "URL")")
        }
    }
}

extension Duration {
    /// The duration in seconds.
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
