import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Limits of the system", .fewAtOnce)
struct SystemLimitTests {
    @Test(
        "little address space is enough",
        .disabled(if: Sanitizer.isWatching, "the sanitizer itself takes terabytes of it"),
        arguments: [150_000, 200_000, 300_000, 310_000])
    func addressSpace(kilobytes: Int) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            ["--count", "500", "--page-size", "10"], shellPrefix: "ulimit -v \(kilobytes)")
        #expect(result.exitCode == 0, "\(result)")
        try await scene.expectUsers(500)
    }

    @Test("too few open files are said at once, with the way out", arguments: [8, 10, 16, 30])
    func openFiles(limit: Int) async throws {
        let scene = try Scene()
        for arguments in [["--count", "5"], ["status"], ["--count", "5", "--offline"]] {
            let result = try await scene.crawl(arguments, shellPrefix: "ulimit -n \(limit)")
            #expect(result.exitCode == 1, "\(result)")
            #expect(
                result.errors == """
                    Error: The system lets this program open too few files (Too many open files)
                    Raise the limit with `ulimit -n 256`, then repeat the command.

                    """)
        }
        #expect(!scene.exists("output"))
        let soft = try await scene.crawl(["--count", "5"], shellPrefix: "ulimit -Sn \(limit)")
        #expect(soft.exitCode == 0, "a soft limit is raised: \(soft)")
    }

    @Test("too few threads are said at once, and never waited for")
    func threads() async throws {
        let scene = try Scene()
        chmod(scene.folder.path, 0o777)
        var words = ["/bin/bash", "-c", "ulimit -u 3; exec \"$@\"", "sh", try Program.built("crawl"), "--count", "5"]
        if geteuid() == 0 {
            // Root is above this limit; nobody else on the machine has this number.
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv") else {
                return SmallDisk.tellFallback("a limit of threads is not looked at")
            }
            words = ["/usr/bin/setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"] + words
        }
        let result = try await Program(
            words[0], Array(words.dropFirst()), environment: ["CRAWL_ENDPOINT_USERS": scene.usersURL],
            workingFolder: scene.folder.path
        ).end()
        #expect(result.exitCode == 1, "\(result)")
        #expect(result.errors.contains("too few threads"), "\(result)")
        #expect(result.errors.contains("ulimit -u"), "\(result)")
    }

    @Test(
        "no home and no place for temporary files are no hindrance",
        arguments: [
            ["HOME": nil, "TMPDIR": nil], ["HOME": "/nowhere", "TMPDIR": "/proc/nowhere"], ["HOME": "", "TMPDIR": ""],
        ])
    func environment(_ variables: [String: String?]) async throws {
        let scene = try Scene()
        let result = try await scene.crawl(
            ["--count", "20", "--csv", "users.csv"], environment: variables,
            shellPrefix: variables["HOME"] == .some(nil) ? "unset HOME TMPDIR" : nil)
        #expect(result.exitCode == 0, "\(result)")
        #expect(scene.contents("users.csv").split(separator: "\n").count == 21)
        try await scene.expectUsers(20)
    }

    @Test(
        "without /proc, where the arguments stand, it does nothing rather than something else",
        .disabled(if: Sanitizer.isWatching, "the sanitizer itself reads /proc"))
    func withoutProc() async throws {
        let scene = try Scene()
        guard try await scene.shell("unshare -m true").exitCode == 0 else {
            return SmallDisk.tellFallback("a system without /proc is not looked at")
        }
        let result = try await scene.shell(
            "unshare -m sh -c 'mount -t tmpfs none /proc; exec \"$CRAWL\" status --db other.db'")
        #expect(result.exitCode == 1, "\(result)")
        #expect(result.errors.contains("Mount /proc"), "\(result)")
        #expect(scene.names(in: "") == [] && scene.requests.isEmpty)
    }
}
