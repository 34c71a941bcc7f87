import CrawlCore
import Glibc

extension OutputFile {
    /// Writes a text to a file, which appears whole or not at all; durable when it returns.
    ///
    /// - Throws: `CrawlError`, exit code 73 where the file cannot be created, 74 where the disk fails.
    fileprivate static func write(_ text: String, to path: String) throws {
        let file = try create(at: path)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw CrawlError(
                    .database, "\(path) cannot be written (\(SystemError(errno).description))",
                    remedy: "Free some space or choose another file with -o, then repeat the command.")
            }
            rest = rest.dropFirst(written)
        }
        try file.finish()
    }
}

/// Small texts for people, such as source files.
package enum TextFile {
    /// Writes a text to a file, which appears whole or not at all; durable when it returns.
    ///
    /// - Throws: `CrawlError`, exit code 73 where the file cannot be created, 74 where the disk fails.
    package static func write(_ text: String, to path: String) throws {
        try OutputFile.write(text, to: path)
    }
}
