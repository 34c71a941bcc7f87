import CrawlCore
import CrawlJSON

/// The sources that come with the program, decoded from the files in `Sources/`.
public enum BuiltInSources {
    private static let files: [(name: String, summary: String, bytes: [UInt8])] = [
        ("users", "Random people, no end", PackageResources.users_json),
        ("posts", "Invented posts", PackageResources.posts_json),
        ("tickers", "Prices of crypto assets", PackageResources.tickers_json),
        ("quotes", "Prices of shares", PackageResources.quotes_json),
        ("randomuser", "Random people, in pages, no end", PackageResources.randomuser_json),
    ]

    /// The names in the order in which lists show them.
    public static var names: [String] { files.map(\.name) }

    /// The groups of sources that appear together, by name.
    public static let groups = ["markets": ["tickers", "quotes"]]

    /// The names of the sources and groups.
    package static var itemNames: [String] { names + groups.keys.sorted() }

    /// A few words that say what a source holds, or what a group means; nil where there is none of that name.
    package static func summary(of name: String) -> String? {
        if groups[name] != nil { return "Stored together" }
        return files.first { $0.name == name }?.summary
    }

    /// The source file as it is embedded, nil where there is none.
    package static func file(of name: String) -> String? {
        files.first { $0.name == name }.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    /// The pagination style that the embedded source file names, nil where there is none.
    package static func style(of name: String) -> String? {
        let file = file(of: name).flatMap { try? JSONValue(parsing: $0) }
        guard case .text(let style)? = file?["pagination"]?["style"] else { return nil }
        return style
    }

    /// The JSON Schema (draft 2020-12) of source files.
    package static var schema: String { String(decoding: PackageResources.source_schema_json, as: UTF8.self) }

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
        isBuiltIn(source, named: "users")
    }

    /// Whether the source goes on for ever, so that only a count can end a crawl of it.
    package static func isEndless(_ source: Source) -> Bool {
        if case .repeat = source.pagination { return true }
        return isBuiltIn(source, named: "randomuser")
    }

    private static func isBuiltIn(_ source: Source, named name: String) -> Bool {
        var source = source
        source.file = nil
        return source.name == name && source == (try? self.source(named: name))
    }
}
