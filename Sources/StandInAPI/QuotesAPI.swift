/// The quotes API with its handshake: a cookie, a crumb that belongs to it, and the quote that needs both.
struct QuotesAPI: Sendable {
    private let behaviour: QuotesBehaviour
    private let market: QuotesMarket
    private var random: SplitMix64
    private var consented = false
    private var requests = 0
    /// The cookies given out, each with the crumb that belongs to it and how often that was used.
    private var visitors: [String: (crumb: String?, uses: Int)] = [:]

    init(_ behaviour: QuotesBehaviour, seed: UInt64, moves: Bool) {
        self.behaviour = behaviour
        market = QuotesMarket(seed: seed, moves: moves)
        random = SplitMix64(seed: SplitMix64.mixed(seed ^ 0x7175_6F74))
    }

    mutating func answer(_ request: Request, source: String) -> Answer {
        if behaviour.needsBrowserAgent, request.headers["user-agent"]?.hasPrefix("Mozilla/") != true {
            return Self.tooMany
        }
        switch source {
        case "quotes.cookie": return cookie(request)
        case "quotes.crumb": return crumb(request)
        case "quotes.fallback": return chart(request)
        default: return quote(request)
        }
    }

    /// Answers 404 and sets the cookie, which is how the real address works.
    private mutating func cookie(_ request: Request) -> Answer {
        if request.path == "/consent" {
            consented = !behaviour.consentComesAgain
            return Answer(type: "text/html; charset=utf-8", text: Fault.page("Before you continue"))
        }
        guard !behaviour.consent || consented else {
            var answer = Answer(status: 302, type: "text/html", [])
            answer.headers.append(("location", "/consent"))
            return answer
        }
        guard behaviour.setsCookie else { return Answer(status: 404, type: "text/html", text: Fault.page("Not Found")) }
        if visitors.count >= 1_000 { visitors = [:] }
        let value = "d=" + text(of: 24) + "&S=" + text(of: 10)
        visitors[value] = (nil, 0)
        var answer = Answer(status: 404, type: "text/html", text: Fault.page("Not Found"))
        answer.headers.append(("set-cookie", "A3=\(value); Max-Age=31557600; Path=/; HttpOnly"))
        return answer
    }

    private mutating func crumb(_ request: Request) -> Answer {
        guard let visitor = visitor(request) else { return Self.unauthorized("Invalid Cookie") }
        switch behaviour.crumb {
        case .empty: return Answer(type: "text/plain; charset=utf-8", [])
        case .tooMany: return Self.tooMany
        case .sentence: return Answer(type: "text/plain; charset=utf-8", text: "Too Many Requests")
        case .page: return Answer(type: "text/html; charset=utf-8", text: Fault.page("Before you continue"))
        case .json:
            var answer = Self.unauthorized("Invalid Cookie")
            answer.status = 200
            return answer
        case .unauthorized: return Self.unauthorized("Invalid Cookie")
        case .text: break
        }
        // Each of the characters that must be percent-encoded occurs.
        let crumb = "\(text(of: 3))/\(text(of: 3))+\(text(of: 2))="
        visitors[visitor] = (crumb, 0)
        return Answer(type: "text/plain; charset=utf-8", text: crumb)
    }

    private mutating func quote(_ request: Request) -> Answer {
        guard let visitor = visitor(request) else { return Self.unauthorized("Invalid Cookie") }
        guard let known = visitors[visitor], let crumb = known.crumb, request.value("crumb") == crumb,
            known.uses < behaviour.crumbUses ?? Int.max
        else { return Self.unauthorized("Invalid Crumb") }
        if behaviour.refused {
            return Self.unauthorized("User is unable to access this feature - https://example.test/feedback")
        }
        visitors[visitor] = (crumb, known.uses + 1)
        guard let symbols = request.value("symbols"), !symbols.isEmpty else {
            return Self.failure(400, "finance", "Bad Request", "Missing required query parameter=symbols")
        }
        requests += 1
        return market.quotes(symbols.split(separator: ",").map(String.init), tick: requests - 1)
    }

    private mutating func chart(_ request: Request) -> Answer {
        requests += 1
        let symbol = String(request.path.dropFirst("/v8/finance/chart/".count))
        if symbol == "XRANGE" {
            return Self.failure(422, "chart", "Unprocessable Entity", "1d data not available for this range")
        }
        return market.chart(symbol, tick: requests - 1)
            ?? Self.failure(404, "chart", "Not Found", "No data found, symbol may be delisted")
    }

    /// The cookie that the request brings, where it was given out here.
    private func visitor(_ request: Request) -> String? {
        for pair in request.headers["cookie"]?.split(separator: ";") ?? [] {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix("A3=") else { continue }
            let value = String(pair.dropFirst(3))
            if visitors[value] != nil { return value }
        }
        return nil
    }

    private static let alphabet: [Character] = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.")

    private mutating func text(of count: Int) -> String {
        String((0..<count).map { _ in Self.alphabet[random.below(Self.alphabet.count)] })
    }

    private static let tooMany = Answer(status: 429, type: "text/plain", text: "Too Many Requests\r\n")

    private static func unauthorized(_ description: String) -> Answer {
        failure(401, "finance", "Unauthorized", description)
    }

    private static func failure(_ status: Int, _ root: String, _ code: String, _ description: String) -> Answer {
        var json = JSONText()
        json.object {
            $0.field(root) { field in
                field.object {
                    $0.field("result") { $0.null() }
                    $0.field("error") { error in
                        error.object {
                            $0.field("code", code)
                            $0.field("description", description)
                        }
                    }
                }
            }
        }
        return Answer(status: status, json.bytes)
    }
}
