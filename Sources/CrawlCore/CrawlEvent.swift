/// What a crawl reports while it runs, in the order in which it happens.
public enum CrawlEvent: Sendable, Equatable {
    /// The crawl begins, or goes on from what is stored.
    case started(Started)
    /// Something worth knowing that stops nothing, such as the stand-in taking over.
    case notice(Notice)
    /// A request was answered or failed; for `--verbose`.
    case request(Request)
    /// An attempt failed and will be made again.
    case retry(Retry)
    /// A page is durable in the database.
    case page(Page)
    /// A record has changed, or is new; for those who watch.
    case change(Change)
    /// The crawl is over. Always the last event, exactly once a source.
    case finished(Summary)

    /// The beginning of a crawl.
    public struct Started: Sendable, Equatable {
        /// The source's name.
        public var source: String
        /// The ledger's number of the run.
        public var run: Int64
        /// The address that is asked, without secrets, or `stand-in`.
        public var endpoint: String
        /// The number of records wanted, nil for the whole source.
        public var target: Int?
        /// The records stored before the first request.
        public var stored: Int
        /// Whether an earlier, unfinished run goes on.
        public var resumed: Bool
        /// The database file.
        public var database: String

        package init(
            source: String, run: Int64, endpoint: String, target: Int?, stored: Int, resumed: Bool, database: String
        ) {
            self.source = source
            self.run = run
            self.endpoint = endpoint
            self.target = target
            self.stored = stored
            self.resumed = resumed
            self.database = database
        }
    }

    /// Something worth knowing.
    public struct Notice: Sendable, Equatable {
        /// The source's name.
        public var source: String
        /// One or more whole sentences.
        public var message: String

        package init(source: String, message: String) {
            self.source = source
            self.message = message
        }
    }

    /// One HTTP request and what came of it.
    public struct Request: Sendable, Equatable {
        /// The source's name.
        public var source: String
        /// The address without secrets.
        public var url: String
        /// The HTTP status, nil where no answer arrived.
        public var status: Int?
        /// Bytes of the decoded body.
        public var bytes: Int
        /// Seconds from the start of the request to its end.
        public var seconds: Double

        package init(source: String, url: String, status: Int?, bytes: Int, seconds: Double) {
            self.source = source
            self.url = url
            self.status = status
            self.bytes = bytes
            self.seconds = seconds
        }
    }

    /// An attempt that failed and will be made again.
    public struct Retry: Sendable, Equatable {
        /// The source's name.
        public var source: String
        /// The address without secrets.
        public var url: String
        /// The attempt that failed, from 1.
        public var attempt: Int
        /// Seconds until the next attempt.
        public var wait: Double
        /// What went wrong.
        public var reason: String

        package init(source: String, url: String, attempt: Int, wait: Double, reason: String) {
            self.source = source
            self.url = url
            self.attempt = attempt
            self.wait = wait
            self.reason = reason
        }
    }

    /// A page that is durable in the database.
    public struct Page: Sendable, Equatable {
        /// The source's name.
        public var source: String
        /// The ledger's number of the run.
        public var run: Int64
        /// The page's number within the run, from 1.
        public var sequence: Int
        /// What became of its records.
        public var counts: PageCounts
        /// Bytes of its decoded body.
        public var bytes: Int
        /// The records of the source stored so far.
        public var stored: Int

        package init(source: String, run: Int64, sequence: Int, counts: PageCounts, bytes: Int, stored: Int) {
            self.source = source
            self.run = run
            self.sequence = sequence
            self.counts = counts
            self.bytes = bytes
            self.stored = stored
        }
    }

    /// A record that has changed, or is new, and is durable.
    public struct Change: Sendable, Equatable {
        /// The source's name.
        public var source: String
        /// What has changed.
        public var record: RecordChange
        /// The columns that the source file says are worth a line for people; empty for all.
        public var headline: [String]

        package init(source: String, record: RecordChange, headline: [String]) {
            self.source = source
            self.record = record
            self.headline = headline
        }
    }

    /// The end of a crawl.
    public struct Summary: Sendable, Equatable {
        /// How a crawl can end.
        public enum Outcome: String, Sendable {
            /// The target stands, or the source is loaded whole.
            case complete
            /// The target stood before the first request.
            case nothingToDo = "nothing-to-do"
            /// Stopped by a signal or a cancelled task; the same command goes on.
            case interrupted
            /// Stopped by an error; the same command goes on where that makes sense.
            case failed
        }

        /// The source's name.
        public var source: String
        /// The ledger's number of the run, nil where none was needed.
        public var run: Int64?
        /// How it ended.
        public var outcome: Outcome
        /// The number of records wanted, nil for the whole source.
        public var target: Int?
        /// The records of the source that are stored now.
        public var stored: Int
        /// What became of the records received this time.
        public var counts: PageCounts
        /// HTTP requests made this time, retries included.
        public var requests: Int
        /// Attempts repeated this time.
        public var retries: Int
        /// Bytes of decoded bodies this time.
        public var bytes: Int
        /// Seconds that it took.
        public var seconds: Double
        /// The database file.
        public var database: String
        /// Whether the records are made up, by the stand-in.
        public var isMadeUp: Bool
        /// Why it did not complete.
        public var error: CrawlError?

        package init(
            source: String, run: Int64?, outcome: Outcome, target: Int?, stored: Int, counts: PageCounts = PageCounts(),
            requests: Int = 0, retries: Int = 0, bytes: Int = 0, seconds: Double = 0, database: String,
            isMadeUp: Bool = false, error: CrawlError? = nil
        ) {
            self.source = source
            self.run = run
            self.outcome = outcome
            self.target = target
            self.stored = stored
            self.counts = counts
            self.requests = requests
            self.retries = retries
            self.bytes = bytes
            self.seconds = seconds
            self.database = database
            self.isMadeUp = isMadeUp
            self.error = error
        }
    }
}
