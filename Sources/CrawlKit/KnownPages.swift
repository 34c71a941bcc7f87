import CrawlCore
import CrawlHTTP
import CrawlJSON
import CrawlStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pages of a source that earlier loads stored whole, so that they can be asked for conditionally.
///
/// See [RFC 9110, 13](https://www.rfc-editor.org/rfc/rfc9110#section-13).
struct KnownPages: Sendable {
    private let pages: [String: CachedPage]
    private let definition: String
    private let pagination: Pagination
    /// Whether pages are asked for conditionally; else they are only kept for later.
    private let isAsking: Bool

    /// - Parameter isAsking: Whether pages that are known are asked for conditionally.
    init(_ source: Source, pages: [CachedPage], isAsking: Bool) {
        var hash = StableHash()
        hash.add(SourceFile.text(of: source).utf8)
        let definition = String(hash.value, radix: 16)
        self.definition = definition
        pagination = source.pagination
        self.pages = Dictionary(
            pages.filter { $0.definition == definition }.map { ($0.url, $0) }, uniquingKeysWith: { $1 })
        self.isAsking = isAsking
    }

    /// What is known of a page, nil where it has to be asked for as if for the first time.
    func page(_ key: String) -> CachedPage? {
        guard isAsking, let page = pages[key], page.facts.outlives(pagination) else { return nil }
        return page
    }

    /// The fields that make the request for a page conditional.
    static func conditions(_ page: CachedPage) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if let tag = page.entityTag { fields.append(("If-None-Match", tag)) }
        if let date = page.lastModified { fields.append(("If-Modified-Since", date)) }
        return fields
    }

    /// Until when all pages of the source are good without asking; nil where that time has come, or is not known.
    ///
    /// - Parameter first: The key of the first page, which must be among those that are known.
    func freshUntil(first: String, now: Date) -> Date? {
        guard pages[first] != nil else { return nil }
        var earliest: Date?
        for page in pages.values {
            guard let until = page.freshUntil.flatMap(Timestamp.date), until > now else { return nil }
            earliest = min(earliest ?? until, until)
        }
        return earliest
    }

    /// What to keep of an answer, nil where the server does not allow it or gives no means to ask again.
    ///
    /// - Parameter known: What was known of a page that has not changed; its validators stay where the answer has none.
    func entry(
        _ key: String, _ headers: HTTPHeaders, _ facts: PageFacts, known: CachedPage? = nil, now: Date
    ) -> CachedPage? {
        let control = CacheControl(headers.values(of: "Cache-Control"))
        guard !control.noStore else { return nil }
        var page = CachedPage(
            url: key, entityTag: headers["ETag"] ?? known?.entityTag,
            lastModified: headers["Last-Modified"] ?? known?.lastModified, definition: definition, facts: facts)
        if !control.noCache, let age = control.maxAge {
            let left = age - (headers["Age"].flatMap { Int($0) } ?? 0)
            // A year is the most that RFC 9111 lets anybody promise in earnest.
            if left > 0 { page.freshUntil = Timestamp.text(now.addingTimeInterval(Double(min(left, 31_536_000)))) }
        }
        return page.entityTag == nil && page.lastModified == nil && page.freshUntil == nil ? nil : page
    }
}
