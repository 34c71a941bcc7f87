import Foundation
import StandInAPI
import Testing

/// Each style of pagination is walked to its end by the rules of that style alone.
@Suite struct CollectionTests {
    private func server(_ change: (inout CollectionBehaviour) -> Void = { _ in }) throws -> StandInServer {
        var configuration = StandInConfiguration()
        configuration.seed = 61
        configuration.collection.size = 47
        configuration.collection.pageSize = 10
        change(&configuration.collection)
        return try StandInServer(configuration: configuration)
    }

    /// A page as a walker sees it: the ids, and the target of the next page.
    private struct Page {
        var ids: [Int]
        var next: String?
    }

    private func page(_ style: String, _ target: String, _ server: StandInServer) throws -> Page {
        let answer = try get(target, from: server)
        #expect(answer.status == 200)
        let value = try JSONSerialization.jsonObject(with: Data(answer.body))
        let root = value as? [String: Any] ?? [:]
        let hits = root["hits"] as? [String: Any]
        let records =
            try #require(
                value as? [[String: Any]] ?? root["data"] as? [[String: Any]] ?? root["items"] as? [[String: Any]]
                    ?? root["value"] as? [[String: Any]] ?? root["results"] as? [[String: Any]]
                    ?? (hits?["hits"] as? [[String: Any]])?.compactMap { $0["_source"] as? [String: Any] })
        let ids = records.compactMap { $0["id"] as? Int ?? ($0["id"] as? String).flatMap { Int($0) } }
        let following = (ids.last ?? 0) < 47
        let path = "/pages/\(style)"
        let next: String? =
            switch style {
            case "cursor": (root["next"] as? String).flatMap { $0.isEmpty ? nil : "\(path)?cursor=\($0)" }
            case "cursor-header": answer.headers["x-next-cursor"].map { "\(path)?cursor=\($0)" }
            case "link":
                answer.headers["link"].flatMap { $0.firstMatch(of: /<([^>]+)>; rel="next"/).map { String($0.1) } }
            case "offset": following ? "\(path)?offset=\(ids.last ?? 0)" : nil
            case "page":
                (root["page"] as? Int ?? 0) < (root["total_pages"] as? Int ?? 0)
                    ? "\(path)?page=\((root["page"] as? Int ?? 0) + 1)" : nil
            case "list": ids.count == 10 ? "\(path)?page=\((ids.last ?? 0) / 10 + 1)" : nil
            case "starting-after": root["has_more"] as? Bool == true ? "\(path)?starting_after=\(ids.last ?? 0)" : nil
            case "jsonapi": (root["links"] as? [String: Any])?["next"] as? String
            case "odata": root["@odata.nextLink"] as? String
            case "results": root["next"] as? String
            case "hits": following ? "\(path)?from=\(ids.last ?? 0)" : nil
            default: nil
            }
        return Page(ids: ids, next: next?.replacing("http://stand.in:80", with: ""))
    }

    static let styles = [
        "cursor", "cursor-header", "link", "offset", "page", "list", "starting-after", "jsonapi", "odata", "results",
        "hits",
    ]

    @Test(arguments: styles, CollectionBehaviour.Addresses.allCases)
    func everyRecordOnceInOrder(style: String, addresses: CollectionBehaviour.Addresses) throws {
        let server = try server { $0.addresses = addresses }
        var ids: [Int] = []
        var target: String? = "/pages/\(style)"
        for _ in 0..<6 {
            guard let current = target else { break }
            let page = try page(style, current, server)
            ids += page.ids
            target = page.next
        }
        #expect(ids == Array(1...47) && target == nil)
    }

    @Test(arguments: ["cursor", "link", "jsonapi", "odata", "results", "cursor-header"])
    func loops(style: String) throws {
        let same = try server { $0.loop = .same }
        let first = try page(style, "/pages/\(style)", same)
        #expect(try page(style, #require(first.next), same).ids == first.ids)
        let alternating = try server { $0.loop = .alternating }
        var pages: [[Int]] = []
        var target = "/pages/\(style)"
        for _ in 0..<4 {
            let page = try page(style, target, alternating)
            pages.append(page.ids)
            target = try #require(page.next)
        }
        #expect(pages[0] == pages[2] && pages[1] == pages[3] && pages[0] != pages[1])
    }

    @Test func theSameFullPageAgainAndAgain() throws {
        let server = try server { $0.loop = .firstPage }
        for target in ["/pages/list", "/pages/list?page=2", "/pages/list?page=99"] {
            #expect(try page("list", target, server).ids == Array(1...10))
        }
    }

    @Test(arguments: [
        (CollectionBehaviour.End.null, "\"next\":null"), (.empty, "\"next\":\"\""), (.false, "\"next\":false"),
        (.absent, "]}"),
    ])
    func theEndIsSaidInFourWays(end: CollectionBehaviour.End, mark: String) throws {
        let server = try server { $0.end = end }
        let text = try get("/pages/cursor?cursor=c_\(String(40, radix: 36))", from: server).text
        #expect(text.contains(mark) && text.contains("\"next\"") == (end != .absent))
    }

    @Test(arguments: [("page=2&per_page=5", Array(6...10)), ("page=1&per_page=500", Array(1...10)), ("page=9", [])])
    func sizesAreCapped(query: String, expected: [Int]) throws {
        let server = try server()
        #expect(try page("list", "/pages/list?\(query)", server).ids == expected)
    }

    @Test func keysOfTwoColumnsAndUnknownStyles() throws {
        let server = try server()
        let records = try list(get("/pages/list", from: server).text)
        let pairs = records.compactMap { record in
            (record["country"] as? String).flatMap { country in (record["code"] as? Int).map { "\(country)\($0)" } }
        }
        #expect(Set(pairs).count == 10 && Set(records.compactMap { $0["code"] as? Int }).count < 10)
        #expect(try get("/pages/none", from: server).status == 404)
    }
}
