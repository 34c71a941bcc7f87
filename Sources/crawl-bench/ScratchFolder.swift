import Glibc

/// A folder for databases and exports; whoever makes it removes it.
struct ScratchFolder {
    let path: String

    /// - Throws: `BenchFailure` where no folder can be made.
    init() throws {
        let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array((place + "/crawl-bench-XXXXXX").utf8CString)
        guard mkdtemp(&name) != nil else { throw BenchFailure("no folder can be made in \(place)", errno: errno) }
        path = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Removes the folder.
    func remove() {
        empty()
        rmdir(path)
    }

    /// The path of a file in the folder.
    func file(_ name: String) -> String { path + "/" + name }

    /// Removes all files and waits until the disk is at rest, so that no measurement pays for an earlier one.
    func empty() {
        if let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                }
                if name != "." && name != ".." { unlink(file(name)) }
            }
            closedir(folder)
        }
        sync()
    }
}
