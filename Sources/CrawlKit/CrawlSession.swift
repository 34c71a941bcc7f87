import CrawlCore
import CrawlHTTP
import CrawlStore
import StandInAPI

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
    private let standIn = Locked<StandInServer?>(nil)

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
        let clock = HostClock(limit: try options.rateLimit(), memory: .stored(in: store))
        let client = CurlClient(
            CurlClient.Options(
                userAgent: options.userAgent, environment: ProcessInfo.processInfo.environment))
        return CrawlSession(store: store, client: client, clock: clock)
    }

    /// The running stand-in, started when first asked for.
    func standInServer() throws -> StandInServer {
        try standIn.withLock { server in
            if let server { return server }
            var configuration = StandInConfiguration()
            configuration.pricesMove = true
            let started = try StandInServer(configuration: configuration)
            server = started
            return started
        }
    }

    /// Stores what waits and gives everything back.
    func close() async {
        await store.close()
        await client.close()
        let server = standIn.withLock { server in
            defer { server = nil }
            return server
        }
        server?.stop()
    }
}

extension HostClock.Memory {
    /// Keeps the times in the table `crawl_hosts`, so that a crawl that is begun again waits out the rest.
    static func stored(in store: Store) -> HostClock.Memory {
        HostClock.Memory(
            load: { host in
                // A database that cannot be read fails the crawl at its first page; no need to say so twice.
                (try? await store.hostClocks())?[host].flatMap(Timestamp.date)
            },
            store: { host, notBefore in
                try? await store.setHostClock(host, notBefore: Timestamp.text(notBefore))
            })
    }
}
