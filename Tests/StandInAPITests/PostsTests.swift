import StandInAPI
import Testing

@Suite struct PostsTests {
    private let server: StandInServer

    init() throws {
        var configuration = StandInConfiguration()
        configuration.seed = 21
        server = try StandInServer(configuration: configuration)
    }

    private func ids(_ target: String) throws -> [Int] {
        try list(get(target, from: server).text).compactMap { $0["id"] as? Int }
    }

    @Test func aHundredPostsPrettyPrinted() throws {
        let answer = try get("/posts", from: server)
        let posts = try list(answer.text)
        #expect(posts.compactMap { $0["id"] as? Int } == Array(1...100))
        #expect(answer.text.hasPrefix("[\n  {\n    \"userId\": 1,\n    \"id\": 1,\n    \"title\": \""))
        #expect(answer.text.hasSuffix("\"\n  }\n]"))
        for post in posts {
            #expect(keys(post) == ["userId", "id", "title", "body"])
            #expect((post["body"] as? String)?.filter { $0 == "\n" }.count == 3)
        }
        #expect(answer.headers["link"] == nil && answer.headers["cache-control"] == "max-age=43200")
    }

    @Test(
        arguments: [
            ("_page=1", 1...10, 100), ("_page=2&_limit=30", 31...60, 100), ("_page=4&_limit=30", 91...100, 100),
            ("_page=0&_limit=5", 1...5, 100), ("_start=20&_limit=5", 21...25, 100), ("_limit=7", 1...7, 100),
            ("_start=95&_limit=50", 96...100, 100), ("userId=3", 21...30, nil), ("page=3&limit=10", 1...100, nil),
            ("_start=50", 1...100, 100), ("_limit=-1", 1...99, 100), ("_start=10&_end=12", 11...12, 100),
        ] as [(String, ClosedRange<Int>, Int?)])
    func slices(query: String, expected: ClosedRange<Int>, total: Int?) throws {
        let answer = try get("/posts?\(query)", from: server)
        #expect(try list(answer.text).compactMap { $0["id"] as? Int } == Array(expected))
        #expect(answer.headers["x-total-count"] == total.map(String.init))
        #expect((answer.headers["link"] != nil) == query.contains("_page"))
    }

    @Test func linksNameFirstPreviousNextAndLastOverHTTP() throws {
        let link = try get("/posts?_page=2&_limit=30", from: server).headers["link"]
        let address = { (page: Int) in "<http://stand.in:80/posts?_page=\(page)&_limit=30>" }
        #expect(
            link == "\(address(1)); rel=\"first\", \(address(1)); rel=\"prev\", \(address(3)); rel=\"next\", "
                + "\(address(4)); rel=\"last\"")
    }

    @Test func trapsOfTheService() throws {
        let zero = try get("/posts?_page=0", from: server).headers["link"]
        #expect(zero?.contains("<http://stand.in:80/posts?_page=0>; rel=\"next\"") == true)
        let past = try get("/posts?_page=11", from: server)
        #expect(past.status == 200 && past.text == "[]" && past.headers["link"] == "")
        #expect(try ids("/posts?_limit=abc") == [])
        let missing = try get("/posts/101", from: server)
        #expect(missing.status == 404 && missing.text == "{}")
        #expect(try object(get("/posts/100", from: server).text)["id"] as? Int == 100)
    }

    @Test func anUnchangedAnswerIsNotSentAgain() throws {
        let tag = try #require(try get("/posts?_page=1", from: server).headers["etag"])
        #expect(tag.hasPrefix("W/\""))
        let again = try get("/posts?_page=1", from: server, headers: ["If-None-Match": tag])
        #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag)
        #expect(try get("/posts?_page=2", from: server, headers: ["If-None-Match": tag]).status == 200)
    }

    @Test func postsMadeBeforehandComeByTheirPageNumber() throws {
        var configuration = StandInConfiguration()
        configuration.precomputedPostPages = 3
        let server = try StandInServer(configuration: configuration)
        let pages = try (1...4).map { try get("/posts?_page=\($0)&_limit=100", from: server) }
        let ids = try pages.map { try list($0.text).compactMap { $0["id"] as? Int } }
        #expect(ids == [Array(1...100), Array(101...200), Array(201...300), []])
        #expect(pages.allSatisfy { $0.headers["x-total-count"] == "300" })
        #expect(Set(pages.prefix(3).compactMap { $0.headers["etag"] }).count == 3)
        #expect(pages[0].text.hasPrefix("[\n  {\n    \"userId\": 1,\n    \"id\": 1,\n    \"title\": \""))
    }
}
