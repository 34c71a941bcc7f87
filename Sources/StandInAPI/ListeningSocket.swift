#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import CrawlCore

/// A listening socket on 127.0.0.1 and nowhere else.
struct ListeningSocket {
    let descriptor: Int32
    let port: Int

    /// Binds the port, or a free one for 0.
    ///
    /// - Throws: exit code 64 for a number that is no port, 69 where the port cannot be had.
    init(port: Int) throws(CrawlError) {
        guard let number = UInt16(exactly: port) else {
            throw CrawlError(
                .usage, "\(port) is no port", remedy: "Give --port a number from 0 (any free one) to 65535.")
        }
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #else
            let kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        guard descriptor >= 0 else { throw Self.failure(port, errno) }
        // A server that was killed leaves connections behind that would block its port for a minute.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = number.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                guard bind(descriptor, generic, size) == 0, listen(descriptor, 512) == 0,
                    getsockname(descriptor, generic, &size) == 0
                else { return errno }
                return 0
            }
        }
        guard status == 0 else {
            Self.close(descriptor)
            throw Self.failure(port, status)
        }
        self.descriptor = descriptor
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    /// Closes a socket that no server has taken over.
    func close() {
        Self.close(descriptor)
    }

    private static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #elseif canImport(Musl)
            _ = Musl.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    private static func failure(_ port: Int, _ code: Int32) -> CrawlError {
        CrawlError(
            .unavailable, "The stand-in cannot listen on 127.0.0.1:\(port): \(String(cString: strerror(code)))",
            remedy: "Choose another port with --port, or --port 0 for any free one.")
    }
}
