import CrawlCore
import Foundation
import Glibc

/// A server on loopback that plays a script for each request, however wrong as HTTP.
///
/// It has threads of its own, one that accepts and one a connection. They keep the server alive until `stop()`, which
/// ends them all and closes every socket; `run` does that whatever happens.
package final class ScriptedServer: Sendable {
    private struct State {
        var requests: [Request] = []
        var connections = 0
        var open: Set<Int32> = []
        var threads: [pthread_t] = []
        var isStopped = false
        var isReleased = false
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: Int32
    private let readsRequests: Bool
    private let script: @Sendable (Request) -> [Step]
    private let state = Locked(State())

    /// A server that asks `script` what to do for each request.
    ///
    /// After the steps the connection waits for the next request, unless one of them closed it. Without `readingRequests` the
    /// steps begin as soon as the connection stands, and it is closed after them.
    package init(readingRequests: Bool = true, script: @escaping @Sendable (Request) -> [Step]) throws {
        self.script = script
        readsRequests = readingRequests
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw Self.systemError() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = listener
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, length) == 0 && listen(listening, 256) == 0
                    && getsockname(listening, address, &length) == 0
            }
        }
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else {
            Glibc.close(listener)
            throw Self.systemError()
        }
        start { [self] in accept() }
    }

    /// A server that plays the scripts in turn, the last one again and again.
    package convenience init(_ scripts: [Step]...) throws {
        try self.init { request in
            scripts.isEmpty ? [.close] : scripts[min(request.number, scripts.count) - 1]
        }
    }

    /// Runs `body` with a server that plays the scripts in turn, and stops the server afterwards.
    package static func run<Result>(
        _ scripts: [Step]..., body: (ScriptedServer) async throws -> Result
    ) async throws -> Result {
        let server = try ScriptedServer { request in
            scripts.isEmpty ? [.close] : scripts[min(request.number, scripts.count) - 1]
        }
        defer { server.stop() }
        return try await body(server)
    }

    /// An address on the server.
    package func url(_ target: String = "/") -> String {
        "http://127.0.0.1:\(port)\(target)"
    }

    /// The requests that came so far.
    package var requests: [Request] {
        state.withLock { $0.requests }
    }

    /// The connections that came so far.
    package var connectionCount: Int {
        state.withLock { $0.connections }
    }

    /// The connections that are open now.
    package var openConnectionCount: Int {
        state.withLock { $0.open.count }
    }

    /// Lets every script go on that waits for it, now and later.
    package func release() {
        state.withLock { $0.isReleased = true }
    }

    /// Ends all threads and closes all sockets; returns when that is done.
    package func stop() {
        let threads = state.withLock { state in
            let isFirst = !state.isStopped
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
            if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
            defer { state.threads = [] }
            return state.threads
        }
        for thread in threads { pthread_join(thread, nil) }
        // The thread that accepts may have begun connections before it saw the end.
        let late = state.withLock { state in
            defer { state.threads = [] }
            return state.threads
        }
        for thread in late { pthread_join(thread, nil) }
    }

    private func accept() {
        defer { Glibc.close(listener) }
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            if connection < 0 && errno == EINTR { continue }
            guard connection >= 0 else { return }
            // Programs that other tests start meanwhile must not inherit it: it would stay open.
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.connections += 1
                state.open.insert(connection)
                return state.connections
            }
            guard let number else {
                Glibc.close(connection)
                return
            }
            start { [self] in serve(connection, number: number) }
        }
    }

    private func serve(_ connection: Int32, number: Int) {
        defer {
            state.withLock { state in
                state.open.remove(connection)
                Glibc.close(connection)
            }
        }
        var isOpen = true
        while isOpen {
            guard let head = readsRequests ? readHead(connection) : "" else { return }
            let request = state.withLock { state in
                let request = Request(number: state.requests.count + 1, connection: number, head: head)
                state.requests.append(request)
                return request
            }
            isOpen = readsRequests
            for step in script(request) where !play(step, on: connection) {
                isOpen = false
                break
            }
        }
    }

    /// Plays a step; false where the connection is at its end.
    private func play(_ step: Step, on connection: Int32) -> Bool {
        switch step {
        case .bytes(let bytes):
            return send(bytes, on: connection)
        case .drip(let bytes, let pause):
            for (index, byte) in bytes.enumerated() {
                guard index == 0 || isQuiet(connection, for: pause), send([byte], on: connection) else { return false }
            }
            return true
        case .endless(let bytes):
            while send(bytes, on: connection) {}
            return false
        case .pause(let duration):
            return isQuiet(connection, for: duration)
        case .hang:
            _ = isQuiet(connection, for: nil)
            return false
        case .waitForRelease:
            while !state.withLock({ $0.isReleased }) {
                guard isQuiet(connection, for: .milliseconds(5)) else { return false }
            }
            return true
        case .close:
            return false
        case .reset:
            var abrupt = linger(l_onoff: 1, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
            return false
        }
    }

    /// `POLLRDHUP` of Linux, which the headers hide without `_GNU_SOURCE`.
    private static let closedByPeer: Int16 = 0x2000

    /// Waits; false as soon as the other side closes or the server stops.
    private func isQuiet(_ connection: Int32, for duration: Duration?) -> Bool {
        let milliseconds = duration.map { Int32(clamping: Int($0 / .milliseconds(1))) } ?? -1
        var descriptor = pollfd(fd: connection, events: Self.closedByPeer, revents: 0)
        return poll(&descriptor, 1, milliseconds) == 0
    }

    private func send(_ bytes: [UInt8], on connection: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(connection, buffer.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads until the empty line after the fields; nil where the connection ends before it.
    private func readHead(_ connection: Int32) -> String? {
        var head: [UInt8] = []
        let end = Array("\r\n\r\n".utf8)
        var byte: UInt8 = 0
        while head.count < 1 << 16 {
            guard recv(connection, &byte, 1, 0) == 1 else { return nil }
            head.append(byte)
            if head.suffix(4).elementsEqual(end) { return String(decoding: head.dropLast(4), as: UTF8.self) }
        }
        return nil
    }

    private func start(_ work: @escaping @Sendable () -> Void) {
        final class Work: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        var thread = pthread_t()
        let context = Unmanaged.passRetained(Work(work))
        let result = pthread_create(
            &thread, nil,
            { context in
                if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context.toOpaque())
        precondition(result == 0, "no thread for the scripted server")
        state.withLock { $0.threads.append(thread) }
    }

    private static func systemError() -> any Error {
        NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
    }
}
