import CrawlCore
import Glibc

/// An open descriptor of a database file, beside those that SQLite opens.
///
/// It reads the header before SQLite touches anything, and carries the crawl lock. POSIX drops all of a process's
/// record locks on a file, SQLite's too, as soon as the process closes any descriptor of it. Descriptors are therefore
/// closed only when the process has no `DatabaseFile` of that file left; each `Connection` holds one.
/// https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
final class DatabaseFile: Sendable {
    /// The file as the user named it.
    let path: String
    let descriptor: Int32
    private let identity: FileIdentity

    private struct OpenFile {
        var users = 0
        var closing: [Int32] = []
    }

    private static let openFiles = Locked<[FileIdentity: OpenFile]>([:])

    /// Opens the file with the flags of open(2).
    ///
    /// - Throws: `SystemError` with what open(2) says.
    init(path: String, flags: Int32) throws {
        self.path = path
        (descriptor, identity) = try Self.openFiles.withLock { files in
            let descriptor = Glibc.open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o666)
            guard descriptor >= 0 else { throw SystemError(errno) }
            // Even where this fails nothing may be closed here, and it does not fail on an open descriptor.
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw SystemError(errno) }
            let identity = FileIdentity(status)
            files[identity, default: OpenFile()].users += 1
            return (descriptor, identity)
        }
    }

    deinit {
        flock(descriptor, LOCK_UN)
        Self.openFiles.withLock { files in
            guard var file = files.removeValue(forKey: identity) else { return }
            file.users -= 1
            file.closing.append(descriptor)
            if file.users == 0 {
                for descriptor in file.closing { close(descriptor) }
            } else {
                files[identity] = file
            }
        }
    }

    /// Whether the path still leads to this file, and not to another one or to none.
    var isInPlace: Bool {
        FileIdentity(path: path) == identity
    }

    /// The first bytes of the file, fewer where it is shorter.
    func beginning(_ count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, 0)
        guard read >= 0 else { throw SystemError(errno) }
        return Array(bytes.prefix(read))
    }

    /// Takes the crawl lock if it is free.
    ///
    /// The lock goes with the descriptor, hence with the process, however that ends.
    func takeLock() -> Bool {
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Whether somebody else has the crawl lock.
    ///
    /// Must not be asked of a file that has the lock itself.
    var isLockedByAnother: Bool {
        guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else { return errno == EWOULDBLOCK }
        flock(descriptor, LOCK_UN)
        return false
    }

    /// The process that has the crawl lock, where the system tells.
    var lockHolder: Int32? {
        LockHolder.process(device: identity.device, inode: identity.inode)
    }
}

/// Which file it is, whatever its name.
struct FileIdentity: Hashable, Sendable {
    let device: UInt
    let inode: UInt

    init(_ status: stat) {
        device = UInt(status.st_dev)
        inode = UInt(status.st_ino)
    }

    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
