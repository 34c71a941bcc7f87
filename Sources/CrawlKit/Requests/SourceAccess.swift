import CrawlCore
import CrawlHTTP
import CrawlJSON

/// How a source is asked: where, with what, and what of it is secret.
struct SourceAccess: Sendable {
    /// Where the source's fallback is asked.
    struct FallbackPlan: Sendable {
        /// The values to ask for, in their order.
        var values: [String]
        /// The address for each of them.
        var endpoints: [String: Endpoint]
        /// The source as the answers have to be read.
        var source: Source
    }

    /// Where the source is asked.
    let endpoint: Endpoint
    let requests: RequestBuilder
    let secrets: SecretValues
    /// The handshake to be done, nil for none.
    let handshake: Handshake.Plan?
    /// What stands by where the source refuses, nil for nothing.
    let fallback: FallbackPlan?
    /// The values that a complete answer holds, empty where any will do.
    let expected: [String]

    /// Fills in everything that is needed before the first request.
    ///
    /// - Throws: `CrawlError` (64) for placeholders without a value, (78) for variables that are not set.
    init(_ addresses: SourceAddresses, _ filling: Filling, _ options: CrawlOptions) throws(CrawlError) {
        let source = filling.source
        var secrets = try Self.secrets(of: filling, main: addresses.main, fallback: addresses.fallback ?? "")
        endpoint = try Self.endpoint(addresses.kind, addresses.main, "its address", filling, &secrets)
        requests = try RequestBuilder(filling, timeout: options.timeout)
        if case .cookieCrumb(let style)? = source.authentication, let (cookie, crumb) = addresses.handshake {
            handshake = Handshake.Plan(
                cookie: try Self.endpoint(addresses.kind, cookie, "the address of its cookie", filling, &secrets),
                crumb: try Self.endpoint(addresses.kind, crumb, "the address of its crumb", filling, &secrets),
                parameter: style.parameter, isDeferred: addresses.isHandshakeDeferred)
        } else {
            handshake = nil
        }
        if let url = addresses.fallback, let fallback = source.fallback, let reading = source.asFallback {
            let values = ValueList.values(in: try filling.value(of: fallback.each).sent)
            var endpoints: [String: Endpoint] = [:]
            for value in values {
                endpoints[value] = try Self.endpoint(
                    addresses.kind, url, "the address of its fallback", filling, &secrets,
                    values: [fallback.placeholder: value])
            }
            self.fallback = FallbackPlan(values: values, endpoints: endpoints, source: reading)
        } else {
            fallback = nil
        }
        if let expectation = source.expectation {
            expected = ValueList.values(in: try filling.value(of: expectation.placeholder).sent)
        } else {
            expected = []
        }
        self.secrets = SecretValues(secrets)
    }

    /// The endpoint as it can be told before any variable is looked up.
    ///
    /// - Throws: `CrawlError` (64) for placeholders without a value.
    static func preview(_ addresses: SourceAddresses, _ filling: Filling) throws(CrawlError) -> Endpoint {
        let shown = try filling.shownAddress(addresses.main, of: "its address")
        return Endpoint(kind: addresses.kind, Filling.Text(sent: shown, shown: shown))
    }

    /// What is secret in headers, placeholders and addresses: the values of variables, alone and with what surrounds them.
    private static func secrets(
        of filling: Filling, main: String, fallback: String
    ) throws(CrawlError) -> [String] {
        let source = filling.source
        var secrets = ([main, fallback] + source.headers.values).flatMap { filling.variables(in: $0) }
        for (name, text) in source.headers where RequestBuilder.isSecret(name, text) {
            secrets.append(try filling.header(name, text))
        }
        func names(in address: String) -> [String] {
            (try? Template(parsing: address, hasPlaceholders: true).placeholders) ?? []
        }
        // The fallback's own placeholder takes the values of another, one at a time.
        let names = Set(names(in: main) + names(in: fallback).filter { $0 != source.fallback?.placeholder })
        for name in names {
            let value = try filling.value(of: name)
            if value.sent != value.shown { secrets += [value.sent] + filling.variables(ofPlaceholder: name) }
        }
        return secrets
    }

    private static func endpoint(
        _ kind: Endpoint.Kind, _ address: String, _ what: String, _ filling: Filling, _ secrets: inout [String],
        values: [String: String] = [:]
    ) throws(CrawlError) -> Endpoint {
        let text = try filling.address(address, of: what, with: values)
        let endpoint = Endpoint(kind: kind, text)
        secrets += endpoint.secretItems.map(\.value)
        if let authorization = endpoint.authorization {
            secrets += [authorization, String(authorization.dropFirst("Basic ".count))]
        }
        if let parsed = HTTPURL(text.sent) { secrets += [parsed.user, parsed.password].compactMap { $0 } }
        return endpoint
    }
}
