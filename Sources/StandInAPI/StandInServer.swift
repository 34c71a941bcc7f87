import CMicroHTTPD
import CrawlCore

/// The stand-in of the public APIs: real HTTP on 127.0.0.1, invented data, faults on request.
///
/// Holds two threads and keeps nothing on disk; killing its process at any instant leaves nothing behind. It answers
/// many connections at once and keeps them alive. It stops when the last reference to it goes, which can be right after
/// its last use: hold it with `withExtendedLifetime` or call `stop()` at the end. See
/// <https://www.gnu.org/software/libmicrohttpd/manual/>.
package final class StandInServer: Sendable {
    /// The port that it listens on.
    package let port: Int
    private let engine: StandInEngine
    private let daemon: Locked<Daemon?>

    /// The running server of libmicrohttpd, whose functions may be called from any thread.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Starts serving; when it returns, connections are accepted.
    ///
    /// - Throws: exit code 69 where the port cannot be had, 64 where the number is no port.
    package init(configuration: StandInConfiguration = StandInConfiguration()) throws(CrawlError) {
        let listening = try ListeningSocket(port: configuration.port)
        guard let clock = WakeUpClock() else {
            listening.close()
            throw Self.failure
        }
        let engine = StandInEngine(configuration, clock: clock)
        let daemon = crawl_httpd_start(
            listening.descriptor, 1_000, Unmanaged.passUnretained(engine).toOpaque(),
            { _, target, _ in
                Unmanaged.passRetained(Exchange(target: target.map { String(cString: $0) } ?? "/")).toOpaque()
            },
            { engine, connection, _, method, _, _, uploadSize, exchange in
                guard let engine, let connection, let exchange = exchange?.pointee else { return .NO }
                return Unmanaged<StandInEngine>.fromOpaque(engine).takeUnretainedValue().handle(
                    connection, method: method, uploadSize: uploadSize,
                    Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue())
            },
            { _, _, exchange, _ in
                guard let pointer = exchange?.pointee else { return }
                Unmanaged<Exchange>.fromOpaque(pointer).release()
                exchange?.pointee = nil
            })
        guard let daemon else {
            clock.stop()
            listening.close()
            throw Self.failure
        }
        port = listening.port
        self.engine = engine
        self.daemon = Locked(Daemon(pointer: daemon))
    }

    deinit {
        stop()
    }

    /// The address without a closing slash, `http://127.0.0.1:8090`.
    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// The address of an endpoint by its name (`users`, `quotes.crumb`), or nil where the stand-in does not play it.
    package func url(of source: String) -> String? {
        StandInAPI.path(of: source).map { baseURL + $0 }
    }

    /// The seed of all data; the random one where none was configured.
    package var seed: UInt64 { engine.state.withLock { $0.seed } }

    /// The people that users draws from.
    package var population: Population { engine.state.withLock { $0.population } }

    /// What was served so far; `GET /stand-in/stats` tells the same and is not counted itself.
    package var statistics: StandInStatistics { engine.state.withLock { $0.statistics } }

    /// Commits these faults from the next request on; requests go on being counted from where they were.
    package func replaceFaults(_ faults: [Fault]) {
        engine.state.withLock { $0.faults = faults }
    }

    /// Closes all connections, hanging ones too, and joins both threads; does nothing the second time.
    ///
    /// Returns within milliseconds.
    package func stop() {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        engine.clock.stop()
        MHD_stop_daemon(running.pointer)
    }

    private static let failure = CrawlError(
        .unavailable, "The stand-in cannot start: the system gives it no thread",
        remedy: "Close some programs, or raise the limits that `ulimit -a` shows.")
}
