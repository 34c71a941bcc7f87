import CrawlCore

/// How a crawl is to be done.
public struct CrawlOptions: Sendable, Equatable {
    /// Which server answers.
    public enum Origin: String, Sendable, Codable {
        /// The source's own; for random people the stand-in where that is out of reach.
        case automatic
        /// The source's own or none.
        case live
        /// The built-in stand-in, whose data are made up.
        case offline
    }

    /// What becomes of pages that are known from an earlier load of the whole source.
    public enum Caching: String, Sendable, Codable {
        /// Nothing is asked while the server's `max-age` lasts; after that, only for what has changed.
        case automatic
        /// Asked for what has changed, whatever the `max-age`.
        case revalidate
        /// Asked for everything.
        case refresh
    }

    /// How many records a request asks for.
    public enum PageSize: Sendable, Equatable {
        /// A tenth of the target, at least 1, at most what the source allows.
        case automatic
        /// As many as this, at most what the source allows.
        case records(Int)
    }

    /// The distinct records that shall be stored in the end; nil for the whole of a source that ends.
    public var count: Int?
    /// The database file; its folder is made where it is missing.
    public var database = "output/crawl.db"
    /// How many records a request asks for.
    public var pageSize = PageSize.automatic
    /// Requests under way at once, at least 1; nil finds the number as the server's answers allow.
    ///
    /// Chains that follow a cursor stay at 1.
    public var lanes: Int?
    /// The most requests to a host in a time, in the notation `5/s`; nil for no limit.
    public var rate: String?
    /// How often a failed request is made again.
    public var retries = 3
    /// Time for one request.
    public var timeout: Duration = .seconds(30)
    /// The longest wait that a server may ask for; beyond it the crawl stops for now.
    public var maxWait: Duration = .seconds(120)
    /// Other addresses for sources, by the source's name, or `quotes.cookie`, `quotes.crumb`, `quotes.fallback`.
    public var endpoints: [String: String] = [:]
    /// Values for the `{placeholders}` of sources, by the placeholder's name; `${NAME}` is taken from the environment.
    public var set: [String: String] = [:]
    /// Which server answers.
    public var origin = Origin.automatic
    /// Whether the source's stored records are replaced, in the first page's transaction.
    public var startsFresh = false
    /// What becomes of pages that are known from an earlier load.
    public var caching = Caching.automatic
    /// Whether a `change` event tells of each record that changes or is new, once records are stored.
    public var notesChanges = false
    /// The name and version sent as `User-Agent`.
    public var userAgent = "crawl"
    /// The environment that `${NAME}` is taken from; nil for that of the process.
    package var environment: [String: String]?

    /// Options for a number of records, everything else as by default.
    public init(count: Int? = nil) {
        self.count = count
    }
}
