import CrawlCore
import Testing

@testable import CrawlKit

@Suite("Pager states in the ledger")
struct PagerStateTests {
    @Test(
        "A state is read back as it was written",
        arguments: [
            (PagerState(size: 10), #"{"size":10}"#),
            (PagerState(size: 10, position: 3, ended: true), #"{"ended":true,"position":3,"size":10}"#),
            (PagerState(size: 1, position: 3, ahead: [5, 7]), #"{"ahead":[5,7],"position":3,"size":1}"#),
            (PagerState(size: 1, next: "https://a/?b"), #"{"next":"https://a/?b","size":1}"#),
            (PagerState(size: 1, next: "a\"\\\u{1}\né"), #"{"next":"a\"\\\u0001\né","size":1}"#),
        ])
    func roundTrip(state: PagerState, text: String) throws {
        #expect(state.json == text)
        #expect(try PagerState(json: text) == state)
    }
}
