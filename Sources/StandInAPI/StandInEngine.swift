#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import CMicroHTTPD
import CrawlCore

/// Carries out on a connection what the stand-in decides.
///
/// Everything but `state` happens on libmicrohttpd's one thread, which never waits: whatever takes time suspends its
/// connection on the clock.
final class StandInEngine: Sendable {
    let state: Locked<StandIn>
    let clock: WakeUpClock
    private let log: (@Sendable (StandInRequestRecord) -> Void)?

    init(_ configuration: StandInConfiguration, clock: WakeUpClock) {
        state = Locked(StandIn(configuration))
        log = configuration.requestLog
        self.clock = clock
    }

    /// One call of libmicrohttpd's access handler; called again after each suspension.
    func handle(
        _ connection: OpaquePointer, method: UnsafePointer<CChar>?, uploadSize: UnsafeMutablePointer<Int>?,
        _ exchange: Exchange
    ) -> MHD_Result {
        switch exchange.step {
        case .headers:
            exchange.step = .decide
            return .YES
        case .decide:
            if let uploadSize, uploadSize.pointee > 0 {
                uploadSize.pointee = 0
                return .YES
            }
            let request = Request(
                method: method.map { String(cString: $0) } ?? "", target: exchange.target, headers: headers(connection))
            let answer = state.withLock { $0.answer(request, moment: time(nil)) }
            // Outside the lock, so that the log may ask the server for its statistics.
            if let log, let record = answer.record { log(record) }
            guard answer.delay > .zero else { return deliver(answer, on: connection, exchange) }
            exchange.step = .due(answer)
            return sleep(connection, for: answer.delay)
        case .due(let answer):
            return clock.isStopped ? .NO : deliver(answer, on: connection, exchange)
        case .hanging(let end):
            guard ContinuousClock.now < end, isOpen(connection) else { return .NO }
            return sleep(connection, for: .milliseconds(100))
        case .flooding(let sent):
            return flood(connection, sent, exchange)
        }
    }

    private func headers(_ connection: OpaquePointer) -> [String: String] {
        var headers: [String: String] = [:]
        for name in Request.headerNames {
            guard let value = MHD_lookup_connection_value(connection, .HEADER_KIND, name) else { continue }
            headers[name] = String(cString: value)
        }
        return headers
    }

    private func sleep(_ connection: OpaquePointer, for duration: Duration) -> MHD_Result {
        clock.sleep(connection, for: duration) ? .YES : .NO
    }

    private func deliver(_ answer: Answer, on connection: OpaquePointer, _ exchange: Exchange) -> MHD_Result {
        switch answer.delivery {
        case .whole:
            return queue(answer, on: connection, whole(answer))
        case .cut, .drip:
            return queue(answer, on: connection, read(answer, size: UInt64(answer.body.count), connection))
        case .endless:
            return queue(answer, on: connection, read(answer, size: crawl_httpd_unknown_size, connection))
        case .hang(let duration):
            exchange.step = .hanging(until: .now + duration)
            return sleep(connection, for: .milliseconds(100))
        case .close:
            return .NO
        case .reset:
            // To dissolve a connection sends RST, where libmicrohttpd's own way of closing would send FIN first.
            var nowhere = sockaddr()
            nowhere.sa_family = sa_family_t(AF_UNSPEC)
            connect(crawl_httpd_socket(connection), &nowhere, socklen_t(MemoryLayout<sockaddr>.size))
            return .NO
        case .raw:
            _ = write(answer.body.bytes, to: connection)
            return .NO
        case .endlessHeaders:
            _ = write(Array("HTTP/1.1 200 OK\r\n".utf8), to: connection)
            return flood(connection, 0, exchange)
        }
    }

    private func whole(_ answer: Answer) -> OpaquePointer? {
        switch answer.body {
        case .bytes(let bytes):
            bytes.withUnsafeBytes { body in
                MHD_create_response_from_buffer(
                    body.count, UnsafeMutableRawPointer(mutating: body.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .shared(let pages, let index):
            MHD_create_response_from_buffer(
                pages[index].count, UnsafeMutableRawPointer(mutating: pages[index].baseAddress),
                .RESPMEM_PERSISTENT)
        }
    }

    private func read(_ answer: Answer, size: UInt64, _ connection: OpaquePointer) -> OpaquePointer? {
        let reader = BodyReader(answer.body.bytes, answer.delivery, connection: connection, clock: clock)
        let context = Unmanaged.passRetained(reader)
        let response = MHD_create_response_from_callback(
            size, 32_768,
            { context, position, buffer, capacity in
                guard let context, let buffer else { return crawl_httpd_cut }
                let reader = Unmanaged<BodyReader>.fromOpaque(context).takeUnretainedValue()
                return reader.read(
                    from: position, into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }, context.toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<BodyReader>.fromOpaque(context).release()
            })
        if response == nil { context.release() }
        return response
    }

    private func queue(_ answer: Answer, on connection: OpaquePointer, _ response: OpaquePointer?) -> MHD_Result {
        guard let response else { return .NO }
        for header in answer.headers { MHD_add_response_header(response, header.name, header.value) }
        let result = MHD_queue_response(connection, UInt32(answer.status), response)
        MHD_destroy_response(response)
        return result
    }

    /// Sends headers as long as the client takes them, at most 64 MB.
    private func flood(_ connection: OpaquePointer, _ sent: Int, _ exchange: Exchange) -> MHD_Result {
        let line = Array("x-stand-in: \(String(repeating: "endless ", count: 100))\r\n".utf8)
        var total = sent
        while total < 64_000_000 {
            guard let count = write(line, to: connection) else { return .NO }
            guard count > 0 else {
                exchange.step = .flooding(total)
                return sleep(connection, for: .milliseconds(10))
            }
            total += count
        }
        return .NO
    }

    /// Writes past libmicrohttpd; 0 where the socket takes nothing now, nil where it is closed.
    private func write(_ bytes: [UInt8], to connection: OpaquePointer) -> Int? {
        let count = send(
            crawl_httpd_socket(connection), bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    private func isOpen(_ connection: OpaquePointer) -> Bool {
        var byte: UInt8 = 0
        let count = recv(crawl_httpd_socket(connection), &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        return count > 0 || count < 0 && (errno == EAGAIN || errno == EINTR)
    }
}
