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

    /// The JSON text for the ledger, keys in the order of the alphabet.
    ///
    /// Written by hand because it is needed for every page; only a cursor's text needs an encoder's care.
    var json: String? {
        var members: [String] = []
        if let ahead { members.append("\"ahead\":[\(ahead.map(String.init).joined(separator: ","))]") }
        if let announced { members.append("\"announced\":\(announced)") }
        if let doubt { members.append("\"doubt\":\(doubt)") }
        if let end { members.append("\"end\":\(end)") }
        if let ended { members.append("\"ended\":\(ended)") }
        if let next {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            guard let text = try? encoder.encode(next) else { return nil }
            members.append("\"next\":\(String(decoding: text, as: UTF8.self))")
        }
        if let position { members.append("\"position\":\(position)") }
        members.append("\"size\":\(size)")
        return "{\(members.joined(separator: ","))}"
    }
}
