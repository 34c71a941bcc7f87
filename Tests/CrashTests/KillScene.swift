import Foundation
import StandInAPI
import TestSupport
import Testing

@testable import CrawlStore

/// A folder with what a scenario begins with, and a server of its own.
final class KillScene: Sendable {
    let folder: TemporaryFolder
    let server: StandInServer
    private let scenario: KillScenario

    /// The bytes of the file that an export is to replace.
    private static let earlierFile = Data("the file of an earlier export\n".utf8)

    /// - Parameter template: The folder to begin with a copy of, nil for nothing.
    init(_ scenario: KillScenario, template: KillScene?) throws {
        self.scenario = scenario
        folder = try TemporaryFolder()
        server = try Self.server(scenario.server)
        if let template {
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.copyItem(atPath: template.folder.path, toPath: folder.path)
        }
        try #"""
        { "name": "things", "url": "URL/pages/cursor", "records": "data", "key": "id", "onDuplicate": "update",
          "pagination": { "style": "cursor", "parameter": "cursor", "next": "next", "sizeParameter": "limit", "maxSize": 10 },
          "columns": { "id": "integer!", "name": "text", "zip": "text", "price": "real" } }
        """#.replacing("URL", with: server.baseURL)
            .write(toFile: folder.file("things.json"), atomically: false, encoding: .utf8)
        if scenario.hasOutput, let output = scenario.output {
            try Self.earlierFile.write(to: URL(fileURLWithPath: folder.file(output)))
        }
    }

    deinit {
        server.stop()
    }

    private static func server(_ configure: (inout StandInConfiguration) -> Void) throws -> StandInServer {
        var configuration = StandInConfiguration()
        configuration.seed = 11
        configure(&configuration)
        return try StandInServer(configuration: configuration)
    }

    var database: String { folder.file("output/crawl.db") }

    /// A scene with the database that all kills of the scenario begin with; nil where that is none.
    static func template(_ scenario: KillScenario) async throws -> KillScene? {
        switch scenario.preparation {
        case .nothing: return nil
        case .filled(let commands, let configure):
            let scene = try KillScene(scenario, template: nil)
            let server = try Self.server(configure)
            defer { server.stop() }
            for command in commands {
                let result = try await scene.start(command, asking: server).end()
                #expect([0, 69].contains(result.exitCode), "\(result)")
            }
            return scene
        case .older(let version, let commands):
            let scene = try KillScene(scenario, template: nil)
            for command in commands { #expect(try await scene.start(command).end().exitCode == 0) }
            try await scene.turnBack(to: version)
            return scene
        }
    }

    /// Gives the database the form that it had after so many migrations.
    private func turnBack(to version: Int) async throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("output"), withIntermediateDirectories: true)
        let undo = version == 0 ? "PRAGMA application_id = \(DatabaseHeader.applicationID);" : "DROP TABLE crawl_cache;"
        let sql = undo + "PRAGMA user_version = \(version)"
        let result = try await Program("/usr/bin/sqlite3", [database, sql], workingFolder: folder.path).end()
        #expect(result.exitCode == 0, "\(result)")
    }

    /// Starts `crawl` in the folder, with every endpoint at the server.
    func start(
        _ arguments: [String], environment: [String: String] = [:], asking server: StandInServer? = nil
    ) throws -> Program {
        var variables = environment
        for (name, path) in StandInAPI.paths {
            variables["CRAWL_ENDPOINT_" + name.uppercased().replacing(".", with: "_")] =
                (server ?? self.server).baseURL + path
        }
        return try Program(
            Program.built("crawl"), arguments, environment: variables, workingFolder: folder.path)
    }

    var rows: StoredRows { StoredRows(database, scenario.tables) }

    /// The bytes of the exported file, nil where there is none.
    var output: Data? { scenario.output.flatMap { FileManager.default.contents(atPath: folder.file($0)) } }

    /// Expects a database that `crawl verify` finds in order, or none yet.
    func expectInOrder(_ note: String) async throws {
        let result = try await start(["verify"]).end()
        let isMissing = result.exitCode == 74 && result.errors.contains("There is no database output/crawl.db yet")
        #expect(result.exitCode == 0 || isMissing, "\(note): \(result)")
    }

    /// Expects that the file is the earlier one, or none where there was none, or a whole export of what is stored.
    func expectWholeOutput(_ note: String, isNew: Bool = false) async throws {
        guard let name = scenario.output else { return }
        let found = output
        if !isNew, found == (scenario.hasOutput ? Self.earlierFile : nil) { return }
        let format = name.hasSuffix(".csv") ? "csv" : "ndjson"
        let whole = try await start(["export", "users", "--format", format, "-o", "-"]).end()
        #expect(found.map { String(decoding: $0, as: UTF8.self) } == whole.output, "\(note): a part of the file")
    }

    /// Repeats the command until it has done what it is to do.
    ///
    /// A random source may seem exhausted once in some thousand crawls (exit code 3); the same command then goes on.
    func complete(_ note: String) async throws {
        var codes: [Int32?] = []
        var last = ""
        while codes.last != 0, codes.count < 3 {
            let result = try await start(scenario.command).end()
            codes.append(result.exitCode)
            last = result.description
        }
        #expect(codes.last == 0 && codes.dropLast().allSatisfy { $0 == 3 }, "\(note): \(codes) \(last)")
    }

    /// What the program said last about what is stored, by source.
    static func reported(_ output: String) -> [String: Int] {
        guard let end = output.lastIndex(of: "\n") else { return [:] }
        var stored: [String: Int] = [:]
        for line in output[...end].split(separator: "\n") where line.hasPrefix("{\"type\":\"page\"") {
            guard let source = line.firstMatch(of: #/"source":"(\w+)"/#),
                let count = line.firstMatch(of: #/"stored":(\d+)/#)
            else { continue }
            stored[String(source.1)] = Int(count.1)
        }
        return stored
    }
}
