import CrawlCore
import Glibc

/// Collects bytes and writes them to a descriptor in large pieces.
///
/// Not Sendable: belongs to the thread of the export.
final class OutputBuffer {
    private static let capacity = 262_144

    /// Bytes added so far.
    var total: Int { written + count }

    private let descriptor: Int32
    private let name: String
    private let base = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    private var count = 0
    private var written = 0

    /// `name` is what messages call the destination.
    init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    deinit {
        base.deallocate()
    }

    /// Room for `size` bytes, which must be no more than 65,536; what was written there counts after `advance(_:)`.
    @inline(__always)
    func room(_ size: Int) throws -> UnsafeMutablePointer<UInt8> {
        if Self.capacity - count < size { try flush() }
        return base + count
    }

    @inline(__always)
    func advance(_ size: Int) {
        count += size
    }

    @inline(__always)
    func append(_ byte: UInt8) throws {
        try room(1).pointee = byte
        count += 1
    }

    @inline(__always)
    func append(_ bytes: UnsafePointer<UInt8>, _ size: Int) throws {
        if size > Self.capacity - count { return try appendInParts(bytes, size) }
        (base + count).update(from: bytes, count: size)
        count += size
    }

    func append(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { try append(start, buffer.count) }
        }
    }

    func append(_ text: String) throws {
        var text = text
        try text.withUTF8 { buffer in
            if let start = buffer.baseAddress { try append(start, buffer.count) }
        }
    }

    private func appendInParts(_ bytes: UnsafePointer<UInt8>, _ size: Int) throws {
        var done = 0
        while done < size {
            if count == Self.capacity { try flush() }
            let part = min(size - done, Self.capacity - count)
            (base + count).update(from: bytes + done, count: part)
            count += part
            done += part
        }
    }

    /// Writes all that was added.
    ///
    /// - Throws: `CrawlError`: exit code 141 where the reader has gone, else 74.
    func flush() throws {
        var done = 0
        while done < count {
            let result = OutputCall.making(to: descriptor) { write(descriptor, base + done, count - done) }
            if result >= 0 {
                done += result
                KillPoint.outputPartWritten.pass()
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                // The descriptor of a terminal or pipe may be set to return at once by whoever shares it.
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = OutputCall.making(to: descriptor) { poll(&waiting, 1, -1) }
            case EPIPE: throw CrawlError(.brokenPipe, "The reader of \(name) has gone")
            case let number:
                throw CrawlError(
                    .database, "\(name) cannot be written (\(SystemError(number).description))",
                    remedy: "The database is unharmed; free some space or choose another file, "
                        + "then repeat the command.")
            }
        }
        written += count
        count = 0
    }
}
