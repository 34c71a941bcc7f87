import CrawlCore
import Glibc

/// A file that appears under its name whole or not at all.
///
/// Bytes go to a temporary file in the same folder, which takes the name once they are durable. What is no ordinary
/// file, such as a pipe or `/dev/stdout`, cannot be replaced and is written to as it is.
struct OutputFile: ~Copyable {
    /// Takes the bytes.
    let descriptor: Int32
    private let path: String
    private let temporaryPath: String?
    private var isFinished = false

    private init(descriptor: Int32, path: String, temporaryPath: String?) {
        self.descriptor = descriptor
        self.path = path
        self.temporaryPath = temporaryPath
    }

    /// Opens a file for the bytes that are to appear at `path`.
    ///
    /// - Throws: `CrawlError`, exit code 73.
    static func create(at path: String) throws -> OutputFile {
        let kind = FileSystem.kind(of: path)
        if kind == S_IFDIR || path.hasSuffix("/") || path.isEmpty { throw refusal(path, "is a folder") }
        if let kind, kind != S_IFREG {
            let descriptor = open(path, O_WRONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw refusal(path, SystemError(errno).description) }
            return OutputFile(descriptor: descriptor, path: path, temporaryPath: nil)
        }
        // The target of a link is replaced, not the link.
        let target = kind == nil ? path : resolved(path)
        let folder = FileSystem.folder(of: target)
        do {
            try FileSystem.makeFolder(folder)
        } catch let error as SystemError {
            throw refusal(path, error.description)
        }
        var number = EEXIST
        for _ in 0..<16 where number == EEXIST {
            let name = "\(folder)/.crawl-export-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
            let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { return OutputFile(descriptor: descriptor, path: target, temporaryPath: name) }
            number = errno
        }
        throw refusal(path, SystemError(number).description)
    }

    deinit {
        close(descriptor)
        if let temporaryPath, !isFinished { unlink(temporaryPath) }
    }

    /// Makes the bytes durable under the file's name.
    ///
    /// - Throws: `CrawlError`, exit code 74 where the disk fails, 73 where the name cannot be taken.
    mutating func finish() throws {
        guard let temporaryPath else { return }
        guard fsync(descriptor) == 0 else {
            throw CrawlError(
                .database, "\(path) cannot be written (\(SystemError(errno).description))",
                remedy: "The database is unharmed; free some space or choose another file, "
                    + "then repeat the command.")
        }
        guard rename(temporaryPath, path) == 0 else { throw Self.refusal(path, SystemError(errno).description) }
        isFinished = true
        FileSystem.synchroniseFolder(FileSystem.folder(of: path))
    }

    private static func resolved(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func refusal(_ path: String, _ reason: String) -> CrawlError {
        CrawlError(
            .cannotCreate, "The file \(path) cannot be created (\(reason))",
            remedy: "Choose another file; the database is unharmed.")
    }
}
