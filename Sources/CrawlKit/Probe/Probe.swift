import CrawlCore
import CrawlHTTP
import CrawlJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Looks at an API that nothing is known of, with a handful of polite requests, and describes it as a source.
public struct Probe: Sendable {
    /// What a probe found out.
    public struct Finding: Sendable {
        /// The source; its notes say why it is so.
        public var source: Source
        /// What was found, a sentence each.
        public var findings: [String]
        /// What could not be decided, a sentence each.
        public var doubts: [String]
        /// The requests that it took, retries included.
        public var requests: Int
    }

    /// The address of the first page.
    public var url: String
    /// The name of the source; made from the address where nil.
    public var name: String?
    /// The columns that identify a record; found where empty.
    public var key: [String] = []
    /// Headers to ask with, and for the source file; `${NAME}` in a value is taken from the environment.
    public var headers: [String: String] = [:]
    /// Time for one request.
    public var timeout: Duration = .seconds(30)
    /// The name and version sent as `User-Agent`.
    public var userAgent = "crawl"
    /// The environment that `${NAME}` is taken from; nil for that of the process.
    package var environment: [String: String]?

    /// The most requests, not counting retries.
    package static let mostRequests = 12
    /// The largest answer that is looked at.
    private static let largestBody = 16 << 20

    /// Prepares a probe; nothing is asked yet.
    public init(url: String) {
        self.url = url
    }

    /// Looks at some pages.
    ///
    /// - Parameter report: Called with `request` and `retry` events; must not block.
    /// - Throws: `CrawlError`: (64) for an address, a name, a header or a key that cannot be, (65) where the answers hold
    ///   no records or nothing that tells them apart, (69, 75, 77, 78) as a crawl does; `CancellationError`.
    public func run(report: @escaping @Sendable (CrawlEvent) -> Void = { _ in }) async throws -> Finding {
        let request = try inferenceRequest()
        var options = CrawlOptions()
        options.timeout = timeout
        options.environment = environment
        let client = CurlClient(
            CurlClient.Options(userAgent: userAgent, environment: ProcessInfo.processInfo.environment))
        do {
            let asking = try Asking(request, options, client: client, report: report)
            let finding = try await SourceInference(request).run { try await asking.ask($0) }
            await client.close()
            // What is written has to be what is read.
            let text = SourceFile.text(of: finding.source)
            let source = try SourceFile.source(from: Array(text.utf8), file: finding.source.name + ".json")
            return Finding(
                source: source, findings: finding.notes.filter { !$0.isDoubt }.map(\.text),
                doubts: finding.notes.filter(\.isDoubt).map(\.text), requests: asking.requests)
        } catch {
            await client.close()
            throw error
        }
    }

    /// The address without secrets.
    public var shownURL: String { URLText.display(url) }

    /// Reads a header as it is written on a command line, `Accept: text/json`.
    ///
    /// - Throws: `CrawlError` (64) for another form, and for a secret that is not taken from the environment.
    package static func header(parsing text: String) throws(CrawlError) -> (name: String, value: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        // The source file is checked more closely; here only what would be another header is refused.
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty,
            text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }),
            parts[0].unicodeScalars.allSatisfy({ $0.isASCII && $0 != " " })
        else { throw CrawlError(.usage, "A header has the form 'Name: value'", remedy: nil) }
        if URLText.isSecret(parts[0]), !parts[1].contains("${") {
            throw CrawlError(
                .usage,
                "The header \(Printable.text(parts[0].utf8)) holds a secret, which must not stand in a source file",
                remedy: "Put it into a variable and write --header '\(parts[0]): ${MY_SECRET}'.")
        }
        return (parts[0], parts[1])
    }

    private func inferenceRequest() throws(CrawlError) -> SourceInference.Request {
        guard let address = HTTPURL(url), !url.contains(where: \.isNewline) else {
            let remedy = url.contains("://") ? "Only http and https can be asked." : "Write it as https://\(url)."
            throw CrawlError(.usage, "'\(Printable.text(url.utf8))' is no http or https address", remedy: remedy)
        }
        guard address.user == nil, address.password == nil else {
            throw CrawlError(
                .usage, "A user name or password must not stand in the address",
                remedy: "Give it with --header 'Authorization: Basic ${MY_CREDENTIALS}'.")
        }
        if let name, ColumnNames.identifier(name, or: "") != name {
            throw CrawlError(
                .usage, "The name '\(Printable.text(name.utf8))' cannot be that of a table",
                remedy:
                    "Use letters, digits and _, beginning with a letter, as in \(ColumnNames.identifier(name, or: "things"))."
            )
        }
        let request = SourceInference.Request(url: Self.escaped(url), name: name, key: key, headers: headers)
        // What a source file may not hold is refused before anything is asked.
        let draft = Source(
            name: name ?? "things", url: request.url, pagination: .single, key: ["id"],
            columns: [Column("id", .text, isRequired: true)], headers: headers)
        _ = try SourceFile.source(from: Array(SourceFile.text(of: draft).utf8), file: "The source file")
        return request
    }

    /// The address as a source file may hold it: without a fragment, blanks and braces percent-encoded.
    private static func escaped(_ url: String) -> String {
        var result = ""
        var rest = url.prefix { $0 != "#" }[...]
        while let character = rest.first {
            if rest.hasPrefix("${"), let end = rest.firstIndex(of: "}") {
                result += rest[...end]
                rest = rest[rest.index(after: end)...]
                continue
            }
            let isPlain = character.isASCII && !character.isWhitespace && !"{}\"<>\\^`|".contains(character)
            result += isPlain ? String(character) : URLText.encoded(String(character))
            rest.removeFirst()
        }
        return result
    }
}

