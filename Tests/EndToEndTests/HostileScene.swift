import Foundation
import TestSupport
import Testing

/// A user's folder with a source file for a server that means harm.
final class HostileScene: Sendable {
    let folder: TemporaryFolder
    let server: ScriptedServer

    /// The most memory that the program may take: the cap of a body and 64 MB.
    ///
    /// A sanitizer takes memory of its own.
    static let mostMemory = Sanitizer.isWatching ? Int.max : 64 << 20 + 64_000_000

    init(readingRequests: Bool = true, script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step])
        throws
    {
        folder = try TemporaryFolder()
        server = try ScriptedServer(readingRequests: readingRequests, script: script)
    }

    deinit {
        server.stop()
    }

    var database: String { folder.file("output/crawl.db") }

    /// Writes the source file `things.json`.
    ///
    /// - Parameters:
    ///   - url: The address; that of the server where nil.
    ///   - columns: Further columns beside the key, as in a source file.
    func writeSource(
        at url: String? = nil, records: String = "$", key: String = "id", keyType: String = "text!",
        columns: String = #""name": "text", "doc": "json""#,
        pagination: String = #"{ "style": "repeat", "sizeParameter": "size", "maxSize": 100 }"#,
        onDuplicate: String = "keep"
    ) throws {
        let text = """
            { "name": "things", "url": "\(url ?? server.url("/things"))", "pagination": \(pagination),
              "records": "\(records)", "key": "\(key)",
              "onDuplicate": "\(onDuplicate)",
              "columns": { "\(key)": "\(keyType)"\(columns.isEmpty ? "" : ", ")\(columns) } }
            """
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("things.json")))
    }

    func start(
        _ arguments: [String], environment: [String: String] = [:], terminal: PseudoTerminal? = nil
    ) throws -> Program {
        try Program(
            Program.built("crawl"), arguments, environment: environment, workingFolder: folder.path, terminal: terminal)
    }

    /// Runs `crawl` to its end and watches its memory.
    func crawl(_ arguments: [String], environment: [String: String] = [:]) async throws -> Program.Result {
        try await start(arguments, environment: environment).endWatchingMemory()
    }

    /// The answer of the sqlite3 shell.
    func query(_ sql: String) async throws -> String {
        let program = try Program("/usr/bin/sqlite3", ["-readonly", database, sql], workingFolder: folder.path)
        let result = await program.end()
        return result.output.trimmingCharacters(in: .newlines) + result.errors
    }

    /// Checks that what the program did to the database is whole, and that its memory kept within bounds.
    func expectOrder(
        after result: Program.Result, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(result.signal == nil, "\(result)", sourceLocation: sourceLocation)
        let peak = result.peakMemory ?? .max
        #expect(peak <= Self.mostMemory, "\(peak >> 20) MiB", sourceLocation: sourceLocation)
        let verified = try await crawl(["verify"])
        #expect(verified.exitCode == 0, "\(verified)", sourceLocation: sourceLocation)
    }
}

extension ScriptedServer.Step {
    /// A whole answer in chunks: the parts as they are, one after the other.
    static func chunks(_ parts: [[UInt8]], fields: [String] = []) -> [ScriptedServer.Step] {
        let head = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked"] + fields
        return [.text(head.joined(separator: "\r\n") + "\r\n\r\n")]
            + parts.filter { !$0.isEmpty }.flatMap { part -> [ScriptedServer.Step] in
                [.text(String(part.count, radix: 16) + "\r\n"), .bytes(part), .text("\r\n")]
            } + [.text("0\r\n\r\n")]
    }

    /// A whole answer: `before`, `part` so many times, `after`.
    static func long(_ before: String, _ part: [UInt8], times: Int, _ after: String) -> [ScriptedServer.Step] {
        chunks([Array(before.utf8)] + Array(repeating: part, count: times) + [Array(after.utf8)])
    }

    /// The text again and again, to about a megabyte.
    static func megabyte(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return Array(repeatElement(bytes, count: max(1, (1 << 20) / bytes.count)).joined())
    }
}
