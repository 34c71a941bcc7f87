import CrawlKit
import Foundation
import TestSupport
import Testing

@Suite("The README's example")
struct ReadmeTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The lines between the markers.
    private static func example() throws -> [String] {
        let file = root.appending(path: "Tests/CrawlKitTests/ReadmeExample.swift")
        let lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let begin = try #require(lines.firstIndex(of: "// README begin"))
        let end = try #require(lines.firstIndex(of: "// README end"))
        return lines[(begin + 1)..<end].map(String.init)
    }

    @Test("runs: fifty people by name, and all other sources loaded", .timeLimit(Sanitizer.limit(minutes: 5)))
    func runs() async throws {
        let folder = try TemporaryFolder()
        let database = folder.file("people.db")
        let people = await names(database).value
        #expect(people.count == 50)
        #expect(people.allSatisfy { $0.count > 2 && $0 != "- -" })
        #expect(try await CrawlDatabase(database).count(of: Post.self) == 100)
        #expect(try await CrawlDatabase(database).count(of: Ticker.self) > 0)
        #expect(try await CrawlDatabase(database).count(of: Quote.self) == 6)
        // A folder is no database: the error is replaced.
        #expect(await names(folder.path).value == [])
    }

    @Test("stands in the README line by line, and is short")
    func isTheReadmes() throws {
        let example = try Self.example()
        #expect(example.count <= 20)
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        guard let chapter = readme.range(of: "\n## From Combine to CrawlKit\n") else { return }
        #expect(readme[chapter.upperBound...].contains("```swift\n" + example.joined(separator: "\n") + "\n```\n"))
    }

    /// The compiler as a program outside of the package would run it, nil where there is none.
    private static let compiler = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { "\($0)/swiftc" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    @Test("needs nothing but 'import CrawlKit', also from another package", .enabled(if: compiler != nil))
    func fromOutside() async throws {
        let built = URL(filePath: try Program.built("crawl")).deletingLastPathComponent()
        var arguments = ["-typecheck", "-swift-version", "6", "-I", built.appending(path: "Modules").path]
        let maps = ["CSQLite", "CCurl", "CMicroHTTPD"].map {
            Self.root.appending(path: "Sources/\($0)/module.modulemap")
        }
        for map in maps + [built.appending(path: "CSimdJSON.build/module.modulemap")] {
            arguments += ["-Xcc", "-fmodule-map-file=" + map.path]
        }
        let folder = try TemporaryFolder()
        func compile(_ text: String) async throws -> Program.Result {
            try Data(text.utf8).write(to: URL(filePath: folder.file("Example.swift")))
            let compiler = try #require(Self.compiler)
            return try await Program(
                compiler, arguments + [folder.file("Example.swift")], workingFolder: folder.path
            ).end()
        }
        let result = try await compile(Self.example().joined(separator: "\n"))
        #expect(result.exitCode == 0, "\(result)")
        let inside = try await compile("import CrawlKit\nlet decision = Resumption.decide")
        #expect(inside.exitCode != 0, "what is the package's own must not be seen")
    }
}
