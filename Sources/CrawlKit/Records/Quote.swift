/// The price of a share, of the source `quotes`.
///
/// Encoded as JSON, its keys are the names of the columns, as in an export.
public struct Quote: CrawledRecord, Codable, Hashable {
    /// The source's name.
    public static let source = "quotes"

    /// The symbol that identifies the share, such as `AAPL`.
    public var symbol: String
    /// The company's full name.
    public var longName: String?
    /// The company's short name.
    public var shortName: String?
    /// The currency of the prices; `GBp` are pence.
    public var currency: String?
    /// The last price.
    public var regularMarketPrice: Double?
    /// When that price was paid, in seconds since 1970.
    public var regularMarketTime: Int
    /// The change since the close before.
    public var regularMarketChange: Double?
    /// The change since the close before, in per cent.
    public var regularMarketChangePercent: Double?
    /// The close before.
    public var regularMarketPreviousClose: Double?
    /// The first price of the day.
    public var regularMarketOpen: Double?
    /// The highest price of the day.
    public var regularMarketDayHigh: Double?
    /// The lowest price of the day.
    public var regularMarketDayLow: Double?
    /// The shares traded on the day.
    public var regularMarketVolume: Int?
    /// The market value.
    public var marketCap: Double?
    /// The state of the exchange, such as `CLOSED`.
    public var marketState: String?
    /// What it is, such as `EQUITY`; `NONE` where it is no longer traded.
    public var quoteType: String?
    /// The exchange's code.
    public var exchange: String?
    /// The exchange's name.
    public var fullExchangeName: String?

    /// The record's key, `symbol`.
    public var id: String { symbol }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case symbol, longName, shortName, currency, regularMarketPrice, regularMarketTime, regularMarketChange
        case regularMarketChangePercent, regularMarketPreviousClose, regularMarketOpen, regularMarketDayHigh
        case regularMarketDayLow, regularMarketVolume, marketCap, marketState, quoteType, exchange, fullExchangeName
    }
}
