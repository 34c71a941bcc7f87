import Foundation
import TestSupport

/// People with texts that break careless exports, and a server that has them.
enum NastyPeople {
    static let texts = [
        "", " ", "plain", "O'Brien", "a,b", "a;b", "\"", "\"\"", "say \"hi\"", "line\nbreak", "line\r\nbreak",
        "cr\rhere",
        "\n", "\r\n", " leading", "trailing ", "\ttab", "tab\t", "=1+1", "+44 1", "-1", "@home", "=cmd|' /C calc'!A0",
        "007", "1e5", "1,5", "NULL", "null", "true", "ünïcödé", "日本語", "😀 emoji", "back\\slash", "\\N", "%s%n", "'",
        "#no",
        "a\u{FEFF}b", "a\u{2028}b", "\u{1B}[31m", "\u{7F}", String(repeating: "x", count: 70_000), "end,\"\r\n",
    ]

    static func uid(_ index: Int) -> String {
        String(format: "00000000-0000-4000-8000-%012d", index)
    }

    /// The page with all of them.
    static var page: Data {
        let people = texts.enumerated().map { index, text -> [String: Any] in
            [
                "uid": uid(index), "id": index, "first_name": text, "last_name": NSNull(),
                "address": ["zip_code": "0\(index)", "coordinates": ["lat": -0.1 * Double(index), "lng": 1e-08]],
                "odd": ["text": text],
            ]
        }
        // A dictionary of texts, numbers and nulls is always JSON.
        return (try? JSONSerialization.data(withJSONObject: people)) ?? Data()
    }

    /// A scene whose database holds them all.
    static func scene() async throws -> Scene {
        let server = try ScriptedServer([.answer(body: page)])
        defer { server.stop() }
        let scene = try Scene()
        let result = try await scene.crawl(
            ["--count", "\(texts.count)", "--page-size", "100"], environment: Scene.users(at: server.url("/")))
        if result.exitCode != 0 { throw SceneFailure(description: "\(result)") }
        return scene
    }
}

/// A scene that could not be set.
struct SceneFailure: Error, CustomStringConvertible {
    var description: String
}
