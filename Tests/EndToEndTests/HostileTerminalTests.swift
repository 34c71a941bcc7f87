import Foundation
import TestSupport
import Testing

@Suite("A server that writes to the terminal", .fewAtOnce)
struct HostileTerminalTests {
    /// What moves a cursor, rings, sets titles or turns the direction of writing: C0, DEL, C1 and bidirectional marks.
    static let nasty =
        "\u{1b}[2J\u{1b}]0;title\u{7}\u{8}\u{b}\u{c}\u{e}\u{7f}\u{80}\u{85}\u{9b}31m\u{9f}\u{202a}\u{202e}\u{2066}\u{2069}"

    /// The same in a JSON string: control characters escaped, as they must be there, the rest as it is or escaped.
    static let inJSON =
        nasty.unicodeScalars.map { scalar in
            scalar.value < 0x20
                ? "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16) : String(scalar)
        }.joined() + #"\u009b2J\u202e\u007f\r\u0000"#

    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var pagination = #"{ "style": "single" }"#
        var steps: @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
        var testDescription: String { name }
    }

    private static func raw(_ bytes: String) -> [ScriptedServer.Step] { [.text(bytes), .close] }

    static let cases = [
        Case(name: "values, keys and field names") { _ in
            [
                .answer(
                    text:
                        #"[{"id":"k\#(inJSON)","name":"\#(inJSON)","doc":{"\#(inJSON)":"\#(inJSON)"},"f\#(inJSON)":1}]"#
                )
            ]
        },
        Case(name: "rejected records") { _ in
            [
                .answer(
                    text:
                        #"[{"id":1},{"id":"\x\#(nasty.filter { $0.isASCII == false })"},{"id":"\#(inJSON)","name":7}]"#)
            ]
        },
        Case(name: "body of an error") { _ in [.answer("404 Not Found", text: nasty)] },
        Case(name: "error in JSON") { _ in [.answer(text: #"{"error":{"message":"\#(inJSON)","code":"\#(inJSON)"}}"#)]
        },
        Case(name: "keys instead of records") { _ in [.answer(text: #"{"\#(inJSON)":1}"#)] },
        Case(name: "no JSON") { _ in [.answer(text: nasty)] },
        Case(name: "not UTF-8") { _ in [.answer(body: Array(nasty.utf8) + [0x9B, 0x33, 0x31, 0x6D, 0xFF])] },
        Case(name: "reason of a status") { _ in raw("HTTP/1.1 404 \(nasty)\r\nContent-Length: 0\r\n\r\n") },
        Case(name: "no HTTP") { _ in raw(nasty + "\r\n\r\n") },
        Case(name: "status that is none") { _ in raw("HTTP/1.1 \(nasty) OK\r\n\r\n[]") },
        Case(name: "header fields") { _ in
            raw(
                "HTTP/1.1 429 Too Many\r\nRetry-After: \(nasty)\r\nX-\(nasty): \(nasty)\r\nContent-Length: 0\r\n\r\n")
        },
        Case(name: "content encoding") { _ in
            raw("HTTP/1.1 200 OK\r\nContent-Encoding: \(nasty)\r\nContent-Length: 2\r\n\r\n[]")
        },
        Case(name: "transfer encoding") { _ in
            raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(nasty)\r\n\r\n[]")
        },
        Case(name: "content length") { _ in raw("HTTP/1.1 200 OK\r\nContent-Length: \(nasty)\r\n\r\n[]") },
        Case(name: "redirect to a host") { _ in raw("HTTP/1.1 302 F\r\nLocation: http://h\(nasty).invalid/\r\n\r\n") },
        Case(name: "redirect to a path") { request in
            request.number > 1
                ? [.answer("404 Not Found", text: "gone")]
                : raw("HTTP/1.1 302 F\r\nLocation: /\(nasty)\r\nContent-Length: 0\r\n\r\n")
        },
        Case(name: "redirect to a scheme") { _ in raw("HTTP/1.1 302 F\r\nLocation: \(nasty):x\r\n\r\n") },
        Case(name: "next link", pagination: #"{ "style": "link" }"#) { _ in
            [.answer(fields: ["Link: <http://h\(nasty)/?x=\(nasty)>; rel=next"], text: #"[{"id":"a"}]"#)]
        },
        Case(name: "next link on the same host", pagination: #"{ "style": "link" }"#) { request in
            [
                .answer(
                    fields: request.number > 2 ? [] : ["Link: </\(nasty)?x=\(nasty)\(request.number)>; rel=next"],
                    text: #"[{"id":"a\#(request.number)"}]"#)
            ]
        },
        Case(name: "cursor", pagination: #"{ "style": "cursor", "parameter": "c", "next": { "header": "X-Next" } }"#) {
            _ in [.answer(fields: ["X-Next: \(nasty)"], text: #"[{"id":"a"}]"#)]
        },
    ]

    @Test("Nothing that it sends reaches a terminal raw, nor a log", arguments: cases)
    func clean(_ item: Case) async throws {
        let scene = try HostileScene(script: item.steps)
        try scene.writeSource(pagination: item.pagination)
        let crawl = ["--source", "things.json", "--max-wait", "1s", "-v", "--retries"]
        for arguments in [
            crawl + ["1"], crawl + ["0", "--json", "--fresh"], ["status"], ["status", "--json"], ["verify"],
        ] {
            let result = try await scene.crawl(arguments)
            #expect(result.signal == nil, "\(result)")
            for text in [result.output, result.errors] {
                #expect(Self.harm(in: text) == nil, "\(arguments): \(text.debugDescription)")
            }
        }
        for arguments in [
            crawl + ["0", "--fresh"], ["list", "things"], ["list", "things", "--columns", "id,name,extra"],
            ["probe", scene.server.url("/things"), "-v", "-o", "p.json"],
        ] {
            let text = try await Self.onTerminal(scene, arguments)
            #expect(Self.harm(in: text) == nil, "\(arguments): \(text.debugDescription)")
        }
    }

    @Test("Nor what changes while it is watched")
    func watched() async throws {
        let scene = try HostileScene { request in
            [.answer(text: #"[{"id":"k\#(Self.inJSON)","name":"\#(Self.inJSON)\#(request.number)"}]"#)]
        }
        try scene.writeSource(pagination: #"{ "style": "single" }"#, onDuplicate: "update")
        let arguments = ["watch", "./things.json", "--every", "1s", "--rounds", "2"]
        let result = try await scene.crawl(arguments)
        #expect(result.exitCode == 0, "\(result)")
        #expect(result.output.contains("name"))
        #expect(Self.harm(in: result.output) == nil && Self.harm(in: result.errors) == nil, "\(result)")
        let text = try await Self.onTerminal(scene, arguments)
        #expect(Self.harm(in: text) == nil, "\(text.debugDescription)")
    }

    /// What the program writes to a terminal of usual size.
    private static func onTerminal(_ scene: HostileScene, _ arguments: [String]) async throws -> String {
        let terminal = try PseudoTerminal(columns: 100)
        let program = try scene.start(arguments, environment: ["TERM": "xterm"], terminal: terminal)
        var text = ""
        _ = await Program.wait {
            text += terminal.written()
            return program.isGone
        }
        let result = await program.end()
        #expect(result.signal == nil, "\(arguments)")
        return text + terminal.written()
    }

    /// The first character that a terminal would act on, but for line ends and the program's own sequences.
    static func harm(in text: String) -> Unicode.Scalar? {
        let own = #/\u{1b}\[(K|J|[0-9]+A|[0-9;]*m|\?25[lh])/#
        return text.replacing(own, with: "").unicodeScalars.first { scalar in
            switch scalar.value {
            case 0x0A, 0x0D: false
            case 0x09: false
            case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
}
