import CrawlCore
import Glibc

/// A file that appears under its name whole or not at all.
///
/// Bytes go to a temporary file in the same folder, which takes the name once they are durable. The temporary file has
/// no name itself until then where the system can do that, so that a program that is killed leaves nothing behind;
/// where it cannot, or between two names, the next output into that folder removes what was left. What is no ordinary
/// file, such as a pipe or `/dev/stdout`, cannot be replaced and is written to as it is.
struct OutputFile: ~Copyable {
    /// Takes the bytes.
    let descriptor: Int32
    private let path: String
    private let temporary: TemporaryFile?

    private init(descriptor: Int32, path: String, temporary: TemporaryFile? = nil) {
        self.descriptor = descriptor
        self.path = path
        self.temporary = temporary
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
            return OutputFile(descriptor: descriptor, path: path)
        }
        // The target of a link is replaced, not the link.
        let target = kind == nil ? path : FileSystem.resolved(path) ?? path
        if DatabaseHeader.isOfSQLite(target) { throw refusal(path, "it is a SQLite database, or belongs to one") }
        let folder = FileSystem.folder(of: target)
        do {
            try FileSystem.makeFolder(folder)
            TemporaryFile.removeLeftovers(in: folder)
            let temporary = try TemporaryFile(in: folder)
            KillPoint.outputOpened.pass()
            return OutputFile(descriptor: temporary.descriptor, path: target, temporary: temporary)
        } catch let error as SystemError {
            throw refusal(path, error.description)
        }
    }

    deinit {
        if temporary == nil { close(descriptor) }
    }

    /// Makes the bytes durable under the file's name.
    ///
    /// - Throws: `CrawlError`, exit code 74 where the disk fails, 73 where the name cannot be taken.
    func finish() throws {
        guard let temporary else { return }
        KillPoint.outputWritten.pass()
        guard fsync(descriptor) == 0 else {
            throw CrawlError(
                .database, "\(path) cannot be written (\(SystemError(errno).description))",
                remedy: "The database is unharmed; free some space or choose another file, "
                    + "then repeat the command.")
        }
        KillPoint.outputSynced.pass()
        do {
            try temporary.takeName(path)
        } catch let error as SystemError {
            throw Self.refusal(path, error.description)
        }
        KillPoint.outputRenamed.pass()
        FileSystem.synchroniseFolder(FileSystem.folder(of: path))
    }

    static func refusal(_ path: String, _ reason: String) -> CrawlError {
        CrawlError(
            .cannotCreate, "The file \(path) cannot be created (\(reason))",
            remedy: "Choose another file; the database is unharmed.")
    }
}
