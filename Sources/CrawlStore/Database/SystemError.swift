import Glibc

/// What a system call says when it fails.
struct SystemError: Error {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
    }

    /// The system's words for it.
    var description: String {
        String(cString: strerror(number))
    }
}

/// Folders and the kinds of files.
enum FileSystem {
    /// The folder that holds `path`.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes the folder and those above it where they are missing; durable when it returns.
    ///
    /// - Throws: `SystemError`.
    static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o777) == 0 { return synchroniseFolder(folder(of: path)) }
        switch errno {
        case EEXIST:
            // A file of that name is found out by whatever opens a path below it.
            return
        case ENOENT where folder(of: path) != path:
            try makeFolder(folder(of: path))
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError(errno) }
            synchroniseFolder(folder(of: path))
        default:
            // A read-only or forbidden place above an existing folder answers so too.
            let number = errno
            guard kind(of: path) == S_IFDIR else { throw SystemError(number) }
        }
    }

    /// The file's kind as in `st_mode`, links followed; nil where there is none.
    static func kind(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
    }

    /// The path without links, nil where there is no such file.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The size of the file in bytes, 0 where there is none.
    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Makes durable which files a folder holds; where a file system cannot do that, it needs no help.
    static func synchroniseFolder(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
