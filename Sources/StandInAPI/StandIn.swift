/// The stand-in without its network: requests in, answers out, in the order in which they arrive.
struct StandIn: Sendable {
    /// The faults; may be exchanged while the server runs.
    var faults: [Fault]
    private(set) var statistics = StandInStatistics()
    let seed: UInt64
    private let latency: Duration
    private var users: UsersAPI
    private let posts: PostsAPI
    private var tickers: TickersAPI
    private var quotes: QuotesAPI
    private var randomUser: RandomUserAPI
    private let collection: CollectionAPI
    private var limit: RequestLimit?
    private var previous: [String: Answer] = [:]

    init(_ configuration: StandInConfiguration) {
        var system = SystemRandomNumberGenerator()
        seed = configuration.seed ?? system.next()
        faults = configuration.faults
        latency = configuration.latency
        users = UsersAPI(configuration, seed: seed)
        randomUser = RandomUserAPI(seed: seed)
        // What is no random draw stays the same from server to server, as it does at the public APIs.
        let catalogue = configuration.seed ?? 1
        posts = PostsAPI(seed: catalogue, pages: configuration.precomputedPostPages)
        tickers = TickersAPI(seed: catalogue, coins: configuration.coins, moves: configuration.pricesMove)
        quotes = QuotesAPI(configuration.quotes, seed: catalogue, moves: configuration.pricesMove)
        collection = CollectionAPI(configuration.collection, seed: catalogue)
        limit = configuration.requestsPerSecond.map(RequestLimit.init)
    }

    /// Decides the answer to a request; `moment` counts seconds since the epoch, `instant` orders requests in time.
    mutating func answer(
        _ request: Request, moment: Int, instant: ContinuousClock.Instant = .now
    ) -> Answer {
        if request.path == "/stand-in/stats" { return statistics.answer }
        let source = Self.source(of: request.path)
        let counts = statistics.count(source)
        let due = faults.filter {
            $0.falls(on: counts.all, ofSource: counts.ofSource, source: source)
                && !($0.kind == .redirect && request.value(Fault.redirected) != nil)
        }
        var answer: Answer
        if limit?.refuses(at: instant) == true {
            answer = .error(429, "you have reached maximum request limit")
        } else {
            answer = page(request, source: source)
            // What spoils a record needs it whole; what spoils the way needs to know what goes it.
            for stage in FaultKind.Stage.allCases {
                for fault in due where fault.kind.stage == stage {
                    fault.spoil(&answer, request: request, previous: previous[source], moment: moment)
                }
            }
            if faults.contains(where: { $0.kind == .duplicatePage }), due.isEmpty { previous[source] = answer }
        }
        answer.delay += latency
        statistics.bytes += answer.body.count
        answer.record = StandInRequestRecord(
            number: counts.all, method: request.method, target: request.target,
            status: answer.hasStatus ? answer.status : nil,
            fault: due.isEmpty ? nil : due.map(\.text).joined(separator: " "), bytes: answer.body.count)
        return answer
    }

    /// The people that users draws from.
    var population: Population { users.population }

    private mutating func page(_ request: Request, source: String) -> Answer {
        guard request.method == "GET" || request.method == "HEAD" else {
            var answer = Answer.error(405, "only GET is answered here")
            answer.headers.append(("allow", "GET, HEAD"))
            return answer
        }
        switch source {
        case "users":
            let answer = users.answer(request)
            statistics.people = users.handedOut
            statistics.distinctPeople = users.distinctHandedOut
            return answer
        case "posts": return posts.answer(request)
        case "tickers": return tickers.answer(request)
        case "quotes", "quotes.cookie", "quotes.crumb", "quotes.fallback": return quotes.answer(request, source: source)
        case "randomuser": return randomUser.answer(request)
        case "pages": return collection.answer(request)
        default: return .error(404, "no such path: \(request.path)")
        }
    }

    /// The name of the source that a path belongs to; empty for an unknown path.
    private static func source(of path: String) -> String {
        switch path {
        case "/api/v2/users", "/api/users/random_user": "users"
        case "/api/", "/api": "randomuser"
        case "/v1/tickers": "tickers"
        case "/v7/finance/quote": "quotes"
        case "/cookie", "/consent": "quotes.cookie"
        case "/v1/test/getcrumb": "quotes.crumb"
        case "/posts": "posts"
        case _ where path.hasPrefix("/posts/"): "posts"
        case _ where path.hasPrefix("/v1/tickers/"): "tickers"
        case _ where path.hasPrefix("/v8/finance/chart/"): "quotes.fallback"
        case _ where path.hasPrefix("/pages/"): "pages"
        default: ""
        }
    }
}

/// What a stand-in has done so far.
package struct StandInStatistics: Sendable, Equatable {
    /// How many requests were answered, faults included.
    package internal(set) var requests = 0
    /// How many records of people were handed out.
    package internal(set) var people = 0
    /// How many different people were handed out.
    package internal(set) var distinctPeople = 0
    /// How many bytes the bodies had in all.
    package internal(set) var bytes = 0
    /// How many requests each source got, by endpoint name; unknown paths under an empty name.
    package internal(set) var requestsBySource: [String: Int] = [:]

    mutating func count(_ source: String) -> (all: Int, ofSource: Int) {
        requests += 1
        requestsBySource[source, default: 0] += 1
        return (requests, requestsBySource[source] ?? 1)
    }

    var answer: Answer {
        var json = JSONText()
        json.object {
            $0.field("requests", requests)
            $0.field("people", people)
            $0.field("distinct_people", distinctPeople)
            $0.field("bytes", bytes)
        }
        return Answer(json.bytes)
    }
}
