import CrawlCore
import CrawlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The handshake of a crawl: one for all lanes, renewed once.
///
/// Cookie and crumb belong together, so that both are fetched in one go and given out as one.
actor Handshake {
    /// The addresses of a handshake.
    struct Plan: Sendable {
        var cookie: Endpoint
        var crumb: Endpoint
        /// The query parameter that carries the crumb.
        var parameter: String
        /// Whether the source is asked without credentials until it refuses that.
        ///
        /// So at an address that the user named without the handshake's: it may want none.
        var isDeferred: Bool
    }

    /// What is known of the credentials.
    private enum State {
        case none
        case fetching(Task<Outcome, Never>)
        case known(Outcome)
    }

    private typealias Outcome = Result<Credentials, Requester.Failure>

    private let plan: Plan
    private let main: Endpoint
    private let requests: RequestBuilder
    private let requester: Requester
    private var state = State.none
    private var mayRenew = true

    /// Prepares a handshake for an endpoint; nothing is asked yet.
    init(_ plan: Plan, for main: Endpoint, requests: RequestBuilder, requester: Requester) {
        self.plan = plan
        self.main = main
        self.requests = requests
        self.requester = requester
    }

    /// The credentials to ask with, fetched when first asked for; nil where it is tried without.
    ///
    /// - Throws: `Requester.Failure` where the handshake failed for good; again each time.
    func credentials() async throws(Requester.Failure) -> Credentials? {
        if case .none = state, plan.isDeferred { return nil }
        return try await current()
    }

    /// The credentials to try after these were refused; nil where no others can be had.
    ///
    /// - Throws: `Requester.Failure` where the handshake failed for good.
    func credentials(after refused: Credentials?) async throws(Requester.Failure) -> Credentials? {
        // Another lane may have renewed them meanwhile, or be about to.
        if let refused, try await current() == refused {
            guard mayRenew else { return nil }
            mayRenew = false
            state = .none
        }
        return try await current()
    }

    private func current() async throws(Requester.Failure) -> Credentials {
        let task: Task<Outcome, Never>
        switch state {
        case .known(let outcome): return try outcome.get()
        case .fetching(let running): task = running
        case .none:
            task = Task { await fetch() }
            state = .fetching(task)
        }
        // The lanes of a crawl are cancelled together, so that nobody is left who waits for the answer.
        let outcome = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .fetching(let running) = state, running == task { state = .known(outcome) }
        return try outcome.get()
    }

    private func fetch() async -> Outcome {
        do throws(Requester.Failure) {
            let cookie = try await fetchCookie()
            let request = requests.further(plan.crumb, of: main, cookie: cookie)
            let crumb = try await requester.send(request, purpose: "the crumb") {
                response, _ throws(FetchFailure) in
                if let failure = response.failure(hiding: [cookie]) { throw failure }
                return try response.body.withUnsafeBytes { bytes throws(FetchFailure) in
                    try Credentials.crumb(from: bytes)
                }
            }
            requester.secrets.add([crumb])
            return .success(Credentials(cookie: cookie, crumb: crumb, parameter: plan.parameter))
        } catch {
            return .failure(error)
        }
    }

    private func fetchCookie() async throws(Requester.Failure) -> String {
        let request = requests.further(plan.cookie, of: main)
        let cookie = try await requester.send(request, purpose: "the cookie") {
            response, _ throws(FetchFailure) in
            try Self.cookie(in: response, asked: request.http.url)
        }
        let values = cookie.split(separator: "; ").compactMap { pair in
            pair.firstIndex(of: "=").map { String(pair[pair.index(after: $0)...]) }
        }
        requester.secrets.add([cookie] + values)
        return cookie
    }

    /// The cookie that an answer sets; its status is 404 as a rule.
    private static func cookie(in response: HTTPResponse, asked: String) throws(FetchFailure) -> String {
        switch response.status {
        case 408, 425, 429, 500...: if let failure = response.failure() { throw failure }
        default: break
        }
        let cookie = Credentials.cookie(from: response.headers.values(of: "Set-Cookie"), now: Date())
        let isRedirected = HTTPURL(asked)?.text != response.finalURL
        let isConsent = isRedirected && (cookie == nil || response.finalURL.lowercased().contains("consent"))
        guard !isConsent else {
            throw .handshake(.consent, detail: "leads to a web page that asks for consent instead of setting a cookie")
        }
        if let cookie { return cookie }
        if response.status == 401 || response.status == 403, let failure = response.failure() { throw failure }
        throw .handshake(.noCookie, detail: "answered \(response.status) without setting a cookie")
    }
}
