import CrawlCore
import CrawlHTTP
import Testing

@testable import CrawlKit

@Suite("Options in the ledger")
struct RecordedOptionsTests {
    static func source() throws -> Source { try #require(try BuiltInSources.source(named: "quotes")) }

    private func recorded(_ change: (inout CrawlOptions) -> Void) throws -> (RecordedOptions, CrawlOptions) {
        var options = CrawlOptions()
        change(&options)
        let recorded = try RecordedOptions(json: RecordedOptions(options, source: Self.source()).json)
        return (recorded, recorded.options(source: "quotes", count: nil, database: "x.db"))
    }

    @Test("addresses and values come back as they were")
    func comesBack() throws {
        let (recorded, options) = try recorded {
            $0.endpoints = [
                "quotes": "http://h/q?symbols={symbols}&token=${T}", "quotes.fallback": "http://h/f",
                "posts": "http://elsewhere",
            ]
            $0.set = ["symbols": "AAPL,${MINE}", "other": "x"]
        }
        #expect(options.endpoints["quotes"] == "http://h/q?symbols={symbols}&token=${T}")
        #expect(options.endpoints["quotes.fallback"] == "http://h/f")
        #expect(options.endpoints.count == 2)
        #expect(options.set == ["symbols": "AAPL,${MINE}"])
        #expect(recorded.withheld == nil)
        try recorded.requireWithheld(in: options, run: 3, of: "quotes")
    }

    static let secrets = [
        "http://me:hush@h/q", "http://hush@h/q", "http://h/q?api_key=hush", "http://h/q?a=1&access_token=hush#x",
    ]

    @Test("an address with a secret is not kept, and asked for again", arguments: secrets)
    func withheld(address: String) throws {
        for name in ["quotes", "quotes.cookie"] {
            let (recorded, options) = try recorded { $0.endpoints[name] = address }
            #expect(!recorded.json.contains("hush"))
            let error = #expect(throws: CrawlError.self) {
                try recorded.requireWithheld(in: options, run: 3, of: "quotes")
            }
            #expect(error?.exitCode == .usage)
            #expect(error?.message.contains("Run 3 of quotes") == true)
            #expect(error?.remedy == "Give it again: crawl resume --endpoint \(name)=URL")
            var given = options
            given.endpoints[name] = address
            try recorded.requireWithheld(in: given, run: 3, of: "quotes")
        }
    }

    @Test("addresses without secrets are", arguments: ["http://h/q?a=1&n=2", "http://h/@me?key=", "http://h/?t=x#a@b"])
    func kept(address: String) throws {
        #expect(!URLText.holdsSecret(address))
    }

    @Test("of the stand-in no address is kept")
    func offline() throws {
        let (recorded, _) = try recorded {
            $0.origin = .offline
            $0.endpoints["quotes"] = "http://me:hush@h/q"
        }
        #expect(recorded.endpoint == nil && recorded.withheld == nil)
    }

    @Test("an older ledger is read as well")
    func older() throws {
        let recorded = try RecordedOptions(
            json: #"{"concurrency":1,"max_wait":120,"origin":"automatic","retries":3,"timeout":30}"#)
        #expect(recorded.set == nil && recorded.withheld == nil)
    }
}
