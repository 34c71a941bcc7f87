import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite("Where the database lies", .fewAtOnce)
struct PlaceTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path: String
        var exitCode: Int32 = 0
        var says = ""
    }

    static let places = [
        Place(testDescription: "in folders to be made", path: "a/b c/d/people.db"),
        Place(testDescription: "beside the command", path: "people.db"),
        Place(testDescription: "with signs that mean something in an address", path: "who?are=you#1%20.db"),
        Place(testDescription: "a name with a blank and an apostrophe", path: "o'brien's people.db"),
        Place(testDescription: "beyond ASCII", path: "Leute/Übersicht 😀.db"),
        Place(testDescription: "a folder", path: "folder", exitCode: 74, says: "folder is a folder, not a database"),
        Place(testDescription: "below a file", path: "file/x.db", exitCode: 73, says: "file/x.db"),
        Place(testDescription: "a device", path: "/dev/null", exitCode: 74, says: "no ordinary file"),
        Place(
            testDescription: "where nothing can be made", path: "/proc/nowhere/x.db", exitCode: 73,
            says: "/proc/nowhere"),
    ]

    @Test("folders are made; what cannot be a database is refused with the reason", arguments: places)
    func place(_ place: Place) async throws {
        let scene = try Scene()
        try FileManager.default.createDirectory(atPath: scene.folder.file("folder"), withIntermediateDirectories: true)
        try scene.write(Array("text".utf8), to: "file")
        for (arguments, environment) in [
            (["--db", place.path], [:]), ([], ["CRAWL_DB": place.path]),
        ] as [([String], [String: String?])] {
            let result = try await scene.crawl(["--count", "4"] + arguments, environment: environment)
            #expect(result.exitCode == place.exitCode, "\(result)")
            #expect(place.says.isEmpty || result.errors.contains(place.says), "\(result)")
            #expect(!scene.exists("output"))
            if place.exitCode == 0 {
                let verified = try await scene.crawl(["verify"] + arguments, environment: environment)
                #expect(verified.exitCode == 0, "\(verified)")
            } else {
                #expect(result.errors.contains("--db"), "the error does not say what to do: \(result)")
                #expect(scene.requests.isEmpty)
            }
        }
    }

    @Test("one database holds several sources")
    func severalSources() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "7").exitCode == 0)
        let posts = try await scene.crawl(
            "--source", "posts", "--count", "30", "--endpoint", "posts=\(scene.server.baseURL)/posts")
        #expect(posts.exitCode == 0, "\(posts)")
        #expect(try await scene.query("SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM posts)") == "7|30")
        try await scene.expectVerified()
    }

    /// Runs `crawl` as a user without rights: root is above permissions.
    private static func crawlAsNobody(_ scene: Scene, _ arguments: [String]) async throws -> Program.Result {
        var words = [try Program.built("crawl")] + arguments
        if geteuid() == 0 {
            words = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] + words
        }
        let environment = ["CRAWL_ENDPOINT_USERS": scene.usersURL]
        return try await Program(
            words[0], Array(words.dropFirst()), environment: environment, workingFolder: scene.folder.path
        ).end()
    }

    private static let canDropRights =
        geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    @Test(
        "a folder that cannot be written: 73 for a new database, 74 for an old one, which can still be read",
        .enabled(if: canDropRights))
    func readOnly() async throws {
        let scene = try Scene()
        #expect(try await scene.crawl("--count", "6").exitCode == 0)
        let before = scene.bytes("output/crawl.db")
        chmod(scene.folder.path, 0o755)
        chmod(scene.database, 0o444)
        chmod(scene.folder.file("output"), 0o555)
        defer { chmod(scene.folder.file("output"), 0o755) }

        let new = try await Self.crawlAsNobody(scene, ["--count", "7", "--db", "output/new.db"])
        #expect(new.exitCode == 73, "\(new)")
        #expect(new.errors.contains("output/new.db cannot be created (Permission denied)"), "\(new)")
        let old = try await Self.crawlAsNobody(scene, ["--count", "7"])
        #expect(old.exitCode == 74, "\(old)")
        #expect(old.errors.contains("Permission denied") && old.errors.contains("permissions"), "\(old)")
        for arguments in [["status"], ["verify"], ["export", "users", "-o", "-"]] {
            let result = try await Self.crawlAsNobody(scene, arguments)
            #expect(result.exitCode == 0, "\(arguments): \(result)")
        }
        let export = try await Self.crawlAsNobody(scene, ["export", "users"])
        #expect(export.exitCode == 73, "\(export)")
        #expect(scene.bytes("output/crawl.db") == before)
        #expect(scene.names() == ["crawl.db"])
    }
}
