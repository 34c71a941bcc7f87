import CrawlCore
import TestSupport
import Testing

@testable import CrawlHTTP

@Suite("The memory of all bodies together", .timeLimit(Sanitizer.limit(minutes: 5)))
struct BodyBudgetTests {
    @Test("Small bodies share the pool, one at a time may be larger, and whoever waits is told when room is back")
    func shares() {
        let freed = Locked(0)
        let budget = BodyBudget(pool: 100) { freed.withLock { $0 += 1 } }
        var shares = (0..<3).map { _ in BodyShare(of: budget) }
        #expect(shares[0].claim(60) && shares[1].claim(40))
        #expect(shares[1].claim(1000), "the pool is full, so this becomes the large one")
        #expect(shares[1].claim(1_000_000))
        #expect(shares[2].claim(40), "the large one left the pool")
        #expect(!shares[0].claim(61), "neither pool nor the large place is free")
        #expect(shares[0].claim(30) && shares[2].claim(70), "what shrinks makes room")
        #expect(freed.withLock { $0 } == 0)
        shares.remove(at: 1)
        #expect(freed.withLock { $0 } == 1)
        #expect(shares[0].claim(5000))
        shares = []
        #expect(freed.withLock { $0 } == 1, "nobody waits any more")
    }

    @Test("Answers that wait for the memory of others go on once it is free, whatever their time-out and coding")
    func waiting() async throws {
        let page = String(repeating: "x", count: 20 << 20)
        let steps: [ScriptedServer.Step] = [.answer(text: page)]
        try await ScriptedServer.run(steps) { server in
            try await withClient { client in
                let sizes = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<6 {
                        group.addTask {
                            let response = try await client.send(HTTPRequest(url: server.url(), timeout: .seconds(20)))
                            return response.body.count
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(sizes == Array(repeating: 20 << 20, count: 6))
            }
        }
    }

    @Test("A body that is kept for long holds up nobody once it left the budget")
    func kept() async throws {
        try await ScriptedServer.run([.answer(text: String(repeating: "x", count: 9 << 20))]) { server in
            try await withClient { client in
                var kept: [HTTPResponse] = []
                for _ in 0..<4 {
                    let response = try await client.send(HTTPRequest(url: server.url(), timeout: .seconds(10)))
                    response.body.leaveBudget()
                    kept.append(response)
                }
                #expect(kept.map(\.body.count) == Array(repeating: 9 << 20, count: 4))
            }
        }
    }

    @Test("An answer that waits can be cancelled")
    func cancelled() async throws {
        try await ScriptedServer.run([.answer(text: String(repeating: "x", count: 9 << 20))]) { server in
            try await withClient { client in
                let kept = try await client.send(HTTPRequest(url: server.url()))
                let second = Task {
                    await fetch(HTTPRequest(url: server.url(), timeout: .milliseconds(300)), with: client)
                }
                let isAsking = await Program.wait { server.requests.count == 2 }
                #expect(isAsking)
                // Longer than its time-out, which does not count while it waits for this side.
                try await Task.sleep(for: .milliseconds(500))
                second.cancel()
                #expect(await second.value.fault == .cancelled)
                #expect(kept.body.count == 9 << 20)
            }
        }
    }
}
