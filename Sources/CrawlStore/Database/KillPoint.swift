#if DEBUG
    import CrawlCore
    import Glibc
#endif

/// A step at which a debug build can be made to die, so that tests see what sudden death leaves behind at each of them.
///
/// A kill at a random instant falls into a wait nearly always, and hardly ever between two steps of a commit. With
/// `CRAWL_KILL_POINT=recordsStored:3` in its environment a debug build sends SIGKILL to itself when it comes to that
/// step for the third time; with `CRAWL_KILL_POINT_LOG=FILE` it appends the name of each step that it comes to. The
/// tests walk over `allCases`, so that a new step cannot be forgotten. In a release build `pass()` is empty and neither
/// variable is read.
enum KillPoint: String, CaseIterable, Sendable {
    // MARK: Opening, and making what is missing

    /// The folder of the database is there.
    case folderMade
    /// The database file is open; where it was missing it is empty.
    case fileOpened
    /// The crawl lock is taken.
    case lockTaken
    /// The database bears our mark.
    case markSet
    /// The write-ahead log is on.
    case logTurnedOn
    /// A migration's tables are made, its number is not set yet.
    case migrationApplied
    /// A migration's number is set.
    case migrationNumbered
    /// Runs that ended without notice are marked as interrupted.
    case abandonedRunsMarked
    /// The source's table is made, or has got its new columns.
    case tableMade

    // MARK: Every transaction

    /// The write lock is taken.
    case transactionBegun
    /// All is written that the transaction holds.
    case beforeCommit
    /// The transaction is durable.
    case afterCommit

    // MARK: The transaction of pages

    /// What has to be true beforehand was looked at, no page is written yet.
    case pagesBegun
    /// The old records are deleted by the first page of a fresh run.
    case recordsReplaced
    /// A rejected record of a page is written.
    case rejectStored
    /// The records of a page are written, the rejected ones too.
    case recordsStored
    /// The ledger row of a page is written.
    case ledgerRowStored
    /// What is known of a page for the next load is written.
    case cacheStored

    // MARK: Runs and hosts

    /// A new run is written.
    case runBegun
    /// An unfinished run is set to running again.
    case runReopened
    /// A run's end is written, whether it is complete, failed or interrupted.
    case runEnded
    /// Pages that a whole load did not meet are forgotten.
    case oldPagesForgotten
    /// The time before which a host must not be asked is written.
    case hostClockStored

    // MARK: Closing

    /// All pages are durable, the database is still open.
    case closing
    /// The database is closed, and its log carried over.
    case closed

    // MARK: Output files

    /// The temporary file is open.
    case outputOpened
    /// A part of the bytes is written, perhaps all.
    case outputPartWritten
    /// All bytes are written, none need be durable.
    case outputWritten
    /// All bytes are durable.
    case outputSynced
    /// The temporary file has a name beside that of the earlier file.
    case outputNamed
    /// The file has taken its name.
    case outputRenamed

    /// Dies here if the test that started the program wants that.
    @inline(__always)
    func pass() {
        #if DEBUG
            KillSwitch.shared?.passed(self)
        #endif
    }
}

#if DEBUG
    /// What the test that started the program wants: where to die, and where to note the steps.
    private final class KillSwitch: Sendable {
        /// Nil where nobody wants anything.
        static let shared = KillSwitch(
            target: getenv("CRAWL_KILL_POINT").map { String(cString: $0) },
            log: getenv("CRAWL_KILL_POINT_LOG").map { String(cString: $0) })

        private let target: Substring?
        private let passage: Int
        private let log: Int32
        private let passages = Locked(0)

        private init?(target: String?, log: String?) {
            if target == nil, log == nil { return nil }
            let parts = target?.split(separator: ":") ?? []
            self.target = parts.first
            passage = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
            self.log = log.map { open($0, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666) } ?? -1
        }

        func passed(_ point: KillPoint) {
            if log >= 0 {
                let line = Array("\(point.rawValue)\n".utf8)
                write(log, line, line.count)
            }
            guard let target, point.rawValue == target else { return }
            let isTheOne = passages.withLock { passages in
                passages += 1
                return passages == passage
            }
            guard isTheOne else { return }
            kill(getpid(), SIGKILL)
            // Other threads may live on for a moment; this one takes no further step.
            while true { pause() }
        }
    }
#endif
