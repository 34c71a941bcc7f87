import StandInAPI
import Testing

@Suite("crawl --count", .fewAtOnce)
struct FirstCrawlTests {
    static let columns = """
        id, uid, password, first_name, last_name, username, email, avatar, gender, phone_number, \
        social_insurance_number, date_of_birth, employment_title, employment_key_skill, address_city, \
        address_street_name, address_street_address, address_zip_code, address_state, address_country, \
        address_coordinates_lat, address_coordinates_lng, credit_card_cc_number, subscription_plan, \
        subscription_status, subscription_payment_method, subscription_term, extra, page
        """

    @Test("stores exactly fifty distinct users, with the columns of the contract and one summary line")
    func fifty() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "50")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*), count(DISTINCT uid) FROM users") == "50|50")
        let columns = try await scene.query("SELECT group_concat(name, ', ') FROM pragma_table_info('users')")
        #expect(columns == Self.columns)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 1)
        for word in ["50", "new", "duplicate", "request", "retr", "KB", " s", "output/crawl.db"] {
            #expect(result.output.contains(word), "the summary does not say '\(word)': \(result.output)")
        }
        #expect(scene.requests.count == 10, "auto asks for a tenth of the target each time")
        #expect(try await scene.crawl("verify").exitCode == 0)
    }

    @Test("without a count, crawls fifty")
    func byDefault() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl().exitCode == 0)
        #expect(try await scene.query("SELECT count(*) FROM users") == "50")
    }

    @Test("repeated when done, says so without a request")
    func done() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "50")
        let before = scene.requests.count
        let result = try await scene.crawl("--count", "50")
        #expect(result.exitCode == 0)
        #expect(scene.requests.count == before)
        #expect(result.output.contains("50"))
        let fewer = try await scene.crawl("--count", "20")
        #expect(fewer.exitCode == 0)
        #expect(scene.requests.count == before)
    }

    @Test("a higher count asks only for what is missing")
    func more() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "50", "--page-size", "10")
        let before = scene.requests.count
        #expect(try await scene.crawl("--count", "75", "--page-size", "10").exitCode == 0)
        #expect(try await scene.query("SELECT count(DISTINCT uid) FROM users") == "75")
        #expect(scene.requests.count - before == 3)
    }

    @Test("the tutorial's chain: one user a request, a bare object each")
    func oneByOne() async throws {
        let scene = try Scene()
        let result = try await scene.crawl("--count", "12", "--page-size", "1", "--concurrency", "1")
        #expect(result.exitCode == 0, "\(result)")
        #expect(scene.requests.count == 12)
        #expect(try await scene.query("SELECT count(*) FROM users") == "12")
    }

    @Test("exactly the target whatever lanes, page size and population", arguments: [1, 4, 16], [1, 7, 100])
    func exact(lanes: Int, pageSize: Int) async throws {
        for people in [nil, 260] {
            let scene = try Scene { $0.people = people }
            let result = try await scene.crawl(
                "--count", "201", "--page-size", "\(pageSize)", "--concurrency", "\(lanes)")
            #expect(result.exitCode == 0, "\(result)")
            #expect(try await scene.query("SELECT count(*), count(DISTINCT uid) FROM users") == "201|201")
            let verified = try await scene.crawl("verify")
            #expect(verified.exitCode == 0, "\(verified)")
        }
    }

    @Test("different people with the same id are all kept")
    func sameIdentifier() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "3000", "--page-size", "100")
        #expect(try await scene.query("SELECT count(*) FROM users") == "3000")
        #expect(try await scene.query("SELECT count(DISTINCT id) < 3000 FROM users") == "1")
    }

    @Test("the table holds what the server holds, field by field")
    func truth() async throws {
        let scene = try Scene { $0.people = 40 }
        #expect(try await scene.crawl("--count", "40", "--page-size", "20").exitCode == 0)
        let stored = try await scene.query("SELECT uid FROM users ORDER BY uid")
        let truth = (0..<40).map { scene.server.population.uid(at: $0) }.sorted()
        #expect(stored.split(separator: "\n").map(String.init) == truth)
    }

    @Test("a server with fewer people than asked: stops, exit 3, and says how many were reached")
    func tooFew() async throws {
        let scene = try Scene { $0.people = 30 }
        let result = try await scene.crawl("--count", "50")
        #expect(result.exitCode == 3, "\(result)")
        #expect(result.errors.contains("30"))
        #expect(try await scene.query("SELECT count(*) FROM users") == "30")
        #expect(try await scene.crawl("verify").exitCode == 0)
    }

    @Test("--fresh replaces the stored records")
    func fresh() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "50")
        let before = try await scene.query("SELECT min(uid) FROM users")
        let result = try await scene.crawl("--count", "20", "--fresh")
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM users") == "20")
        #expect(try await scene.query("SELECT count(*) FROM users WHERE uid = '\(before)'") == "0")
        #expect(try await scene.crawl("verify").exitCode == 0)
    }

    @Test("--fresh keeps the old records when the server brings nothing")
    func freshWithoutServer() async throws {
        let scene = try Scene()
        _ = try await scene.crawl("--count", "50")
        scene.server.stop()
        let result = try await scene.crawl("--count", "20", "--fresh", "--retries", "0")
        #expect(result.exitCode == 69, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM users") == "50")
        #expect(try await scene.crawl("verify").exitCode == 0)
    }
}
