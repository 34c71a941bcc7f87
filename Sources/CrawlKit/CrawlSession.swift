import CrawlCore
import CrawlHTTP
import CrawlStore
import StandInAPI
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the crawls of one command share: the database, the HTTP client, the clocks of the hosts, the stand-in.
final class CrawlSession: Sendable {
    let store: Store
    let client: any HTTPClient
    let clock: HostClock
    private let standIn = Mutex<StandInServer?>(nil)

    private init(store: Store, client: any HTTPClient, clock: HostClock) {
        self.store = store
        self.client = client
        self.clock = clock
    }

    /// Opens the database and takes its lock.
    ///
    /// - Throws: `CrawlError` (73, 74, 75), with everything as it was.
    static func open(_ options: CrawlOptions) async throws -> CrawlSession {
        let store = try await Store.open(path: options.database)
        let clock = try await HostClock(rate: options.rateLimit(), memory: StoredHostClocks(store: store))
        let client = CurlClient(
            CurlClient.Options(
                userAgent: options.userAgent, environment: ProcessInfo.processInfo.environment))
        return CrawlSession(store: store, client: client, clock: clock)
    }

    /// The running stand-in, started when first asked for.
    func standInServer() throws -> StandInServer {
        try standIn.withLock { server in
            if let server { return server }
            let started = try StandInServer()
            server = started
            return started
        }
    }

    /// Stores what waits and gives everything back.
    func close() async {
        await store.close()
        let server = standIn.withLock { server in
            defer { server = nil }
            return server
        }
        server?.stop()
    }
}
