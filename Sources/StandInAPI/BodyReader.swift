import CMicroHTTPD

/// Hands a body to libmicrohttpd bit by bit: cut off, dripping or without end.
///
/// Belongs to one response on one connection and is only touched within its content reader callback.
final class BodyReader {
    private let bytes: [UInt8]
    private let delivery: Answer.Delivery
    private let connection: OpaquePointer
    private let clock: WakeUpClock
    private var mayDrip = false

    init(_ bytes: [UInt8], _ delivery: Answer.Delivery, connection: OpaquePointer, clock: WakeUpClock) {
        self.bytes = bytes
        self.delivery = delivery
        self.connection = connection
        self.clock = clock
    }

    /// Writes the bytes from `position` on that are due now, and returns their number.
    func read(from position: UInt64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch delivery {
        case .cut(let end):
            return copy(from: Int(position), upTo: min(end, bytes.count), into: buffer)
        case .drip(let interval):
            guard mayDrip else {
                guard clock.sleep(connection, for: interval) else { return crawl_httpd_cut }
                mayDrip = true
                return 0
            }
            mayDrip = false
            return copy(from: Int(position), upTo: min(Int(position) + 1, bytes.count), into: buffer)
        case .endless:
            guard !bytes.isEmpty, !clock.isStopped else { return crawl_httpd_cut }
            let start = Int(position % UInt64(bytes.count))
            return copy(from: start, upTo: bytes.count, into: buffer)
        default:
            return copy(from: Int(position), upTo: bytes.count, into: buffer)
        }
    }

    private func copy(from start: Int, upTo end: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard start < end else { return crawl_httpd_cut }
        let count = min(end - start, buffer.count)
        buffer.copyBytes(from: bytes[start..<start + count])
        return count
    }
}
