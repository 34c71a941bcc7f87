import CrawlCore
import CrawlHTTP
import CrawlJSON
import Testing

@testable import CrawlKit

/// An API in memory: answers addresses as a real one of that shape would.
final class FakeAPI: Sendable {
    struct Answer: Sendable {
        var body: String
        var headers: HTTPHeaders = [:]
    }

    let url: String
    /// Answers the items of a query; nil refuses.
    private let answer: @Sendable (_ query: [String: String]) -> Answer?
    private let asked = Locked<[String]>([])

    init(_ url: String, answer: @escaping @Sendable (_ query: [String: String]) -> Answer?) {
        self.url = url
        self.answer = answer
    }

    /// The addresses that were asked, in order.
    var requests: [String] { asked.withLock { $0 } }

    func answer(at address: String) -> Answer? {
        asked.withLock { $0.append(address) }
        let items = URLText.items(in: address).map { ($0.name, $0.value) }
        return answer(Dictionary(items, uniquingKeysWith: { $1 }))
    }

    /// What `crawl probe` finds out.
    func probe(key: [String] = []) async throws -> SourceInference.Finding {
        try await SourceInference(SourceInference.Request(url: url, key: key)).run { address in
            guard let answer = self.answer(at: address) else { return .refused("answered 404") }
            return .page(
                ProbedPage(url: address, headers: answer.headers, body: try JSONValue(parsing: answer.body)))
        }
    }

    /// The records that a crawl with a source stores, each as its cells, and the records that it rejects.
    func crawl(_ source: Source, pages limit: Int = 60) throws -> (rows: [[CellValue]], rejects: [RejectedRecord]) {
        let endpoint = Endpoint(kind: .live, Filling.Text(sent: source.url, shown: source.url))
        let reader = PageReader(source, capturing: source.pagination.bodyPaths)
        var pager = Pager(source.pagination, size: source.pagination.maxSize)
        var rows: [[CellValue]] = []
        var rejects: [RejectedRecord] = []
        var pages = 0
        while pages < limit, let request = pager.next(size: source.pagination.maxSize) {
            pages += 1
            let address = request.address ?? URLText.setting(request.query.map { ($0.name, $0.value) }, in: source.url)
            let answered = self.answer(at: address)
            let answer = try #require(answered, "the source asks for \(address)")
            let page = try reader.read(Array(answer.body.utf8))
            let response = HTTPResponse(
                status: 200, headers: answer.headers, body: ResponseBody([]), wireBytes: 0, finalURL: address,
                seconds: 0)
            rows += page.records.rows.map { Array($0.dropLast()) }
            rejects += page.records.rejects
            try pager.received(
                request,
                PageFacts(
                    page, response, source: source, addresses: NextAddress(endpoint: endpoint, home: source.url)))
        }
        return (rows, rejects)
    }
}

extension FakeAPI {
    /// The part of a collection that starts at a number.
    static func slice(_ count: Int, from start: Int, size: Int, _ record: (Int) -> String) -> String {
        "[" + (min(start, count)..<min(start + max(0, size), count)).map(record).joined(separator: ",") + "]"
    }

    /// A pseudo-random number, the same for the same input.
    static func scatter(_ number: Int) -> Int {
        var value = UInt64(bitPattern: Int64(number)) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        return Int((value ^ (value >> 27)) >> 33)
    }

    static func uuid(_ number: Int) -> String {
        let digits = String(scatter(number), radix: 16) + String(scatter(number + 7_777), radix: 16)
        let tail = String(String(repeating: "0", count: 12) + digits).suffix(12)
        return "00000000-0000-4000-8000-\(tail)"
    }
}
