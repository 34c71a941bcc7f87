import CrawlCore
import CrawlJSON

/// The sources that come with the program, decoded from the files in `Sources/`.
public enum BuiltInSources {
    private static let files: [(name: String, bytes: [UInt8])] = [
        ("users", PackageResources.users_json),
        ("posts", PackageResources.posts_json),
        ("tickers", PackageResources.tickers_json),
        ("quotes", PackageResources.quotes_json),
        ("randomuser", PackageResources.randomuser_json),
    ]

    /// The names in the order in which lists show them.
    public static var names: [String] { files.map(\.name) }

    /// The groups of sources that appear together, by name.
    public static let groups = ["markets": ["tickers", "quotes"]]

    /// What is loaded under a name: a source, a group, or nil where there is neither.
    ///
    /// - Throws: `CrawlError` (78) where an embedded file is wrong.
    public static func item(named name: String) throws -> BulkLoad.Item? {
        if let members = groups[name] {
            return .group(name: name, sources: try members.compactMap(source(named:)))
        }
        return try source(named: name).map { .source($0) }
    }

    /// The source of that name, nil where there is none.
    ///
    /// - Throws: `CrawlError` (78) where the embedded file is wrong.
    public static func source(named name: String) throws -> Source? {
        guard let file = files.first(where: { $0.name == name }) else { return nil }
        return try SourceFile.source(from: file.bytes, file: name + ".json")
    }

    /// Whether the source's records are random people whoever makes them up, so that the stand-in may take over.
    static func isRandomEitherWay(_ source: Source) -> Bool {
        var source = source
        source.file = nil
        return source.name == "users" && source == (try? self.source(named: "users"))
    }
}
