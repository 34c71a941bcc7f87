import Foundation
import StandInAPI
import TestSupport
import Testing

@Suite(
    "crawl probe, of a server that means harm", .fewAtOnce,
    .disabled(if: Sanitizer.isWatchingThreads, "it and the server in the test are too slow there to send that much"))
struct HostileProbeTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var exitCode: Int32
        var says: String
        var steps: @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
        var testDescription: String { name }
    }

    static let cases = [
        Case(name: "gzip bomb", exitCode: 65, says: "larger than 16777216 bytes") { _ in
            [.answer(fields: ["Content-Encoding: gzip"], body: Bomb.gzip(megabytes: 1000))]
        },
        Case(name: "brotli bomb", exitCode: 65, says: "larger than 16777216 bytes") { _ in
            [.answer(fields: ["Content-Encoding: br"], body: Bomb.brotli(megabytes: 1000))]
        },
        Case(name: "15 MB of empty records", exitCode: 65, says: "more than 250000 keys and values") { _ in
            ScriptedServer.Step.long("[", ScriptedServer.Step.megabyte(of: "{},"), times: 15, "{}]")
        },
        Case(name: "15 MB of brackets", exitCode: 65, says: "more than 250000 keys and values") { _ in
            ScriptedServer.Step.long("[", ScriptedServer.Step.megabyte(of: "["), times: 15, "]")
        },
        Case(name: "a string of 15 MB", exitCode: 0, says: "things.json") { _ in
            ScriptedServer.Step.long(
                #"[{"id":"a","name":""#, ScriptedServer.Step.megabyte(of: "x"), times: 15, #""},{"id":"b"}]"#)
        },
        Case(name: "60,000 records of one", exitCode: 0, says: "things.json") { _ in
            let records = (0..<60_000).map { #"{"id":"\#($0)"}"# }
            return [.answer(text: "[" + records.joined(separator: ",") + "]")]
        },
    ]

    @Test("ends with its exit code and keeps within the same memory", arguments: cases)
    func bounded(_ item: Case) async throws {
        let scene = try HostileScene(script: item.steps)
        let result = try await scene.crawl(["probe", scene.server.url("/things"), "-o", "things.json"])
        #expect(result.exitCode == item.exitCode, "\(result)")
        #expect(result.errors.contains(item.says), "\(result)")
        #expect(result.signal == nil)
        let peak = result.peakMemory ?? .max
        #expect(peak <= HostileScene.mostMemory, "\(peak >> 20) MiB")
    }
}
