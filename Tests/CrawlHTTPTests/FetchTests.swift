import CrawlCore
import TestSupport
import Testing

@testable import CrawlHTTP

@Suite("Fetching", .timeLimit(Sanitizer.limit(minutes: 5)))
struct FetchTests {
    @Test(
        "Every content encoding that is asked for is decoded",
        arguments: [
            ("gzip", Samples.gzip), ("x-gzip", Samples.gzip), ("GZIP", Samples.gzip), ("deflate", Samples.deflate),
            ("deflate", Samples.bareDeflate), ("br", Samples.brotli), ("identity", Array(Samples.text.utf8)),
        ])
    func encodings(coding: String, bytes: [UInt8]) async throws {
        try await withClient { client in
            let drips = [
                ScriptedServer.Step.text(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(bytes.count)\r\n\r\n"),
                .drip(bytes, every: .milliseconds(1)),
            ]
            try await ScriptedServer.run([.answer(fields: ["Content-Encoding: \(coding)"], body: bytes)], drips) {
                server in
                for _ in 1...2 {
                    let response = try await client.send(HTTPRequest(url: server.url()))
                    #expect(response.text == Samples.text)
                    #expect(response.wireBytes == bytes.count)
                }
                #expect(server.requests[0].field("Accept-Encoding") == "gzip, deflate, br")
            }
        }
    }

    @Test("A gzip body of several members is whole")
    func severalMembers() async throws {
        try await withClient { client in
            let body = Samples.gzip + Samples.bomb + Samples.gzip
            try await ScriptedServer.run([.answer(fields: ["Content-Encoding: gzip"], body: body)]) { server in
                let response = try await client.send(HTTPRequest(url: server.url()))
                let blanks = String(repeating: " ", count: 200_000)
                #expect(response.text == Samples.text + blanks + Samples.text)
            }
        }
    }

    @Test("An empty body is no fault, whatever encoding it claims")
    func emptyBodies() async throws {
        try await withClient { client in
            try await ScriptedServer.run(
                [.text("HTTP/1.1 204 No Content\r\n\r\n")], [.answer(fields: ["Content-Encoding: gzip"])],
                [.text("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 900\r\n\r\n")]
            ) { server in
                for status in [204, 200, 304] {
                    let response = try await client.send(HTTPRequest(url: server.url()))
                    #expect(response.status == status)
                    #expect(response.body.count == 0)
                }
            }
        }
    }

    @Test("A page of a megabyte comes whole, with zeroed padding behind it", arguments: [1 << 20, 90_000, 1, 16_384])
    func largeBody(size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 | 1) }
        try await withClient { client in
            try await ScriptedServer.run(
                [.answer(body: bytes)], [.text("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n"), .bytes(bytes), .close]
            ) { server in
                for _ in 1...2 {
                    let body = try await client.send(HTTPRequest(url: server.url())).body
                    #expect(body.withUnsafeBytes { $0.elementsEqual(bytes) })
                    #expect(body.capacity >= body.count + ResponseBody.padding)
                    let padding = UnsafeRawBufferPointer(start: body.pointer + body.count, count: ResponseBody.padding)
                    #expect(padding.allSatisfy { $0 == 0 })
                }
            }
        }
    }

    @Test("Requests one after the other share a connection; each says who asks")
    func keepsAlive() async throws {
        try await withClient { client in
            try await ScriptedServer.run([.answer(text: "[]")]) { server in
                for number in 1...5 {
                    let request = HTTPRequest(
                        url: server.url("/p?n=\(number)"), headers: ["X-Empty": "", "X-A": " b\r\nX-C: d "])
                    _ = try await client.send(request)
                }
                #expect(server.connectionCount == 1)
                #expect(server.requests.map(\.target) == (1...5).map { "/p?n=\($0)" })
                let last = try #require(server.requests.last)
                #expect(last.field("User-Agent") == "crawl/9.9")
                #expect(last.field("X-Empty") == "")
                // A line break in a value must not begin a field of its own.
                #expect(last.field("X-A") == "b  X-C: d")
            }
        }
    }

    @Test("A kept connection that the server closed meanwhile is no fault")
    func staleConnection() async throws {
        try await withClient { client in
            try await ScriptedServer.run([.answer(text: "1"), .close]) { server in
                for _ in 1...3 {
                    let text = try await client.text(HTTPRequest(url: server.url()))
                    #expect(text == "1")
                }
            }
        }
    }

    @Test("Interim answers and trailers do not mix with the answer's fields")
    func interimAnswers() async throws {
        let answer = """
            HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n\
            HTTP/1.1 200 OK\r\nETag: "x"\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nTransfer-Encoding: chunked\r\n\r\n\
            3\r\n[1]\r\n0\r\nRetry-After: 9\r\n\r\n
            """
        try await withClient { client in
            try await ScriptedServer.run([.text(answer)]) { server in
                let response = try await client.send(HTTPRequest(url: server.url()))
                #expect(response.text == "[1]")
                #expect(response.headers["link"] == nil)
                #expect(response.headers["retry-after"] == nil)
                #expect(response.headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
            }
        }
    }

    @Test("Error statuses are answers like others", arguments: [400, 401, 404, 429, 500, 503])
    func statuses(status: Int) async throws {
        try await withClient { client in
            try await ScriptedServer.run([.answer("\(status) X", fields: ["Retry-After: 7"], text: #"{"error":"no"}"#)])
            {
                server in
                let response = try await client.send(HTTPRequest(url: server.url()))
                #expect(response.failure() == .status(status, retryAfter: "7", body: #"{"error":"no"}"#))
            }
        }
    }

    @Test("Name and password in the address are sent, and not with the next request on the same handle")
    func userInfo() async throws {
        try await withClient { client in
            try await ScriptedServer.run([.answer(text: "1")]) { server in
                let address = server.url().replacing("127.0.0.1", with: "me:p%20w@127.0.0.1")
                let response = try await client.send(HTTPRequest(url: address))
                #expect(response.finalURL == server.url())
                _ = try await client.send(HTTPRequest(url: server.url()))
                #expect(server.requests.map { $0.field("Authorization") } == ["Basic bWU6cCB3", nil])
            }
        }
    }

    @Test("A slow thinker is waited for; only an answer that has begun must go on")
    func slowThinker() async throws {
        try await withClient(adjust: { $0.stallWindow = .milliseconds(300) }) { client in
            try await ScriptedServer.run([.pause(.milliseconds(1200)), .answer(text: "1")]) { server in
                let text = try await client.text(HTTPRequest(url: server.url()))
                #expect(text == "1")
            }
        }
    }

    @Test("Many lanes get each their own answer")
    func manyLanes() async throws {
        let server = try ScriptedServer { [.answer(text: String(repeating: $0.target, count: 500))] }
        defer { server.stop() }
        try await withClient { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in 0..<16 {
                    group.addTask {
                        for number in 0..<20 {
                            let response = try await client.send(HTTPRequest(url: server.url("/\(lane)/\(number)")))
                            #expect(response.text == String(repeating: "/\(lane)/\(number)", count: 500))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount <= 16)
        }
    }
}
