import CrawlCore
import TestSupport

@testable import CrawlHTTP

extension HTTPResponse {
    /// The body as text.
    var text: String {
        body.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }
}

/// Runs `body` with a client that knows nothing of this machine's environment, and closes the client afterwards.
func withClient<Result>(
    environment: [String: String] = [:], adjust: (inout CurlClient.Options) -> Void = { _ in },
    body: (CurlClient) async throws -> Result
) async throws -> Result {
    var options = CurlClient.Options(userAgent: "crawl/9.9", environment: environment)
    adjust(&options)
    let client = CurlClient(options)
    do {
        let result = try await body(client)
        await client.close()
        return result
    } catch {
        await client.close()
        throw error
    }
}

/// What became of a request: an answer, or the fault and its sentence.
func fetch(_ request: HTTPRequest, with client: CurlClient) async -> Result<HTTPResponse, FetchFailure> {
    do throws(FetchFailure) {
        return .success(try await client.send(request))
    } catch {
        return .failure(error)
    }
}

extension Result where Success == HTTPResponse, Failure == FetchFailure {
    /// The fault of the network, nil for an answer.
    var fault: NetworkFault? {
        if case .failure(.network(let fault, _)) = self { fault } else { nil }
    }

    /// The sentence about the fault, empty for an answer.
    var detail: String {
        if case .failure(.network(_, let detail)) = self { detail } else { "" }
    }

    /// The body as text, nil for a fault.
    var text: String? {
        if case .success(let response) = self { response.text } else { nil }
    }
}

/// An address that a script learns after it was written.
final class Mailbox: Sendable {
    private let text = Locked("")

    var address: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }
}

extension CurlClient {
    /// The body of an answer as text.
    func text(_ request: HTTPRequest) async throws -> String {
        try await send(request).text
    }
}
