import CrawlCore
import Glibc

/// A file that takes its name when it is whole; until then it has none, or one that tells what it is.
///
/// The process that writes it holds a flock(2) lock on it. A leftover of a process that was killed is a file of such a
/// name that nobody has locked.
/// https://man7.org/linux/man-pages/man2/open.2.html (`O_TMPFILE`)
final class TemporaryFile {
    /// Takes the bytes; closed with the last reference.
    let descriptor: Int32
    private let folder: String
    /// The name that it has now, nil where it has none, or the one that it is for.
    private var name: String? {
        didSet { Self.note(name, insteadOf: oldValue) }
    }

    private static let prefix = ".crawl-export-"

    /// Makes a file in the folder.
    ///
    /// - Parameter isNameless: whether to try for a file without a name, of which nothing can be left behind.
    /// - Throws: `SystemError`.
    init(in folder: String, isNameless: Bool = true) throws {
        self.folder = folder
        if isNameless, let descriptor = Self.openNameless(in: folder) {
            self.descriptor = descriptor
        } else {
            (descriptor, name) = try Self.openNamed(in: folder)
            Self.note(name, insteadOf: nil)
        }
    }

    deinit {
        // Before the lock goes with the descriptor.
        if let name {
            unlink(name)
            Self.note(nil, insteadOf: name)
        }
        close(descriptor)
    }

    /// Takes the name, in place of the file that had it.
    ///
    /// - Throws: `SystemError`.
    func takeName(_ path: String) throws {
        var number = EEXIST
        if name == nil {
            if link(to: path) { return }
            number = errno
            // A link takes no name that is given; only a rename does, and that takes a name to begin with.
            for _ in 0..<16 where number == EEXIST && name == nil {
                let name = Self.randomName(in: folder)
                if link(to: name) { self.name = name } else { number = errno }
            }
        }
        guard let name else { throw SystemError(number) }
        KillPoint.outputNamed.pass()
        guard rename(name, path) == 0 else { throw SystemError(errno) }
        self.name = nil
    }

    private func link(to path: String) -> Bool {
        linkat(AT_FDCWD, Self.place(of: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
    }
}

// MARK: - Making

extension TemporaryFile {
    /// A file without a name, nil where the file system or the lack of `/proc` forbids it.
    private static func openNameless(in folder: String) -> Int32? {
        // The macro `O_TMPFILE` is not imported; its value is the kernel's on every machine that Swift runs on.
        let descriptor = open(folder, 0o20_000_000 | O_DIRECTORY | O_WRONLY | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return nil }
        guard access(place(of: descriptor), F_OK) == 0 else {
            close(descriptor)
            return nil
        }
        // Fails only where nobody can lock anything; there is nothing to wait for.
        flock(descriptor, LOCK_EX | LOCK_NB)
        return descriptor
    }

    private static func openNamed(in folder: String) throws -> (descriptor: Int32, name: String) {
        var number = EEXIST
        for _ in 0..<16 where number == EEXIST {
            let name = randomName(in: folder)
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard descriptor >= 0 else {
                number = errno
                continue
            }
            flock(descriptor, LOCK_EX | LOCK_NB)
            // Until it was locked it looked like a leftover; somebody may have removed it as one.
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_nlink > 0 { return (descriptor, name) }
            close(descriptor)
        }
        throw SystemError(number)
    }

    private static func place(of descriptor: Int32) -> String {
        "/proc/self/fd/\(descriptor)"
    }

    private static func randomName(in folder: String) -> String {
        "\(folder)/\(prefix)\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
    }
}

// MARK: - Leftovers

extension TemporaryFile {
    /// Removes what killed programs left in the folder, as far as that is allowed.
    static func removeLeftovers(in folder: String) {
        guard let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if isOurs(name) { names.append("\(folder)/\(name)") }
        }
        for name in names { removeIfLeft(name) }
    }

    /// Whether the name is one that `randomName(in:)` makes.
    private static func isOurs(_ name: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && Int32(parts[0]) != nil && UInt32(parts[1], radix: 36) != nil
    }

    private static func removeIfLeft(_ name: String) {
        let descriptor = open(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            flock(descriptor, LOCK_EX | LOCK_NB) == 0, FileIdentity(path: name) == FileIdentity(status)
        else { return }
        unlink(name)
    }
}

// MARK: - An end without unwinding

extension TemporaryFile {
    /// The names that files of this process have now.
    private static let names = Locked<Set<String>>([])

    private static func note(_ name: String?, insteadOf former: String?) {
        names.withLock { names in
            if let former { names.remove(former) }
            if let name { names.insert(name) }
        }
    }

    /// Removes what this process has not finished.
    fileprivate static func removeAll() {
        for name in names.withLock({ $0 }) { unlink(name) }
    }
}

/// The files that are being written, for a program that has to end in the middle of that.
package enum UnfinishedFiles {
    /// Removes them; to be called right before the end, for whoever writes one finds it gone.
    package static func remove() {
        TemporaryFile.removeAll()
    }
}
