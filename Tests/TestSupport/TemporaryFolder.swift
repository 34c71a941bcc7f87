import Foundation

/// A fresh folder that is removed, with all that is in it, when the last reference goes.
package final class TemporaryFolder: Sendable {
    /// The absolute path of the folder, without a closing slash.
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("crawl-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The absolute path of a file in the folder.
    package func file(_ name: String) -> String {
        path + "/" + name
    }
}
