import Glibc
import StandInAPI

/// A blocking HTTP client of a few lines that hands out every byte of an answer, whole or broken.
final class WireClient {
    private let descriptor: Int32
    private var pending: [UInt8] = []
    /// Held, because a server stops when the last reference to it goes.
    private let server: StandInServer

    /// How an answer ended.
    enum End: Equatable {
        case complete
        case closed
        case reset
        case timedOut
    }

    /// What came back for one request.
    struct Answer {
        var status: Int?
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var end = End.complete
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    struct Failure: Error {}

    init(_ server: StandInServer, timeout: Duration = .seconds(20)) throws {
        self.server = server
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(server.port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw Failure()
        }
        let (seconds, attoseconds) = timeout.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Sends a request and reads its answer; at most `cap` bytes of the body.
    func get(
        _ target: String, method: String = "GET", headers: [String: String] = [:], cap: Int = 50_000_000
    ) -> Answer {
        send(target, method: method, headers: headers)
        return receive(hasBody: method != "HEAD", cap: cap)
    }

    /// Sends a request without waiting for the answer.
    func send(_ target: String, method: String = "GET", headers: [String: String] = [:]) {
        var request = "\(method) \(target) HTTP/1.1\r\nHost: stand.in:80\r\n"
        for (name, value) in headers { request += "\(name): \(value)\r\n" }
        request += "\r\n"
        let bytes = Array(request.utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    /// Reads one answer.
    func receive(hasBody: Bool = true, cap: Int = 50_000_000) -> Answer {
        var answer = Answer()
        let separator = Array("\r\n\r\n".utf8)
        var head = pending.firstRange(of: separator)
        while head == nil {
            let searched = max(0, pending.count - separator.count)
            if let end = fill() {
                answer.body = pending
                answer.end = end
                return answer
            }
            head = pending[searched...].firstRange(of: separator)
            if head == nil, pending.count > cap {
                answer.body = pending
                return answer
            }
        }
        guard let head else { return answer }
        let lines = String(decoding: pending[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
        pending.removeFirst(head.upperBound)
        answer.status = lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            answer.headers[line[..<colon].lowercased()] =
                String(line[line.index(after: colon)...].drop { $0 == " " })
        }
        guard hasBody, answer.status != 204, answer.status != 304 else { return answer }
        let wanted = answer.headers["content-length"].flatMap { Int($0) } ?? cap
        while pending.count < min(wanted, cap) {
            if let end = fill() {
                answer.end = end
                break
            }
        }
        let count = min(wanted, pending.count, cap)
        answer.body = Array(pending[..<count])
        pending.removeFirst(count)
        return answer
    }

    /// Reads what is there; the reason where nothing more comes.
    private func fill() -> End? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 {
            pending += buffer[..<count]
            return nil
        }
        if count == 0 { return .closed }
        return errno == EAGAIN ? .timedOut : .reset
    }
}

/// The answer to one request on a connection of its own.
func get(_ target: String, from server: StandInServer, headers: [String: String] = [:]) throws -> WireClient.Answer {
    try WireClient(server).get(target, headers: headers)
}
