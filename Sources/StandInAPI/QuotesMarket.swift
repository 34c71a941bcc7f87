/// The instruments that quotes knows, with invented prices.
struct QuotesMarket: Sendable {
    private let seed: UInt64
    private let moves: Bool

    fileprivate struct Instrument: Sendable {
        let symbol: String
        let name: String
        let longName: String?
        let type: String
        let currency: String
        let exchange: String
        let price: Double
    }

    private static let instruments = [
        Instrument("AAPL", "Example Devices Inc.", currency: "USD", exchange: "NMS", 244.6),
        Instrument("GOOG", "Example Search Inc.", currency: "USD", exchange: "NMS", 186.87),
        Instrument("MSFT", "Example Software Corporation", currency: "USD", exchange: "NMS", 408.43),
        Instrument("TSLA", "Example Motors, Inc.", currency: "USD", exchange: "NMS", 355.84),
        Instrument("UBER", "Example Rides, Inc.", currency: "USD", exchange: "NYQ", 79.51),
        Instrument("LYFT", "Example Lifts, Inc.", currency: "USD", exchange: "NMS", 13.5),
        Instrument("SAP.DE", "Example Walldorf SE", currency: "EUR", exchange: "GER", 275),
        Instrument("VOD.L", "Example Group PLC", currency: "GBp", exchange: "LSE", 64.74),
        Instrument(
            "BTC-USD", "Example Coin USD", longName: nil, type: "CRYPTOCURRENCY", currency: "USD", exchange: "CCC",
            97_508.97),
    ]

    private static let warrant = Instrument("XWARR", "Example Warrant", currency: "", exchange: "NMS", 0.1246)

    init(seed: UInt64, moves: Bool) {
        self.seed = SplitMix64.mixed(seed ^ 0x6D61_726B)
        self.moves = moves
    }

    /// The answer for these symbols, in their order; unknown ones are missing, `XGONE` is a delisted stub,
    /// `XPARTIAL` a delisted record without a price.
    func quotes(_ symbols: [String], tick: Int) -> Answer {
        var json = JSONText()
        var target: SpoilTarget?
        json.object { answer in
            answer.field("quoteResponse") { response in
                response.object { fields in
                    fields.field("result") { result in
                        result.list { list in
                            for symbol in symbols {
                                let comma = list.bytes.last == 0x5B ? 0 : 1
                                let start = list.bytes.count + comma
                                guard write(symbol, tick, to: &list) else { continue }
                                target = SpoilTarget(
                                    range: start..<list.bytes.count, key: "symbol", text: "shortName",
                                    number: "regularMarketTime")
                            }
                        }
                    }
                    fields.field("error") { $0.null() }
                }
            }
        }
        return Answer(json.bytes, target: target)
    }

    private func write(_ symbol: String, _ tick: Int, to json: inout JSONText) -> Bool {
        if symbol == "XGONE" {
            json.object {
                $0.field("language", "en-US")
                $0.field("region", "US")
                $0.field("quoteType", "NONE")
                $0.field("triggerable", false)
                $0.field("customPriceAlertConfidence", "NONE")
                $0.field("hasPrePostMarketData", false)
                $0.field("tradeable", false)
                $0.field("cryptoTradeable", false)
                $0.field("corporateActions") { $0.list { _ in } }
                $0.field("symbol", symbol)
            }
            return true
        }
        if symbol == "XPARTIAL" {
            json.object {
                $0.field("language", "en-US")
                $0.field("quoteType", "MUTUALFUND")
                $0.field("shortName", "54688")
                $0.field("regularMarketTime", 1_561_759_658)
                $0.field("exchange", "YHD")
                $0.field("marketState", "CLOSED")
                $0.field("fullExchangeName", "YHD")
                $0.field("symbol", symbol)
            }
            return true
        }
        guard let instrument = Self.instruments.first(where: { $0.symbol == symbol }) else { return false }
        let price = price(of: instrument, tick)
        json.object {
            $0.field("language", "en-US")
            $0.field("region", "US")
            $0.field("quoteType", instrument.type)
            $0.field("quoteSourceName", "Nasdaq Real Time Price")
            $0.field("triggerable", true)
            $0.field("marketState", "CLOSED")
            $0.field("currency", instrument.currency)
            $0.field("corporateActions") { $0.list { _ in } }
            $0.field("regularMarketTime", 1_739_566_800 + (moves ? tick * 60 : 0))
            $0.field("exchange", instrument.exchange)
            $0.field("gmtOffSetMilliseconds", -18_000_000)
            $0.field("regularMarketChangePercent", ((price / instrument.price - 1) * 1_000_000).rounded() / 10_000)
            $0.number("regularMarketPrice", price)
            $0.field("firstTradeDateMilliseconds", 345_479_400_000)
            $0.field("priceHint", 2)
            $0.number("regularMarketDayHigh", price + 2)
            $0.number("regularMarketDayLow", (price - 3).rounded())
            $0.field("regularMarketDayRange", "\(price - 3) - \(price + 2)")
            $0.field("regularMarketVolume", Int(instrument.price * 100_000_000))
            $0.number("regularMarketPreviousClose", instrument.price)
            $0.field("fiftyTwoWeekRange", "\(instrument.price / 2) - \(instrument.price * 2)")
            $0.field("sharesOutstanding", 15_022_100_480)
            $0.field("marketCap", Int(price * 15_022_100_480))
            $0.field("averageAnalystRating", "2.1 - Buy")
            $0.field("tradeable", false)
            $0.field("shortName", instrument.name)
            if let longName = instrument.longName { $0.field("longName", longName) }
            $0.field("symbol", instrument.symbol)
        }
        return true
    }

