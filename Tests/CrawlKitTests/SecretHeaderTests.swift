import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import CrawlKit

@Suite("Secrets of a source file")
struct SecretHeaderTests {
    static let token = "t0p/s3cret-\"t0ken\""
    static let password = "pa55-w0rd"

    static func source(url: String, headers: [String: String]) -> Source {
        Source(
            name: "items", url: url, pagination: .link(), key: ["id"],
            columns: [Column("id", .integer, isRequired: true)], headers: headers)
    }

    private func crawl(
        _ source: Source, in folder: TemporaryFolder, environment: [String: String] = ["MY_TOKEN": token],
        _ change: (inout CrawlOptions) -> Void = { _ in }
    ) async -> (summary: CrawlEvent.Summary, told: String) {
        var options = CrawlOptions()
        options.database = folder.file("crawl.db")
        options.retries = 1
        options.environment = environment
        change(&options)
        var told = ""
        var summary: CrawlEvent.Summary?
        for await event in Crawl(source, options: options).events {
            told += "\(event)\n"
            if case .finished(let end) = event { summary = end }
        }
        told += summary?.error?.description ?? ""
        return (
            summary ?? CrawlEvent.Summary(source: "", run: nil, outcome: .failed, target: nil, stored: 0, database: ""),
            told
        )
    }

