import CrawlJSON

extension Source {
    /// The source that a JSON text describes; README, "Add your own API", documents its keys.
    ///
    /// - Parameters:
    ///   - json: The text of a source file.
    ///   - name: What messages call the text.
    /// - Throws: `CrawlError` (78) that names every mistake and its place.
    public init(json: String, name: String = "The source") throws(CrawlError) {
        self = try SourceFile.source(from: Array(json.utf8), file: name)
    }

    /// The source that a file describes.
    ///
    /// - Parameter path: The file, absolute or from the working folder.
    /// - Throws: `CrawlError` (78) where the file cannot be read, or that names every mistake and its place.
    public init(contentsOfFile path: String) throws {
        self = try SourceFiles.source(at: path)
    }

    /// The source as the text of a source file; reading it gives the same source again.
    public var json: String { SourceFile.text(of: self) }
}

extension Source {
    /// Random people: `https://random-data-api.com/api/v2/users`, without an end; its records are `User`.
    public static let users = builtIn("users")
    /// A hundred posts of invented text: `https://jsonplaceholder.typicode.com/posts`; its records are `Post`.
    public static let posts = builtIn("posts")
    /// A hundred crypto assets with their prices: `https://api.coinpaprika.com/v1/tickers`; its records are `Ticker`.
    public static let tickers = builtIn("tickers")
    /// Prices of shares: `https://query1.finance.yahoo.com/v7/finance/quote`; its records are `Quote`.
    public static let quotes = builtIn("quotes")
    /// Random people of another service: `https://randomuser.me/api/`, page by page.
    public static let randomuser = builtIn("randomuser")

    private static func builtIn(_ name: String) -> Source {
        do {
            if let source = try BuiltInSources.source(named: name) { return source }
            preconditionFailure("There is no embedded source file \(name).json")
        } catch {
            preconditionFailure("An embedded source file is wrong: \(error)")
        }
    }
}