    /// The chart of one symbol, or nil where it is unknown; that of `XWARR` has the currency null.
    func chart(_ symbol: String, tick: Int) -> Answer? {
        let instruments = Self.instruments + [Self.warrant]
        guard let instrument = instruments.first(where: { $0.symbol == symbol }) else { return nil }
        let price = price(of: instrument, tick)
        var json = JSONText()
        json.object { root in
            root.field("chart") { chart in
                chart.object { fields in
                    fields.field("result") { $0.list { $0.object { Self.write(instrument, price, to: &$0) } } }
                    fields.field("error") { $0.null() }
                }
            }
        }
        return Answer(json.bytes)
    }

    private static func write(_ instrument: Instrument, _ price: Double, to result: inout JSONText) {
        result.field("meta") { meta in
            meta.object {
                $0.field("currency") { field in
                    if instrument.currency.isEmpty { field.null() } else { field.value(instrument.currency) }
                }
                $0.field("symbol", instrument.symbol)
                $0.field("exchangeName", instrument.exchange)
                $0.field("instrumentType", instrument.type)
                $0.field("firstTradeDate", 345_479_400)
                $0.field("regularMarketTime", 1_739_566_800)
                $0.number("regularMarketPrice", price)
                $0.field("regularMarketVolume", Int(instrument.price * 100_000_000))
                if let longName = instrument.longName { $0.field("longName", longName) }
                $0.field("shortName", instrument.name)
                $0.number("chartPreviousClose", instrument.price)
                $0.field("priceHint", 2)
                $0.field("dataGranularity", "1d")
                $0.field("range", "1d")
            }
        }
        result.field("timestamp") { $0.list { $0.value(1_739_566_800) } }
        result.field("indicators") { indicators in
            indicators.object {
                $0.field("quote") { $0.list { $0.object { $0.field("close") { $0.list { $0.value(price) } } } } }
            }
        }
    }

    private func price(of instrument: Instrument, _ tick: Int) -> Double {
        guard moves, tick > 0 else { return instrument.price }
        var random = SplitMix64(seed: seed ^ UInt64(tick))
        for byte in instrument.symbol.utf8 { random = SplitMix64(seed: random.next() ^ UInt64(byte)) }
        guard random.below(3) > 0 else { return instrument.price }
        return (instrument.price * (0.98 + random.unit() * 0.04) * 100).rounded() / 100
    }
}

extension QuotesMarket.Instrument {
    fileprivate init(_ symbol: String, _ name: String, currency: String, exchange: String, _ price: Double) {
        self.init(symbol, name, longName: name, type: "EQUITY", currency: currency, exchange: exchange, price)
    }

    fileprivate init(
        _ symbol: String, _ name: String, longName: String?, type: String, currency: String, exchange: String,
        _ price: Double
    ) {
        self.symbol = symbol
        self.name = name
        self.longName = longName
        self.type = type
        self.currency = currency
        self.exchange = exchange
        self.price = price
    }
}

extension JSONText {
    /// A number as JavaScript writes it: without a fraction where it is whole.
    fileprivate mutating func number(_ name: String, _ number: Double) {
        if let whole = Int(exactly: number) { field(name, whole) } else { field(name, number) }
    }
}
