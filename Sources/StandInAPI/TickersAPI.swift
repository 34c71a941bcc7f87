/// The tickers API: invented coins in the real shape.
struct TickersAPI: Sendable {
    private let seed: UInt64
    private let coins: Int
    private let moves: Bool
    private var requests = 0

    init(seed: UInt64, coins: Int, moves: Bool) {
        self.seed = SplitMix64.mixed(seed ^ 0x636F_696E)
        self.coins = max(0, coins)
        self.moves = moves
    }

    mutating func answer(_ request: Request) -> Answer {
        defer { requests += 1 }
        let tick = moves ? requests : 0
        if request.path.hasPrefix("/v1/tickers/") {
            let id = request.path.dropFirst("/v1/tickers/".count)
            for index in 0..<coins where name(of: index).id == id {
                var json = JSONText()
                write(index, tick, to: &json)
                return Answer(json.bytes)
            }
            return .error(404, "id not found")
        }
        let limit = request.number("limit").flatMap { $0 > 0 ? $0 : nil } ?? coins
        var json = JSONText()
        var target = SpoilTarget(range: 0..<0, key: "id", text: "name", number: "rank")
        let count = min(limit, coins)
        json.list { list in
            for index in 0..<count {
                let start = list.bytes.count + (index > 0 ? 1 : 0)
                write(index, tick, to: &list)
                if index == count / 2 { target.range = start..<list.bytes.count }
            }
        }
        return Answer(json.bytes, target: count > 0 ? target : nil)
    }

    private func name(of index: Int) -> (id: String, name: String, symbol: String) {
        // Each 40th coin shares the symbol of the coin before it.
        let letters = index % 40 == 39 ? index - 1 : index
        var rest = letters
        var symbol = ""
        for _ in 0..<3 {
            symbol = String(UnicodeScalar(UInt8(0x41 + rest % 26))) + symbol
            rest /= 26
        }
        let words = Vocabulary.shared
        let word = String(decoding: words.cityNames[index % words.cityNames.count], as: UTF8.self)
        let kind = ["Coin", "Token", "Cash", "Protocol", "& Sons \"Chain\""][index % 5]
        let plain = index % 5 == 4 ? "chain" : kind.lowercased()
        return ("\(symbol.lowercased())-\(word.lowercased())-\(plain)-\(index + 1)", "\(word) \(kind)", symbol)
    }

    /// Writes a coin; a third of the coins moves on each tick.
    private func write(_ index: Int, _ tick: Int, to json: inout JSONText) {
        var random = SplitMix64(seed: seed &+ UInt64(index))
        let name = name(of: index)
        let behind = ((tick - index) % 3 + 3) % 3
        let moved = max(0, tick - behind)
        var movement = SplitMix64(seed: seed ^ SplitMix64.mixed(UInt64(index) << 20 | UInt64(moved)))
        let factor = moved == 0 ? 1 : 0.97 + movement.unit() * 0.06
        json.object { coin in
            coin.field("id", name.id)
            coin.field("name", name.name)
            coin.field("symbol", name.symbol)
            coin.field("rank", index + 1)
            coin.field("total_supply", random.below(100_000_000_000))
            coin.field("max_supply", random.below(3) == 0 ? 21_000_000 : 0)
            switch random.below(12) {
            case 0: coin.field("beta_value", "")
            case 1: coin.field("beta_value", 0)
            default: coin.field("beta_value", (random.unit() * 2_000_000).rounded() / 1_000_000)
            }
            coin.field("first_data_at", CivilTime(1_280_000_000 + random.below(4_000) * 86_400).rfc3339)
            coin.field("last_updated", CivilTime(1_770_558_748 + moved * 60).rfc3339)
            coin.field("quotes") { quotes in
                quotes.object { $0.field("USD") { Self.write(index, factor, &random, to: &$0) } }
            }
        }
    }

    private static func write(_ index: Int, _ factor: Double, _ random: inout SplitMix64, to json: inout JSONText) {
        let whole = index % 7 == 1
        let price = whole ? 1 : 70_000 * random.unit() / Double(index + 1) * factor
        let capital = random.below(1_500_000_000_000) / (index + 1)
        let percent = { (random: inout SplitMix64) in (random.unit() * 12_000 - 6_000).rounded() / 100 }
        var changes: [(String, Double)] = []
        for span in ["15m", "30m", "1h", "6h", "12h", "24h", "7d", "30d", "1y"] {
            changes.append(("percent_change_\(span)", percent(&random)))
        }
        let volume = random.unit() * 40_000_000_000
        let (volumeChange, capitalChange) = (percent(&random), percent(&random))
        let high = 1 + random.unit() * 9
        json.object { usd in
            if whole { usd.field("price", 1) } else { usd.field("price", price) }
            usd.field("volume_24h", volume)
            usd.field("volume_24h_change_24h", volumeChange)
            usd.field("market_cap", capital)
            usd.field("market_cap_change_24h", capitalChange)
            for (name, change) in changes {
                // A change without a fraction is written as an integer, as the service does.
                if let whole = Int(exactly: change) { usd.field(name, whole) } else { usd.field(name, change) }
            }
            switch index % 11 {
            case 3:
                for name in ["ath_price", "ath_date", "percent_from_price_ath"] { usd.field(name) { $0.null() } }
            case 5:
                for name in ["ath_price", "ath_date", "percent_from_price_ath"] { usd.field(name, "") }
            default:
                usd.field("ath_price", price * high)
                usd.field("ath_date", CivilTime(1_759_777_240 - index * 3_600).rfc3339)
                usd.field("percent_from_price_ath", ((1 / high - 1) * 10_000).rounded() / 100)
            }
        }
    }
}
