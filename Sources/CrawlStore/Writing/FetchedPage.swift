import CrawlCore
import CrawlJSON

/// A page that was fetched and parsed, ready to be stored.
package struct FetchedPage: Sendable {
    /// The page's number within the run, from 1; each number once.
    package var sequence: Int
    /// The address without secrets.
    package var url: String
    /// The HTTP status.
    package var status: Int
    /// The attempts that it took, from 1.
    package var attempts: Int
    /// Bytes of the decoded body.
    package var bytes: Int
    /// The records.
    package var batch: RecordBatch
    /// The pager's state after this page, nil where there is none.
    package var cursor: String?
    /// When the answer arrived: RFC 3339, UTC.
    package var fetchedAt: String
    /// Records of a page that has not changed since it was stored whole; its `batch` is empty then.
    package var unchanged: Int
    /// What to keep of the page so that it can be asked for conditionally, nil where nothing is to be kept.
    package var cache: CachedPage?

    package init(
        sequence: Int, url: String, status: Int, attempts: Int, bytes: Int, batch: RecordBatch, cursor: String?,
        fetchedAt: String, unchanged: Int = 0, cache: CachedPage? = nil
    ) {
        self.unchanged = unchanged
        self.cache = cache
        self.sequence = sequence
        self.url = url
        self.status = status
        self.attempts = attempts
        self.bytes = bytes
        self.batch = batch
        self.cursor = cursor
        self.fetchedAt = fetchedAt
    }
}

/// A page that is durable in the database.
package struct CommittedPage: Sendable, Equatable {
    /// The page's number within the run.
    package var sequence: Int
    /// The ledger row.
    package var page: Int64
    /// What became of the records.
    package var counts: PageCounts
    /// Bytes of the decoded body.
    package var bytes: Int
    /// The records of the source that are stored now.
    package var stored: Int
    /// What the page changed, in the order of the page; empty where nobody watches.
    package var changes: [RecordChange] = []
}

/// A page on its way to the database, and the run that it belongs to.
package struct PageSubmission: Sendable {
    package var writer: RunWriter
    package var page: FetchedPage

    package init(writer: RunWriter, page: FetchedPage) {
        self.writer = writer
        self.page = page
    }
}