extension Probe {
    /// Makes the requests of one probe, and no more than are decent.
    private final class Asking: Sendable {
        private let access: SourceAccess
        /// The variables in the address that the user gave, as they are written, and their values; a server's own
        /// addresses get no others.
        private let variables: [(written: String, value: String)]
        private let requester: Requester
        private let host: String
        private let count = Locked(0)

        init(
            _ request: SourceInference.Request, _ options: CrawlOptions, client: CurlClient,
            report: @escaping @Sendable (CrawlEvent) -> Void
        ) throws {
            let source = Source(
                name: "probe", url: request.url, pagination: .single, key: [], columns: [], headers: request.headers)
            let filling = Filling(source, options)
            let template = try? Template(parsing: request.url, hasPlaceholders: false)
            variables = try (template?.variables ?? []).map { name in
                ("${\(name)}", try filling.address("${\(name)}", of: "its address").sent)
            }
            access = try SourceAccess(SourceAddresses(of: source, options), filling, options)
            let address = HTTPURL(access.endpoint.url)
            host = address?.authority ?? request.url
            // An API that somebody looks at for the first time is not to be overrun.
            let limit = address?.isLoopback == true ? nil : RateLimit(2, per: .seconds(1))
            var policy = options.retryPolicy(for: access.endpoint)
            policy.retries = 2
            requester = Requester(
                source: source.name, client: client, clock: HostClock(limit: limit), policy: policy,
                tally: Tally(stored: 0), secrets: access.secrets,
                pushedBack: {}, report: report)
        }

        /// The requests made so far, retries included.
        var requests: Int { requester.tally.now.requests }

        func ask(_ address: String) async throws -> ProbeAnswer {
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number <= Probe.mostRequests else { return .spent }
            let filled = variables.reduce(address) { $0.replacing($1.written, with: $1.value) }
            var request = access.requests.page(
                PageRequest(sequence: number, size: 1, address: filled), at: access.endpoint)
            request.http.maxBodyBytes = Probe.largestBody
            do throws(Requester.Failure) {
                return .page(
                    try await requester.send(request) { response, _ throws(FetchFailure) in
                        try Self.page(address, response)
                    })
            } catch {
                if case .network(.cancelled, _) = error.cause { throw CancellationError() }
                guard number > 1, error.cause.isRefusalOfTrial else {
                    throw error.crawlError(source: requester.source, maxWait: requester.policy.maxWait)
                }
                return .refused(error.cause.reason(host: host))
            }
        }

        private static func page(_ address: String, _ response: HTTPResponse) throws(FetchFailure) -> ProbedPage {
            if let failure = response.failure() { throw failure }
            let body = UnsafeRawBufferPointer(start: response.body.pointer, count: response.body.count)
            do throws(JSONSyntaxError) {
                return ProbedPage(
                    url: response.finalURL, headers: response.headers, body: try JSONValue(parsing: body))
            } catch {
                throw .unreadable(error.kind, detail: "\(error): \(Printable.text(body.prefix(400)))")
            }
        }
    }
}

extension FetchFailure {
    /// Whether a request that tries something out failed because of what it tried.
    fileprivate var isRefusalOfTrial: Bool {
        switch self {
        case .status(let status, _, _): ![401, 403, 429].contains(status)
        case .unreadable: true
        case .network(.bodyTooLarge, _): true
        case .network, .handshake: false
        }
    }
}
