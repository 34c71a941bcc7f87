import CrawlCore
import Foundation
import TestSupport

/// A pipe that a test reads from.
final class TestPipe: Sendable {
    let writeEnd: Int32
    private let readEnd: Locked<Int32>

    init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw TestFailure("no pipe") }
        readEnd = Locked(ends[0])
        writeEnd = ends[1]
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        // A program that another test starts meanwhile must not keep the reader's end open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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
        // A program that another test started in the very instant before that has it until its end.
        var place = pollfd(fd: writeEnd, events: 0, revents: 0)
        let deadline = Date().addingTimeInterval(Sanitizer.patience)
        while poll(&place, 1, 10) == 0, Date() < deadline {}
    }

    deinit {
        readEnd.withLock { if $0 >= 0 { close($0) } }
        close(writeEnd)
    }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
    private let seconds = Locked(1000.0)

    var now: Double {
        seconds.withLock { $0 }
    }

    func advance(_ step: Double) {
        seconds.withLock { $0 += step }
    }
}
