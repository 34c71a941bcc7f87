import Foundation
import Synchronization

/// A pseudo-terminal, and what the program has drawn on it.
final class PseudoTerminal: Sendable {
    /// The descriptor of the side that the program writes to.
    let terminal: Int32
    private let controller: Int32

    init(columns: UInt16, rows: UInt16 = 24) throws {
        // Swift's view of glibc lacks posix_openpt and its kin; these are the requests that they make.
        let (numberRequest, lockRequest): (UInt, UInt) = (0x8004_5430, 0x4004_5431)
        controller = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (locked, number): (Int32, Int32) = (0, 0)
        guard controller >= 0, ioctl(controller, lockRequest, &locked) == 0,
            ioctl(controller, numberRequest, &number) == 0
        else { throw TestFailure("no pseudo-terminal") }
        terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        guard terminal >= 0 else { throw TestFailure("cannot open the pseudo-terminal") }
        resize(columns: columns, rows: rows)
        _ = fcntl(controller, F_SETFL, O_NONBLOCK)
    }

    func resize(columns: UInt16, rows: UInt16 = 24) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// All that was written since the last call; line breaks come back as the terminal turns them, `\r\n`.
    func written() -> String {
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

/// A pipe that a test reads from.
final class TestPipe: Sendable {
    let writeEnd: Int32
    private let readEnd: Mutex<Int32>

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TestFailure("no pipe") }
        readEnd = Mutex(ends[0])
        writeEnd = ends[1]
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    }

    /// All that was written since the last call.
    func written() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        let end = readEnd.withLock { $0 }
        while true {
            let count = read(end, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Closes the reader's end, as `head` does.
    func closeReader() {
        readEnd.withLock { end in
            if end >= 0 { close(end) }
            end = -1
        }
    }

    deinit {
        closeReader()
        close(writeEnd)
    }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let seconds = Mutex(1000.0)

    var now: Double {
        seconds.withLock { $0 }
    }

    func advance(_ step: Double) {
        seconds.withLock { $0 += step }
    }
}
