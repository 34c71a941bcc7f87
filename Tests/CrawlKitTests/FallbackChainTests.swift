import CrawlCore
import Testing

@Suite("The fallback's chain")
struct FallbackChainTests {
    private func chain(_ values: [String], target: Int? = nil, stored: Int = 0, lanes: Int = 1) -> FallbackChain {
        FallbackChain(values: values, sequence: 4, target: target, stored: stored, lanes: lanes)
    }

    private func request(_ step: Chain.Step) throws -> PageRequest {
        guard case .request(let request) = step else { throw Unexpected(step: step) }
        return request
    }

    struct Unexpected: Error { var step: Chain.Step }

    @Test("asks for each value once, one after the other")
    func oneByOne() throws {
        var chain = chain(["A", "B"])
        let first = try request(chain.next())
        #expect(first.value == "A" && first.sequence == 4)
        #expect(chain.next() == .wait)
        chain.received(first)
        let second = try request(chain.next())
        #expect(second.value == "B" && second.sequence == 5)
        chain.received(second)
        #expect(chain.next() == .wait, "the end is the end only when all is durable")
        chain.committed(sequence: 4, stored: 1)
        chain.committed(sequence: 5, stored: 2)
        #expect(chain.next() == .end(.complete))
    }

    @Test("keeps as many requests under way as there are lanes")
    func lanes() throws {
        var chain = chain(["A", "B", "C"], lanes: 2)
        let first = try request(chain.next())
        _ = try request(chain.next())
        #expect(chain.next() == .wait)
        chain.unanswered(first)
        #expect(try request(chain.next()).value == "C")
        #expect(chain.next() == .wait)
    }

    @Test("asks for no more than is missing")
    func target() throws {
        var chain = chain(["A", "B", "C", "D"], target: 2, lanes: 4)
        let first = try request(chain.next())
        _ = try request(chain.next())
        #expect(chain.next() == .wait)
        chain.unanswered(first)
        #expect(try request(chain.next()).value == "C")
        chain.committed(sequence: 5, stored: 1)
        chain.committed(sequence: 6, stored: 2)
        #expect(chain.next() == .end(.complete))
    }

    @Test("is exhausted where the values bring too little")
    func exhausted() throws {
        var chain = chain(["A"], target: 2)
        chain.unanswered(try request(chain.next()))
        #expect(chain.next() == .end(.exhausted))
        var none = self.chain([])
        #expect(none.next() == .end(.complete))
    }

    static let failures: [(failure: FetchFailure, isRefusal: Bool, isUnknownValue: Bool)] = [
        (.status(401, retryAfter: nil, body: ""), true, false), (.status(403, retryAfter: nil, body: ""), true, false),
        (.status(429, retryAfter: nil, body: ""), true, false), (.status(404, retryAfter: nil, body: ""), false, true),
        (.status(422, retryAfter: nil, body: ""), false, true), (.status(500, retryAfter: nil, body: ""), false, false),
        (.status(400, retryAfter: nil, body: ""), false, false), (.handshake(.noCookie, detail: ""), true, false),
        (.unreadable(.noRecords, detail: ""), false, true), (.unreadable(.notJSON, detail: ""), false, false),
        (.network(.nameNotResolved, detail: ""), false, false), (.network(.timedOut, detail: ""), false, false),
    ]

    @Test("what is a refusal, and what an unknown value", arguments: failures)
    func kinds(failure: FetchFailure, isRefusal: Bool, isUnknownValue: Bool) {
        #expect(failure.isRefusal == isRefusal)
        #expect(failure.isUnknownValue == isUnknownValue)
    }
}
