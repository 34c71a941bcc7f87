import CrawlStore

/// The stored records of a source, read while the sequence is iterated.
///
/// Each iteration sees one state of the database, that of its first record, whatever a crawl writes meanwhile, and
/// holds only some records in memory. As long as it lasts, the database's log keeps what is written: do not stop in the
/// middle of one for long. Its errors are `CrawlError`s, which name the column and the type where a record does not fit
/// `Record`, and `CancellationError`.
public struct CrawledRecords<Record: CrawledRecord>: AsyncSequence, Sendable {
    /// The database file.
    let path: String
    /// The most records, nil for all.
    let limit: Int?
    /// The records that are passed over.
    let offset: Int

    /// Begins an iteration; the database is opened with the first record.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(records: self)
    }

    /// All records of the sequence in an array.
    ///
    /// - Throws: `CrawlError`, as the sequence does; `CancellationError`.
    public func collect() async throws -> [Record] {
        var records: [Record] = []
        for try await record in self { records.append(record) }
        return records
    }

    /// An iteration over stored records.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// The records of a batch; few enough to be no burden, many enough to be worth the way to the database's thread.
        private static var batchSize: Int { 256 }

        private let records: CrawledRecords
        private var reader: RowReader?
        private var heading: RowHeading?
        private var batch: [[RecordValue]] = []
        private var next = 0
        private var isOver = false

        init(records: CrawledRecords) {
            self.records = records
        }

        /// The next record, nil at the end.
        ///
        /// - Throws: `CrawlError` where the database cannot be read or the record does not fit; `CancellationError`.
        public mutating func next() async throws -> Record? {
            if next == batch.count {
                guard !isOver else { return nil }
                do {
                    batch = try await nextBatch()
                } catch {
                    isOver = true
                    throw error
                }
                next = 0
                if batch.isEmpty {
                    isOver = true
                    reader = nil
                    return nil
                }
            }
            guard let heading else { return nil }
            let row = StoredRow(heading: heading, values: batch[next])
            next += 1
            return try row.record(as: Record.self)
        }

        private mutating func nextBatch() async throws -> [[RecordValue]] {
            if let reader { return try await reader.next(Self.batchSize) }
            guard records.limit ?? 0 >= 0, records.offset >= 0 else {
                throw CrawlError(
                    .usage, "A limit or offset below 0 makes no sense", remedy: "Leave the limit out for all records.")
            }
            var query = RowQuery(source: Record.source, limit: records.limit)
            query.includesOthers = true
            query.offset = records.offset
            let reader = try await RowReader.open(query, path: records.path)
            self.reader = reader
            heading = RowHeading(columns: await reader.columns)
            return try await reader.next(Self.batchSize)
        }
    }
}
