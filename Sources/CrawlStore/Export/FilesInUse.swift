import CrawlCore
import Glibc

/// The files that a command itself reads or writes, none of which an export may take the place of.
package struct FilesInUse: Sendable {
    private let database: String
    private let others: [String]

    /// - Parameters:
    ///   - database: The path of the database, which need not exist yet.
    ///   - others: The paths of other files, such as source files.
    package init(database: String, others: [String] = []) {
        self.database = database
        self.others = others
    }

    /// Checks where an export is to go.
    ///
    /// - Throws: `CrawlError`, exit code 73.
    package func check(_ destination: ExportDestination) throws {
        guard case .file(let path) = destination else { return }
        let place = FileSystem.place(of: path)
        let ownPlace = FileSystem.place(of: database)
        let reason: String
        if FileSystem.isSame(place, ownPlace) {
            reason = "it is the database itself"
        } else if DatabaseHeader.logEnds.contains(where: { FileSystem.isSame(place, ownPlace + $0) }) {
            reason = "it is a part of the database \(database)"
        } else if others.contains(where: { FileSystem.isSame(place, FileSystem.place(of: $0)) }) {
            reason = "it is the source file"
        } else {
            return
        }
        throw OutputFile.refusal(path, reason)
    }
}

extension FileSystem {
    /// The path without links; where there is no such file, that of its folder and the name.
    fileprivate static func place(of path: String) -> String {
        if let place = resolved(path) { return place }
        guard let folder = resolved(folder(of: path)) else { return path }
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        return folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// Whether two paths are those of one file, whatever names it has.
    fileprivate static func isSame(_ first: String, _ second: String) -> Bool {
        if first == second { return true }
        var (one, other) = (stat(), stat())
        guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
        return one.st_dev == other.st_dev && one.st_ino == other.st_ino
    }
}
