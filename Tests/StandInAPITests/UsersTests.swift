import StandInAPI
import Testing

@Suite struct UsersTests {
    private func server(_ change: (inout StandInConfiguration) -> Void = { _ in }) throws -> StandInServer {
        var configuration = StandInConfiguration()
        configuration.seed = 11
        change(&configuration)
        return try StandInServer(configuration: configuration)
    }

    @Test(
        arguments: [
            ("/api/v2/users", nil), ("/api/v2/users?size=1", nil), ("/api/v2/users?size=2", 2),
            ("/api/v2/users?size=100", 100),
            ("/api/v2/users?page=3&size=5", 5), ("/api/v2/users?size=0", nil), ("/api/v2/users?size=-1", nil),
            ("/api/v2/users?size=abc", nil), ("/api/v2/users?size=101", 100), ("/api/users/random_user", 1),
            ("/api/users/random_user?size=1", 1), ("/api/users/random_user?size=3", 3),
        ] as [(String, Int?)])
    func oneIsAnObjectAndMoreAreAList(target: String, count: Int?) throws {
        let server = try server()
        let answer = try get(target, from: server)
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
        let people = try count == nil ? [object(answer.text)] : list(answer.text)
        #expect(people.count == count ?? 1)
        for person in people { #expect(keys(person) == Self.sampleKeys) }
    }

    @Test(arguments: StandInConfiguration.OddSize.allCases)
    func oddSizesAreASwitch(oddSize: StandInConfiguration.OddSize) throws {
        let server = try server { $0.oddSize = oddSize }
        let answer = try get("/api/v2/users?size=101", from: server)
        switch oddSize {
        case .clamp: #expect(try list(answer.text).count == 100)
        case .badRequest: #expect(answer.status == 400)
        case .emptyList: #expect(answer.status == 200 && answer.text == "[]")
        }
    }

    @Test func everyoneDrawnIsOfThePopulationAndDrawnEvenly() throws {
        let server = try server { $0.people = 20 }
        let population = Population(seed: 11, size: 20)
        let truth = Dictionary(
            uniqueKeysWithValues: (0..<20).map { (population.uid(at: $0), population.person(at: $0)) })
        let client = try WireClient(server)
        var counts: [String: Int] = [:]
        for _ in 0..<20 {
            for person in try list(client.get("/api/v2/users?size=100").text) {
                let uid = try #require(person["uid"] as? String)
                counts[uid, default: 0] += 1
                let known = try #require(truth[uid])
                #expect(try keys(object(known.json)) == keys(person))
            }
        }
        #expect(Set(counts.keys) == Set(truth.keys))
        #expect(counts.values.allSatisfy { (50...150).contains($0) })
        #expect(server.statistics.people == 2_000 && server.statistics.distinctPeople == 20)
        let single = client.get("/api/v2/users").text
        #expect(truth.values.contains { $0.json == single })
    }

    @Test func sameSeedGivesTheSameDrawsAndNoSeedOthers() throws {
        let first = try get("/api/v2/users?size=3", from: server()).text
        #expect(try get("/api/v2/users?size=3", from: server()).text == first)
        #expect(try get("/api/v2/users?size=3", from: server { $0.seed = nil }).text != first)
    }

    @Test func precomputedPagesComeOnceEachAndHoldDistinctPeople() throws {
        let server = try server { $0.precomputedPages = 7 }
        let client = try WireClient(server)
        var uids: Set<String> = []
        var pages: [String] = []
        for _ in 0..<7 {
            let text = client.get("/api/v2/users?size=100").text
            pages.append(text)
            uids.formUnion(try list(text).compactMap { $0["uid"] as? String })
        }
        #expect(uids == Set((0..<700).map { Population(seed: 11).uid(at: $0) }))
        #expect(client.get("/api/v2/users?size=100").text == pages[0])
        #expect(try list(client.get("/api/v2/users?size=99").text).count == 99)
    }

    @Test func otherPathsAndMethodsAreRefusedInJSON() throws {
        let server = try server()
        let client = try WireClient(server)
        let unknown = client.get("/api/v3/users")
        #expect(unknown.status == 404)
        #expect(try object(unknown.text)["error"] is String)
        let post = client.get("/api/v2/users", method: "POST", headers: ["content-length": "0"])
        #expect(post.status == 405 && post.headers["allow"] == "GET, HEAD")
        let head = client.get("/api/v2/users?size=2", method: "HEAD")
        #expect(head.status == 200 && head.body.isEmpty && Int(head.headers["content-length"] ?? "0") ?? 0 > 1_000)
        #expect(try object(client.get("/stand-in/stats").text)["requests"] as? Int == 3)
    }

    @Test func beyondTheRateOnlyRefusals() throws {
        let server = try server { $0.requestsPerSecond = 3 }
        let client = try WireClient(server)
        let statuses = (0..<6).map { _ in client.get("/api/v2/users").status }
        #expect(statuses.prefix(3).allSatisfy { $0 == 200 })
        #expect(statuses.contains(429))
    }

    private static let sampleKeys: Set<String> = [
        "id", "uid", "password", "first_name", "last_name", "username", "email", "avatar", "gender", "phone_number",
        "social_insurance_number", "date_of_birth", "employment.title", "employment.key_skill", "address.city",
        "address.street_name", "address.street_address", "address.zip_code", "address.state", "address.country",
        "address.coordinates.lat", "address.coordinates.lng", "credit_card.cc_number", "subscription.plan",
        "subscription.status", "subscription.payment_method", "subscription.term",
    ]
}