    private func stored(in folder: TemporaryFolder) throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).map { name in
            String(decoding: FileManager.default.contents(atPath: folder.file(name)) ?? Data(), as: UTF8.self)
        }.joined()
    }

    private func expectNoSecret(in texts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        for text in texts {
            for secret in ["s3cret", "t0ken", Self.password, "dXNlcjpwYTU1LXcwcmQ="] {
                #expect(!text.contains(secret), "'\(secret)' is in: \(text)", sourceLocation: sourceLocation)
            }
        }
    }

    /// What a server makes of the secrets that it got, in every form that people have met.
    static let echoes: [(name: String, status: String, body: @Sendable (ScriptedServer.Request) -> String)] = [
        ("as text", "500 Oops", { "no luck with \($0.field("Authorization") ?? "")" }),
        ("as JSON", "403 Forbidden", { _ in #"{"error":"bad token t0p\/s3cret-\"t0ken\""}"# }),
        ("as HTML with status 200", "200 OK", { "<html>t0p/s3cret-&quot;t0ken&quot; \($0.target)</html>" }),
        ("at the edge of what is shown", "400 Bad", { _ in String(repeating: "x", count: 195) + token }),
        ("at the edge of a diagnosis", "200 OK", { _ in "<" + String(repeating: "x", count: 50) + token }),
        ("as an answer without records", "200 OK", { _ in #"{"error":{"message":"t0p\/s3cret-\"t0ken\""}}"# }),
        ("its address", "404 Not Found", { "nothing at \($0.target)" }),
    ]

    @Test("are hidden although the server repeats them", arguments: echoes)
    func echo(
        name: String, status: String, body: @escaping @Sendable (ScriptedServer.Request) -> String
    ) async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer { [.answer(status, text: body($0))] }
        defer { server.stop() }
        let source = Self.source(
            url: server.url("/items?access=${MY_TOKEN}"), headers: ["Authorization": "Bearer ${MY_TOKEN}"])
        let (summary, told) = await crawl(source, in: folder)
        #expect(summary.error != nil)
        #expect(server.requests.first?.field("Authorization") == "Bearer " + Self.token)
        #expect(server.requests.first?.target.contains("t0p%2Fs3cret") == true)
        expectNoSecret(in: told, try stored(in: folder))
        #expect(told.contains("access=***"))
    }

    @Test("an unset variable is an error before the first request and before a run is entered")
    func unset() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer([.answer(text: "[]")])
        defer { server.stop() }
        let source = Self.source(url: server.url("/items"), headers: ["Authorization": "Bearer ${MY_TOKEN}"])
        let (summary, _) = await crawl(source, in: folder, environment: [:])
        #expect(summary.error?.exitCode == .badSource)
        #expect(
            summary.error?.message
                == "The source 'items' takes the header Authorization from the environment variable MY_TOKEN, "
                + "which is not set")
        #expect(summary.error?.remedy == "Set it and repeat the command: export MY_TOKEN=…")
        #expect(server.requests.isEmpty)
        let runs = try await Program(
            "/usr/bin/sqlite3", [folder.file("crawl.db"), "SELECT count(*) FROM crawl_runs"],
            workingFolder: folder.path
        ).end()
        #expect(runs.output == "0\n")
    }

    @Test("nothing to do needs no variable")
    func nothingToDo() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer([.answer(text: #"[{"id":1}]"#)])
        defer { server.stop() }
        let source = Self.source(url: server.url("/items"), headers: ["X-Key": "${MY_TOKEN}"])
        #expect(await crawl(source, in: folder) { $0.count = 1 }.summary.outcome == .complete)
        let again = await crawl(source, in: folder, environment: [:]) { $0.count = 1 }.summary
        #expect(again.outcome == .nothingToDo, "\(again)")
        #expect(server.requests.count == 1)
    }

    @Test("do not follow a redirect to another host")
    func redirect() async throws {
        let folder = try TemporaryFolder()
        let other = try ScriptedServer([.answer(text: #"[{"id":1}]"#)])
        defer { other.stop() }
        let target = other.url("/elsewhere")
        let server = try ScriptedServer { _ in [.answer("302 Found", fields: ["Location: \(target)"], text: "")] }
        defer { server.stop() }
        let source = Self.source(
            url: server.url("/items"),
            headers: ["Authorization": "Bearer ${MY_TOKEN}", "X-Key": "${MY_TOKEN}", "Accept": "text/json"])
        let (summary, told) = await crawl(source, in: folder)
        #expect(summary.error == nil && summary.stored == 1, "\(told)")
        let request = try #require(other.requests.first)
        #expect(request.field("Accept") == "text/json")
        expectNoSecret(in: request.head, told, try stored(in: folder))
    }

    @Test("go with the next address on the same host, without being stored with it, and to no other")
    func nextAddress() async throws {
        let folder = try TemporaryFolder()
        let other = try ScriptedServer([.answer(text: #"[{"id":3}]"#)])
        defer { other.stop() }
        let third = other.url("/items?page=3")
        let server = try ScriptedServer { request in
            let isFirst = request.target.contains("page=1")
            let next = isFirst ? "/items?page=2&key=t0p%2Fs3cret-%22t0ken%22" : third
            return [
                .answer(
                    fields: ["Link: <\(next)>; rel=\"next\""], text: isFirst ? #"[{"id":1}]"# : #"[{"id":2}]"#)
            ]
        }
        defer { server.stop() }
        let url = "http://user:\(Self.password)@127.0.0.1:\(server.port)/items?page=1&key=${MY_TOKEN}"
        let (summary, told) = await crawl(
            Self.source(url: "https://a.test/items?page=1", headers: ["X-Key": "${MY_TOKEN}"]), in: folder
        ) { $0.endpoints["items"] = url }
        #expect(summary.error?.exitCode == .unreadable && summary.stored == 2, "\(told)")
        #expect(server.requests.count == 2 && other.requests.isEmpty)
        for request in server.requests {
            #expect(request.field("Authorization") == "Basic dXNlcjpwYTU1LXcwcmQ=")
            #expect(request.field("X-Key") == Self.token)
            #expect(request.target.contains("key=t0p%2Fs3cret-%22t0ken%22"))
        }
        expectNoSecret(in: told, try stored(in: folder))
    }

    @Test("in a cursor are not stored, nor told where it runs in a circle")
    func cursor() async throws {
        let folder = try TemporaryFolder()
        let server = try ScriptedServer { request in
            let text = #"{"items":[{"id":\#(request.number)}],"next":"t0p/s3cret-\"t0ken\""}"#
            return [.answer(fields: ["ETag: \"1\""], text: text)]
        }
        defer { server.stop() }
        var source = Self.source(url: server.url("/items"), headers: ["X-Key": "${MY_TOKEN}"])
        source.pagination = .cursor(parameter: "after", next: .answer(.body(JSONPath(["next"]))))
        source.records = JSONPath(["items"])
        let (summary, told) = await crawl(source, in: folder)
        #expect(summary.error?.exitCode == .paginationLoop, "\(told)")
        #expect(summary.stored == 2 && server.requests.count == 2)
        expectNoSecret(in: told, try stored(in: folder))
    }
}
