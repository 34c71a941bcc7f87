import CrawlCore

/// What SQLite wrote into the files of one folder, in the order in which it did, and what was reported meanwhile.
final class WriteLog: Sendable {
    enum Entry: Sendable {
        case made(String)
        case removed(String, isFolderSynced: Bool)
        case wrote(String, at: Int, [UInt8])
        case cut(String, to: Int)
        case synced(String, isFolderSynced: Bool)
        /// So many records of a source were reported as stored.
        case reported(String, Int)
    }

    private let log = Locked<[Entry]>([])

    var entries: [Entry] { log.withLock { $0 } }

    func append(_ entry: Entry) {
        log.withLock { $0.append(entry) }
    }
}
