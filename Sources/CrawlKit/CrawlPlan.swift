import CrawlCore
import CrawlStore
import StandInAPI

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a crawl would do, found out without a request and without writing.
package struct CrawlPlan: Sendable, Equatable {
    /// The address that would be asked first, without secrets, or `stand-in`.
    package var endpoint: String
    /// The records that count as stored at the beginning.
    package var stored: Int
    /// The records that a request would ask for.
    package var pageSize: Int
    /// The fewest requests that reach the target, nil where that is not known.
    package var requests: Int?
    /// The unfinished run that would go on.
    package var resumedRun: Int64?

    /// Looks at the database, if there is one.
    ///
    /// - Throws: `CrawlError` (64, 69, 74, 78) for whatever a crawl would refuse as well.
    package static func make(_ source: Source, _ options: CrawlOptions) async throws -> CrawlPlan {
        try options.validate()
        var stored = 0
        var unfinished: RunRecord?
        if FileManager.default.fileExists(atPath: options.database) {
            let reader = try await StoreReader.open(path: options.database)
            stored = try await reader.storedCounts()[source.name] ?? 0
            unfinished = try await reader.unfinishedRuns().last { $0.source == source.name }
            await reader.close()
        }
        if options.startsFresh { stored = 0 }
        let size = options.pageSizes(for: source.pagination).usual
        let missing = options.count.map { max(0, $0 - stored) }
        let isOffline = options.origin == .offline
        let addresses =
            try isOffline
            ? SourceAddresses(of: source) { StandInAPI.path(of: $0).map { "http://127.0.0.1" + $0 } }
            : SourceAddresses(of: source, options)
        let endpoint = try SourceAccess(addresses, Filling(source, options), options).endpoint.label
        return CrawlPlan(
            endpoint: endpoint, stored: stored, pageSize: size,
            requests: missing.map { $0 / size + ($0 % size > 0 ? 1 : 0) },
            resumedRun: missing == 0 ? nil : unfinished?.id)
    }
}
