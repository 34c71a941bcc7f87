import CrawlCore
import CrawlJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The source files that a user names, read from the disk.
package enum SourceFiles {
    /// The most bytes of a source file.
    private static let largest = 4 << 20

    /// Whether a word on the command line means a file and not the name of a source: it ends in `.json` or holds a `/`.
    package static func isPath(_ word: String) -> Bool {
        word.hasSuffix(".json") || word.contains("/")
    }

    /// Reads a source file; its `file` is set.
    ///
    /// - Throws: `CrawlError` (78) where it cannot be read, or with every mistake in it and its place.
    package static func source(at path: String) throws -> Source {
        let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        guard FileManager.default.fileExists(atPath: absolute) else {
            throw CrawlError(
                .badSource, "There is no source file \(path)",
                remedy: "'crawl probe URL -o FILE' writes one; 'crawl --source NAME' crawls a built-in source.")
        }
        guard let data = FileManager.default.contents(atPath: absolute) else {
            throw CrawlError(
                .badSource, "The source file \(path) cannot be read",
                remedy: "Check that it is a file, not a folder, and its permissions.")
        }
        guard data.count <= largest else {
            throw CrawlError(
                .badSource, "\(path) has \(data.count) bytes, which is too much for a source file",
                remedy: "A source file describes an API in a few lines; it does not hold its records.")
        }
        var source = try SourceFile.source(from: Array(data), file: path)
        source.file = SourceFileReference(path: absolute, digest: digest(of: source))
        return source
    }

    /// The text of a source file for a source, as it would be written by hand.
    package static func text(of source: Source) -> String {
        SourceFile.text(of: source)
    }

    /// What stands in a file compared with a text.
    package enum Comparison: Sendable {
        case same
        case other
        case missing
    }

    /// Compares a file with a text; notes do not count.
    package static func comparison(of path: String, with text: String) -> Comparison {
        guard FileManager.default.fileExists(atPath: path) else { return .missing }
        let known = FileManager.default.contents(atPath: path)
        if known == Data(text.utf8) { return .same }
        let source = try? SourceFile.source(from: Array(text.utf8), file: path)
        return source.map { digest(of: $0) } == (try? self.source(at: path))?.file?.digest ? .same : .other
    }

    /// Reads the source file that a run was begun with.
    ///
    /// - Throws: `CrawlError` (78) where it is gone, is wrong, or describes something else by now.
    package static func source(_ reference: SourceFileReference, run: Int64, name: String) throws -> Source {
        let path = reference.path
        guard FileManager.default.fileExists(atPath: path) else {
            throw CrawlError(
                .badSource, "Run \(run) crawls '\(name)' as described in \(path), which is gone",
                remedy: "Put the file back, or go on with another: crawl --source FILE.")
        }
        let source = try source(at: path)
        guard source.name == name, source.file == reference else {
            throw CrawlError(
                .badSource, "The source file \(path) has changed since run \(run) began with it",
                remedy: "To crawl as it says now, use 'crawl --source \(path)', from the first page on.")
        }
        return source
    }

    /// A hash of all that a file says but its notes.
    private static func digest(of source: Source) -> String {
        var plain = source
        plain.notes = []
        var hash = StableHash()
        hash.add(SourceFile.text(of: plain).utf8)
        return String(hash.value, radix: 16)
    }
}
