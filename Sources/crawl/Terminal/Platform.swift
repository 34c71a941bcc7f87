import CrawlCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// All that depends on the operating system, but for signals.
enum Platform {
    /// What became of bytes sent to a descriptor.
    enum WriteResult: Sendable, Equatable {
        /// All are written.
        case written
        /// The reader has closed its end.
        case closed
        /// The system refused with this `errno`.
        case failed(Int32)
    }

    /// Opens what of standard input, output and error is closed, as `/dev/null`.
    ///
    /// Else the next file to be opened, the database above all, would get the number and the program's words with it.
    /// To be called first in the program.
    static func openStandardDescriptors() {
        // Each gets the lowest free number; the first beyond 2 is one too many.
        var descriptor: Int32 = 0
        while (0...2).contains(descriptor) { descriptor = open("/dev/null", O_RDWR) }
        if descriptor > 2 { close(descriptor) }
    }

    /// Whether a descriptor is a terminal.
    static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// The columns and rows of the terminal behind a descriptor.
    ///
    /// What the terminal does not tell comes from `COLUMNS` and `LINES`, else it is 80 and 25.
    static func size(of descriptor: Int32, environment: [String: String]) -> (columns: Int, rows: Int) {
        var size = winsize()
        if ioctl(descriptor, UInt(TIOCGWINSZ), &size) != 0 {
            size = winsize()
        }
        func known(_ told: UInt16, _ variable: String) -> Int? {
            if told > 0 { return Int(told) }
            return environment[variable].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        }
        return (known(size.ws_col, "COLUMNS") ?? 80, known(size.ws_row, "LINES") ?? 25)
    }

    /// Writes all bytes; waits where the descriptor is set to not block.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> WriteResult {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = OutputCall.making(to: descriptor) {
                    writeOnce(UnsafeRawBufferPointer(rebasing: rest), to: descriptor)
                }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                    continue
                }
                switch errno {
                case EINTR:
                    continue
                case EAGAIN, EWOULDBLOCK:
                    var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = OutputCall.making(to: descriptor) { poll(&wait, 1, -1) }
                case EPIPE:
                    return .closed
                default:
                    return .failed(errno)
                }
            }
            return .written
        }
    }

    /// What the system says of an `errno`.
    static func text(ofError number: Int32) -> String {
        strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }

    /// Seconds of a clock that never goes back; the zero is arbitrary.
    static func monotonicSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Whether text for people may go beyond ASCII.
    static func isUTF8(_ environment: [String: String]) -> Bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        let name = locale?.lowercased() ?? ""
        return name.contains("utf-8") || name.contains("utf8")
    }

    /// The system's own `write`, safe within a signal handler.
    static func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
