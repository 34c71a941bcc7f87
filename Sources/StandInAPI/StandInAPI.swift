/// The addresses that the stand-in answers for each source, by the names that `--endpoint` uses.
package enum StandInAPI {
    /// Every endpoint name with its path; `quotes.fallback` is followed by a slash and one symbol.
    package static let paths: [(name: String, path: String)] = [
        ("users", "/api/v2/users"),
        ("posts", "/posts"),
        ("tickers", "/v1/tickers"),
        ("quotes", "/v7/finance/quote"),
        ("quotes.cookie", "/cookie"),
        ("quotes.crumb", "/v1/test/getcrumb"),
        ("quotes.fallback", "/v8/finance/chart"),
        ("randomuser", "/api/"),
    ]

    /// The path of an endpoint (`users`, `quotes.crumb`), or nil where the stand-in does not play it.
    package static func path(of source: String) -> String? {
        paths.first { $0.name == source }?.path
    }
}
