import CrawlCore
import CrawlKit
import Testing

struct ResumptionCase: Sendable, CustomTestStringConvertible {
    var name: String
    var stored: Int
    var unfinished: Resumption.UnfinishedRun?
    var target: Int? = 50
    var startsFresh = false
    var endpoint = "http://a/"
    var pagination = Pagination.page(parameter: "page", first: 1, sizeParameter: "size", maxSize: 100)
    var expected: Resumption.Decision
    var testDescription: String { name }
}

@Suite("Resumption")
struct ResumptionTests {
    typealias Run = Resumption.UnfinishedRun
    static let place = PagerState(size: 5, position: 7)

    static let cases = [
        ResumptionCase(
            name: "an empty database begins", stored: 0, expected: .begin(replacing: false, superseding: nil)),
        ResumptionCase(name: "the target stands", stored: 50, expected: .nothingToDo(completing: nil)),
        ResumptionCase(name: "more than the target stands", stored: 80, expected: .nothingToDo(completing: nil)),
        ResumptionCase(
            name: "killed after the last page", stored: 50,
            unfinished: Run(id: 3, endpoint: "http://a/", target: 50, pages: 10),
            expected: .nothingToDo(completing: 3)),
        ResumptionCase(
            name: "less than an unfinished run was to reach leaves that run unfinished", stored: 60,
            unfinished: Run(id: 3, endpoint: "http://a/", target: 2_000, pages: 10),
            expected: .nothingToDo(completing: nil)),
        ResumptionCase(
            name: "an unfinished run goes on behind its last page", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://a/", pages: 6, state: place),
            expected: .goOn(run: 3, state: place, replacing: false)),
        ResumptionCase(
            name: "a random endpoint has no place to go on from", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://a/", pages: 6, state: place),
            pagination: .repeat(sizeParameter: "size", maxSize: 100),
            expected: .goOn(run: 3, state: nil, replacing: false)),
        ResumptionCase(
            name: "another server begins a run of its own", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://b/", pages: 6, state: place),
            expected: .begin(replacing: false, superseding: 3)),
        ResumptionCase(
            name: "another server begins a run of its own for fresh records too", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://b/", isFresh: true, pages: 6, state: place), startsFresh: true,
            expected: .begin(replacing: true, superseding: 3)),
        ResumptionCase(
            name: "a run without a page goes on at the address that is right now", stored: 0,
            unfinished: Run(id: 3, endpoint: "http://b/", target: 50),
            expected: .goOn(run: 3, state: nil, replacing: false)),
        ResumptionCase(
            name: "a higher count moves the target of the run", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://a/", target: 50, pages: 6, state: place), target: 80,
            expected: .goOn(run: 3, state: place, replacing: false)),
        ResumptionCase(
            name: "a raised target does not skip what was surplus", stored: 50,
            unfinished: Run(id: 3, endpoint: "http://a/", pages: 6, surplus: 2, state: place), target: 80,
            expected: .goOn(run: 3, state: nil, replacing: false)),
        ResumptionCase(
            name: "a run that saw the end starts over", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://a/", pages: 6, state: PagerState(size: 5, ended: true)),
            expected: .goOn(run: 3, state: nil, replacing: false)),
        ResumptionCase(
            name: "fresh begins although the target stands", stored: 50, startsFresh: true,
            expected: .begin(replacing: true, superseding: nil)),
        ResumptionCase(
            name: "fresh takes the place of an unfinished run", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://a/", pages: 6, state: place), startsFresh: true,
            expected: .begin(replacing: true, superseding: 3)),
        ResumptionCase(
            name: "the same fresh command goes on", stored: 31,
            unfinished: Run(id: 3, endpoint: "http://a/", isFresh: true, pages: 6, state: place), startsFresh: true,
            expected: .goOn(run: 3, state: place, replacing: false)),
        ResumptionCase(
            name: "a fresh run killed before its first page still replaces", stored: 50,
            unfinished: Run(id: 3, endpoint: "http://a/", isFresh: true), startsFresh: true,
            expected: .goOn(run: 3, state: nil, replacing: true)),
        ResumptionCase(
            name: "a whole source has no target to stand", stored: 50, target: nil,
            expected: .begin(replacing: false, superseding: nil)),
    ]

    @Test("how a crawl begins", arguments: cases)
    func decide(_ row: ResumptionCase) {
        let decision = Resumption.decide(
            Resumption.Situation(stored: row.stored, unfinished: row.unfinished), target: row.target,
            startsFresh: row.startsFresh, endpoint: row.endpoint, pagination: row.pagination)
        #expect(decision == row.expected)
    }
}
