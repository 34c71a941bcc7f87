import Foundation
import StandInAPI
import Testing

@Suite struct RandomUserTests {
    private let server: StandInServer

    init() throws {
        var configuration = StandInConfiguration()
        configuration.seed = 51
        server = try StandInServer(configuration: configuration)
    }

    private func people(_ query: String) throws -> [[String: Any]] {
        try #require(try object(get("/api/\(query)", from: server).text)["results"] as? [[String: Any]])
    }

    private func uuids(_ query: String) throws -> [String] {
        try people(query).compactMap { ($0["login"] as? [String: Any])?["uuid"] as? String }
    }

    @Test func sameSeedAndPageGiveTheSamePeople() throws {
        let first = try uuids("?results=50&page=1&seed=abc")
        #expect(first.count == 50 && Set(first).count == 50)
        #expect(try uuids("?results=50&page=1&seed=abc") == first)
        #expect(try Set(uuids("?results=50&page=2&seed=abc")).isDisjoint(with: first))
        #expect(try Set(uuids("?results=50&page=1&seed=abd")).isDisjoint(with: first))
        #expect(try uuids("?results=5") != uuids("?results=5"))
    }

    @Test(arguments: [("", 1), ("?results=3", 3), ("?results=0", 1), ("?results=5001", 1), ("?results=abc", 1)])
    func resultsAreFromOneToFiveThousand(query: String, count: Int) throws {
        #expect(try people(query).count == count)
    }

    @Test func peopleHaveTheRealShape() throws {
        let root = try object(get("/api/?results=200&page=3&seed=s", from: server).text)
        #expect(keys(root["info"] as Any) == ["seed", "results", "page", "version"])
        let info = try #require(root["info"] as? [String: Any])
        #expect(info["seed"] as? String == "s" && info["results"] as? Int == 200 && info["page"] as? Int == 3)
        let people = try #require(root["results"] as? [[String: Any]])
        for person in people { #expect(keys(person) == Self.sampleKeys) }
        let codes = people.compactMap { ($0["location"] as? [String: Any])?["postcode"] }
        #expect(codes.contains { $0 is String } && codes.contains { $0 is NSNumber })
    }

    private static let sampleKeys: Set<String> = [
        "gender", "name.title", "name.first", "name.last", "location.street.number", "location.street.name",
        "location.city", "location.state", "location.country", "location.postcode", "location.coordinates.latitude",
        "location.coordinates.longitude", "location.timezone.offset", "location.timezone.description", "email",
        "login.uuid", "login.username", "login.password", "login.salt", "login.md5", "login.sha1", "login.sha256",
        "dob.date", "dob.age", "registered.date", "registered.age", "phone", "cell", "id.name", "id.value",
        "picture.large", "picture.medium", "picture.thumbnail", "nat",
    ]
}
