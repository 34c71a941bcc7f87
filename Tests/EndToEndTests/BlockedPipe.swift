import Foundation
import TestSupport

/// A named pipe in a scene's folder that takes only so much, for nobody reads it.
final class BlockedPipe: Sendable {
    /// Its path within the folder.
    static let name = "blocked"

    private let descriptor: Int32

    /// Makes it, and fills it but for so many bytes.
    init(in scene: Scene, leaving room: Int = 0) throws {
        let path = scene.folder.file(Self.name)
        guard mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
        descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.EIO) }
        // The number of `F_GETPIPE_SZ`, a macro that is not imported.
        var rest = Int(fcntl(descriptor, 1032)) - room
        // A page at a time, so that the last one has the room.
        let page = [UInt8](repeating: 0x2E, count: Int(getpagesize()))
        while rest > 0 {
            let count = write(descriptor, page, min(rest, page.count))
            guard count > 0 else { break }
            rest -= count
        }
    }

    deinit {
        close(descriptor)
    }

    /// Whether the system tells in what a thread waits, tried with a program that waits for a reader.
    static let canBeWatched: Bool = {
        guard let folder = try? TemporaryFolder(), mkfifo(folder.file(name), 0o600) == 0,
            let program = try? Program(
                "/bin/sh", ["-c", "exec cat /dev/zero 1<>\(name)"], workingFolder: folder.path)
        else { return false }
        var isSeen = false
        for _ in 0..<2000 where !isSeen {
            usleep(5_000)
            isSeen = holdsUp(program)
        }
        program.send(SIGKILL)
        _ = program.waitForEnd(Sanitizer.patience)
        return isSeen
    }()

    /// Whether a thread of the program waits for the reader of a pipe or of a terminal.
    static func holdsUp(_ program: Program) -> Bool {
        waitsOfThreads(program.processIdentifier).contains { wait in
            ["pipe_write", "wait_for_partner", "fifo_open", "wait_woken", "n_tty_write"].contains { wait.contains($0) }
        }
    }

    /// The functions of the kernel that the threads wait in.
    private static func waitsOfThreads(_ process: pid_t) -> [String] {
        let folder = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return threads.compactMap { try? String(contentsOfFile: "\(folder)/\($0)/wchan", encoding: .utf8) }
    }
}
