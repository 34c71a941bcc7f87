import CrawlCore
import TestSupport
import Testing

@testable import CrawlHTTP

@Suite("Cancellation", .timeLimit(Sanitizer.limit(minutes: 5)))
struct CancellationTests {
    @Test("A hundred requests in flight end at once when their tasks are cancelled, and the client goes on")
    func hundred() async throws {
        let server = try ScriptedServer { $0.target == "/hang" ? [.hang] : [.answer(text: "1")] }
        defer { server.stop() }
        try await withClient { client in
            let tasks = (0..<100).map { _ in
                Task { await fetch(HTTPRequest(url: server.url("/hang")), with: client).fault }
            }
            while server.requests.count < 100 { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.value == .cancelled) }
            let text = try await client.text(HTTPRequest(url: server.url("/")))
            #expect(text == "1")
        }
    }

    @Test("A task that is cancelled before it asks sends nothing")
    func beforeTheStart() async throws {
        try await ScriptedServer.run([.answer(text: "1")]) { server in
            try await withClient { client in
                for _ in 0..<50 {
                    let task = Task {
                        while !Task.isCancelled { await Task.yield() }
                        return await fetch(HTTPRequest(url: server.url()), with: client).fault
                    }
                    task.cancel()
                    #expect(await task.value == .cancelled)
                }
            }
        }
    }

    @Test("Cancelling at any moment ends in an answer or in the cancellation, never in a hang")
    func atAnyMoment() async throws {
        try await ScriptedServer.run([.answer(text: "1")]) { server in
            try await withClient { client in
                for turns in 0..<300 {
                    let task = Task { await fetch(HTTPRequest(url: server.url()), with: client) }
                    for _ in 0..<turns { await Task.yield() }
                    task.cancel()
                    let outcome = await task.value
                    #expect(outcome.text == "1" || outcome.fault == .cancelled, "\(outcome)")
                }
            }
        }
    }

    @Test("Closing the client ends requests on their way and refuses later ones; closing twice is no fault")
    func close() async throws {
        try await ScriptedServer.run([.hang]) { server in
            let client = CurlClient(.init(userAgent: "crawl/9.9", environment: [:]))
            let tasks = (0..<10).map { _ in
                Task { await fetch(HTTPRequest(url: server.url()), with: client) }
            }
            while server.requests.count < 10 { await Task.yield() }
            await client.close()
            await client.close()
            for task in tasks { #expect(await task.value.fault == .cancelled) }
            let late = await fetch(HTTPRequest(url: server.url()), with: client)
            #expect(late.fault == .cancelled)
            #expect(late.detail == "the HTTP client is closed")
            while server.openConnectionCount > 0 { await Task.yield() }
        }
    }

    @Test("The thread ends with the last reference to the client")
    func lastReference() async throws {
        try await ScriptedServer.run([.answer(text: "1")]) { server in
            var client: CurlClient? = CurlClient(.init(userAgent: "crawl/9.9", environment: [:]))
            _ = try await client?.send(HTTPRequest(url: server.url()))
            #expect(server.openConnectionCount == 1)
            client = nil
            while server.openConnectionCount > 0 { await Task.yield() }
        }
    }
}
