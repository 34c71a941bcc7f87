import CrawlCore
import Testing

@testable import CrawlKit

@Suite("Probing from a later page on")
struct ProbeStartTests {
    /// How a server with 100 things numbers its pages of ten, or its records.
    enum Numbers: String, CaseIterable, Sendable {
        case pagesFromZero, pagesFromOne, pageZeroIsPageOne, recordsFromZero, recordsFromOne

        var countsPages: Bool { [.pagesFromZero, .pagesFromOne, .pageZeroIsPageOne].contains(self) }
        var parameter: String { countsPages ? "page" : "offset" }

        /// The number of the first thing on a page, from 0; nil where the server refuses.
        func start(_ number: Int) -> Int? {
            switch self {
            case .pagesFromZero: number * 10
            case .pagesFromOne: number < 1 ? nil : (number - 1) * 10
            case .pageZeroIsPageOne: max(0, number - 1) * 10
            case .recordsFromZero: number
            case .recordsFromOne: number < 1 ? nil : number - 1
            }
        }

        func api(at number: Int) -> FakeAPI {
            FakeAPI("https://api.example.test/things?\(parameter)=\(number)") { query in
                let asked = query[parameter].flatMap { Int($0) } ?? (self == .pagesFromOne ? 1 : 0)
                guard let start = start(asked) else { return nil }
                let things = (start..<max(start, min(100, start + 10))).map {
                    #"{"id": \#($0), "name": "Thing \#($0)"}"#
                }
                return FakeAPI.Answer(body: #"{"total": 100, "items": [\#(things.joined(separator: ","))]}"#)
            }
        }
    }

    @Test(
        "whatever page the address names, the source begins with the first", arguments: Numbers.allCases, [0, 1, 2, 5])
    func begins(_ numbers: Numbers, at page: Int) async throws {
        let number = numbers.countsPages ? page : page * 10 + (numbers == .recordsFromOne ? 1 : 0)
        // A server that refuses the address itself tells nothing.
        guard numbers.start(number) != nil else { return }
        let api = numbers.api(at: number)
        let finding = try await api.probe()
        #expect(api.requests.count <= 12)
        let rows = try api.crawl(finding.source).rows
        let place = try #require(finding.source.columns.firstIndex { $0.name == "id" })
        let identifiers = Set(
            rows.compactMap { row -> Int64? in if case .integer(let number) = row[place] { number } else { nil } })
        #expect(identifiers == Set(0..<100), "\(finding.source.pagination): \(identifiers.count)")
    }
}
