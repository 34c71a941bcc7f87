/// A crypto asset of the source `tickers`, with its figures.
///
/// Encoded as JSON, its keys are the names of the columns, as in an export.
public struct Ticker: CrawledRecord, Codable, Hashable {
    /// The source's name.
    public static let source = "tickers"

    /// The text that identifies the asset, such as `btc-bitcoin`.
    public var id: String
    /// The name.
    public var name: String?
    /// The symbol, such as `BTC`; not unique.
    public var symbol: String?
    /// The place by market value, from 1; 0 where it has none.
    public var rank: Int?
    /// The units in circulation.
    public var circulatingSupply: Double?
    /// The units that exist.
    public var totalSupply: Double?
    /// The most units that there can be, 0 where that is not known.
    public var maxSupply: Double?
    /// The beta value.
    public var betaValue: Double?
    /// When its data begin, RFC 3339.
    public var firstDataAt: String?
    /// When the figures were computed, RFC 3339.
    public var lastUpdated: String?
    /// The price in US dollars.
    public var priceUSD: Double?
    /// The volume of 24 hours in US dollars.
    public var volume24hUSD: Double?
    /// The change of the volume within 24 hours, in per cent.
    public var volume24hChange24h: Double?
    /// The market value in US dollars.
    public var marketCapUSD: Double?
    /// The change of the market value within 24 hours, in per cent.
    public var marketCapChange24h: Double?
    /// The change of the price within 15 minutes, in per cent.
    public var percentChange15m: Double?
    /// The change of the price within 30 minutes, in per cent.
    public var percentChange30m: Double?
    /// The change of the price within an hour, in per cent.
    public var percentChange1h: Double?
    /// The change of the price within 6 hours, in per cent.
    public var percentChange6h: Double?
    /// The change of the price within 12 hours, in per cent.
    public var percentChange12h: Double?
    /// The change of the price within 24 hours, in per cent.
    public var percentChange24h: Double?
    /// The change of the price within 7 days, in per cent.
    public var percentChange7d: Double?
    /// The change of the price within 30 days, in per cent.
    public var percentChange30d: Double?
    /// The change of the price within a year, in per cent.
    public var percentChange1y: Double?
    /// The highest price ever, in US dollars.
    public var athPriceUSD: Double?
    /// When the price was highest, RFC 3339; may be empty.
    public var athDate: String?
    /// The distance from the highest price, in per cent.
    public var percentFromPriceATH: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case id, name, symbol, rank
        case circulatingSupply = "circulating_supply"
        case totalSupply = "total_supply"
        case maxSupply = "max_supply"
        case betaValue = "beta_value"
        case firstDataAt = "first_data_at"
        case lastUpdated = "last_updated"
        case priceUSD = "price_usd"
        case volume24hUSD = "volume_24h_usd"
        case volume24hChange24h = "volume_24h_change_24h"
        case marketCapUSD = "market_cap_usd"
        case marketCapChange24h = "market_cap_change_24h"
        case percentChange15m = "percent_change_15m"
        case percentChange30m = "percent_change_30m"
        case percentChange1h = "percent_change_1h"
        case percentChange6h = "percent_change_6h"
        case percentChange12h = "percent_change_12h"
        case percentChange24h = "percent_change_24h"
        case percentChange7d = "percent_change_7d"
        case percentChange30d = "percent_change_30d"
        case percentChange1y = "percent_change_1y"
        case athPriceUSD = "ath_price_usd"
        case athDate = "ath_date"
        case percentFromPriceATH = "percent_from_price_ath"
    }
}
