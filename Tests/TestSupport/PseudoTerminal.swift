import Foundation

/// A pseudo-terminal, and what a program has drawn on it.
package final class PseudoTerminal: Sendable {
    /// The descriptor of the side that the program writes to.
    package let terminal: Int32
    private let controller: Int32

    /// A terminal of that size; 0 columns is what a terminal without a known size says.
    ///
    /// - Throws: Where the system has no terminal to give.
    package init(columns: UInt16, rows: UInt16 = 24) throws {
        // Swift's view of glibc lacks posix_openpt and its kin; these are the requests that they make.
        let (numberRequest, lockRequest): (UInt, UInt) = (0x8004_5430, 0x4004_5431)
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, Int32) = (0, 0)
        guard controller >= 0, ioctl(controller, lockRequest, &locked) == 0,
            ioctl(controller, numberRequest, &number) == 0
        else { throw POSIXError(.ENODEV) }
        terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw POSIXError(.ENODEV) }
        resize(columns: columns, rows: rows)
        _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    }

    /// Changes the size that programs are told.
    package func resize(columns: UInt16, rows: UInt16 = 24) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// All that was written since the last call; line breaks come back as the terminal turns them, `\r\n`.
    package func written() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(controller, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        close(terminal)
        close(controller)
    }
}
