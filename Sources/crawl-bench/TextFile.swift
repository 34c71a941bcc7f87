import Glibc

/// Reads text from files and pipes.
enum TextFile {
    /// The beginning of a file, at most 4 KB.
    ///
    /// - Throws: `BenchFailure` where it cannot be read.
    static func beginning(of path: String) throws -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchFailure("\(path) cannot be read", errno: errno) }
        defer { close(descriptor) }
        return try line(from: descriptor)
    }

    /// The first line, or all up to 4 KB where no line ends before; waits for it.
    ///
    /// - Throws: `BenchFailure` where the descriptor cannot be read.
    static func line(from descriptor: Int32) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < buffer.count, !bytes.contains(0x0A) {
            let count = read(descriptor, &buffer, buffer.count - bytes.count)
            guard count >= 0 else { throw BenchFailure("reading failed", errno: errno) }
            if count == 0 { break }
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes all of the text at once; a reader that has gone is no error here.
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
