import Foundation
import TestSupport

/// A disk of a few megabytes, in a folder of a scene; taken away again however the test process ends.
final class SmallDisk: Sendable {
    /// The absolute path of its folder.
    let path: String
    private let guardian: Program

    /// Mounts it; nil where this system does not let the tests mount anything.
    ///
    /// Another program watches over it, for a test process that is killed could not unmount.
    init?(_ scene: Scene, _ name: String = "disk", kilobytes: Int) async throws {
        let path = scene.folder.file(name)
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let line = """
            mount -t tmpfs -o size=\(kilobytes)k tmpfs "$0" || exit 1
            trap 'umount -l "$0"; exit 0' TERM INT HUP
            touch "$0/mounted"
            n=0; while kill -0 \(getpid()) 2>/dev/null && [ $n -lt 24000 ]; do sleep 0.05; n=$((n+1)); done
            umount -l "$0"
            """
        guardian = try Program("/bin/sh", ["-c", line, path], workingFolder: "/")
        let guardian = guardian
        _ = await Program.wait { FileManager.default.fileExists(atPath: path + "/mounted") || guardian.isGone }
        guard FileManager.default.fileExists(atPath: path + "/mounted") else { return nil }
        try FileManager.default.removeItem(atPath: path + "/mounted")
    }

    deinit {
        guardian.send(SIGTERM)
        _ = guardian.waitForEnd(60)
    }

    /// Changes how it is mounted, such as `ro` or `size=8m`.
    func remount(_ scene: Scene, _ options: String) async throws -> Bool {
        try await scene.shell("mount -o remount,\(options) '\(path)'").exitCode == 0
    }

    /// Fills what is left with a file `ballast`, but for so many kilobytes.
    func fill(leaving kilobytes: Int) throws {
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return }
        let free = Int(room.f_bavail) * Int(room.f_frsize) - kilobytes << 10
        try Data(count: max(0, free)).write(to: URL(fileURLWithPath: path + "/ballast"))
    }

    /// Gives the space of `ballast` back.
    func giveSpaceBack() throws {
        // A program that another test started while it was written may still have it open.
        truncate(path + "/ballast", 0)
        try FileManager.default.removeItem(atPath: path + "/ballast")
    }

    /// Says that a test could not mount a disk and what it looked at instead.
    static func tellFallback(_ instead: String) {
        FileHandle.standardError.write(Data("Note: no disk can be mounted here; \(instead).\n".utf8))
    }
}
