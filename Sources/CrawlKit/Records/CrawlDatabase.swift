import CrawlStore

/// The database of earlier crawls, to read from; also while a crawl writes to it.
///
/// ```swift
/// for try await user in CrawlDatabase().records(of: User.self) {
///     print(user.email ?? "-")
/// }
/// ```
///
/// Only names the file: each reading opens it, makes and changes nothing in it, and closes it again.
public struct CrawlDatabase: Sendable, Hashable {
    /// The database file, absolute or from the working folder.
    public var path: String

    /// Names a database file; nothing is opened yet.
    public init(_ path: String = CrawlOptions().database) {
        self.path = path
    }

    /// The stored records of a source, in the order in which they were stored.
    ///
    /// - Parameters:
    ///   - type: What the records are read as.
    ///   - limit: The most records, nil for all.
    ///   - offset: The records to pass over at the beginning.
    /// - Returns: A sequence that opens the database when it is read.
    public func records<Record: CrawledRecord>(
        of type: Record.Type = Record.self, limit: Int? = nil, offset: Int = 0
    ) -> CrawledRecords<Record> {
        CrawledRecords(path: path, limit: limit, offset: offset)
    }

    /// How many records of a source are stored.
    ///
    /// - Throws: `CrawlError` where there is no such database (74) or no such source in it (64), or where it cannot be
    ///   read (74, 75).
    public func count(of type: (some CrawledRecord).Type) async throws -> Int {
        let reader = try await RowReader.open(RowQuery(source: type.source, limit: 0), path: path)
        let count = await reader.total
        await reader.close()
        return count
    }
}
