import CrawlCore

/// What is known of a page that a server allowed to keep: enough to ask for it conditionally, and to go on behind it
/// without its content when it has not changed.
///
/// See [RFC 9111](https://www.rfc-editor.org/rfc/rfc9111).
package struct CachedPage: Sendable, Equatable {
    /// The address without secrets; the stand-in's without its port.
    package var url: String
    /// The `ETag` field.
    package var entityTag: String?
    /// The `Last-Modified` field.
    package var lastModified: String?
    /// Until when the answer need not be asked for again: RFC 3339, UTC.
    package var freshUntil: String?
    /// A hash of what the source file says of records; the page is of use only to the same.
    package var definition: String
    /// What the pager has to know of the page.
    package var facts: PageFacts

    package init(
        url: String, entityTag: String? = nil, lastModified: String? = nil, freshUntil: String? = nil,
        definition: String, facts: PageFacts
    ) {
        self.url = url
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.freshUntil = freshUntil
        self.definition = definition
        self.facts = facts
    }
}

/// The rows of `crawl_cache`.
struct PageCache {
    let database: Database

    /// The pages of a source that may be of use, in no order.
    func pages(of source: String) throws -> [CachedPage] {
        try database.rows(
            """
            SELECT url, etag, last_modified, fresh_until, definition, received, next, total, pages,
                more, fingerprint
            FROM crawl_cache WHERE source = ?1
            """, SQLValue(source)
        ) { row in
            CachedPage(
                url: row.text(0) ?? "", entityTag: row.text(1), lastModified: row.text(2), freshUntil: row.text(3),
                definition: row.text(4) ?? "",
                facts: PageFacts(
                    received: Int(row.integer(5)), next: row.text(6), total: row.optionalInteger(7).map(Int.init),
                    pages: row.optionalInteger(8).map(Int.init), more: row.optionalInteger(9).map { $0 != 0 },
                    fingerprint: row.optionalInteger(10).map { UInt64(bitPattern: $0) }))
        }
    }

    /// Keeps what is known of a page that a run stored whole.
    func keep(_ page: CachedPage, source: String, run: Int64) throws {
        try database.run(
            """
            INSERT OR REPLACE INTO crawl_cache (source, url, run, etag, last_modified, fresh_until, definition,
                received, next, total, pages, more, fingerprint)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
            """, SQLValue(source), SQLValue(page.url), SQLValue(run), SQLValue(page.entityTag),
            SQLValue(page.lastModified), SQLValue(page.freshUntil), SQLValue(page.definition),
            SQLValue(page.facts.received), SQLValue(page.facts.next), SQLValue(page.facts.total),
            SQLValue(page.facts.pages), SQLValue(page.facts.more.map { $0 ? 1 : 0 }),
            page.facts.fingerprint.map { .integer(Int64(bitPattern: $0)) } ?? .null)
    }

    /// Forgets a page, whose stored records no longer are all that it holds.
    func forget(_ url: String, source: String) throws {
        try database.run("DELETE FROM crawl_cache WHERE source = ?1 AND url = ?2", SQLValue(source), SQLValue(url))
    }

    /// Forgets all pages of a source.
    func forgetAll(of source: String) throws {
        try database.run("DELETE FROM crawl_cache WHERE source = ?1", SQLValue(source))
    }

    /// Forgets the pages that the last whole load did not meet any more.
    func forgetOthers(thanOfRun run: Int64, source: String) throws {
        try database.run("DELETE FROM crawl_cache WHERE source = ?1 AND run <> ?2", SQLValue(source), SQLValue(run))
    }
}
