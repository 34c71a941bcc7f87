import CrawlCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PagerState {
    /// Reads the JSON text of the ledger.
    ///
    /// - Throws: `CrawlError` (74) where the ledger holds something else.
    init(json: String) throws(CrawlError) {
        do {
            self = try JSONDecoder().decode(PagerState.self, from: Data(json.utf8))
        } catch {
            throw CrawlError(.database, "a cursor in the ledger cannot be read: \(json)")
        }
    }

    /// The JSON text for the ledger.
    var json: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }
}
