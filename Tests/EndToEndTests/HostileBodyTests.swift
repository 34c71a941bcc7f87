import Foundation
import StandInAPI
import TestSupport
import Testing

/// One way in which a server tries to fill the memory, or never to end.
struct HostileAnswer: Sendable, CustomTestStringConvertible {
    var name: String
    var exitCode: Int32
    /// What the message says, or the summary.
    var says: [String]
    var arguments: [String] = ["--count", "1", "--page-size", "1"]
    var records = "$"
    /// What `SELECT count(*)`, and then the ledger's sums of received, new, duplicate, rejected and surplus, are.
    var stored = "0|0|0|0|0|0"
    var steps: @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]

    var testDescription: String { name }
}

@Suite(
    "A server that sends without measure", .fewAtOnce,
    .disabled(if: Sanitizer.isWatchingThreads, "it and the server in the test are too slow there to send that much"))
struct HostileBodyTests {
    @Test(
        "ends with its exit code and a message; memory stays below the body cap and 64 MB", arguments: transfers + texts
    )
    func bounded(_ answer: HostileAnswer) async throws {
        let scene = try HostileScene(script: answer.steps)
        try scene.writeSource(records: answer.records)
        let result = try await scene.crawl(
            ["--source", "things.json", "--retries", "0"] + answer.arguments)
        #expect(result.exitCode == answer.exitCode, "\(result)")
        for part in answer.says {
            #expect((result.errors + result.output).contains(part), "does not say '\(part)': \(result)")
        }
        #expect(result.errors.utf8.count < 4000 && result.output.utf8.count < 4000)
        let stored = try await scene.query(
            """
            SELECT (SELECT count(*) FROM things), ifnull(sum(received), 0), ifnull(sum(new), 0), \
            ifnull(sum(duplicate), 0), ifnull(sum(rejected), 0), ifnull(sum(surplus), 0) FROM crawl_pages
            """)
        #expect(stored == answer.stored)
        try await scene.expectOrder(after: result)
    }

    private static let tooLarge = "larger than 67108864 bytes"
    private static func head(_ fields: String...) -> ScriptedServer.Step {
        .text((["HTTP/1.1 200 OK"] + fields).joined(separator: "\r\n") + "\r\n\r\n")
    }

    // MARK: On the way

    static let transfers = [
        HostileAnswer(name: "gzip bomb, 1 GB from 1 MB", exitCode: 65, says: [tooLarge, "--page-size"]) { _ in
            [.answer(fields: ["Content-Encoding: gzip"], body: Bomb.gzip(megabytes: 1000))]
        },
        HostileAnswer(name: "deflate bomb, 1 GB from 1 MB", exitCode: 65, says: [tooLarge]) { _ in
            [.answer(fields: ["Content-Encoding: deflate"], body: Bomb.deflate(megabytes: 1000))]
        },
        HostileAnswer(name: "brotli bomb, 1 GB from 1 kB", exitCode: 65, says: [tooLarge]) { _ in
            [.answer(fields: ["Content-Encoding: br"], body: Bomb.brotli(megabytes: 1000))]
        },
        HostileAnswer(name: "gzip, gzip, gzip", exitCode: 69, says: ["content encoding that was not asked for"]) { _ in
            [.answer(fields: ["Content-Encoding: gzip, gzip, gzip"], body: Bomb.gzip(megabytes: 10))]
        },
        HostileAnswer(name: "gzip thrice", exitCode: 69, says: ["content encoding that was not asked for"]) { _ in
            [
                .answer(
                    fields: Array(repeating: "Content-Encoding: gzip", count: 3), body: Bomb.gzip(megabytes: 10))
            ]
        },
        HostileAnswer(name: "endless body, chunked", exitCode: 65, says: [tooLarge]) { _ in
            [
                head("Transfer-Encoding: chunked"),
                .endless(Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x10000) + Array("\r\n".utf8)),
            ]
        },
        HostileAnswer(name: "endless body, until closed", exitCode: 65, says: [tooLarge]) { _ in
            [head("Connection: close"), .endless(ScriptedServer.Step.megabyte(of: "[1,"))]
        },
        HostileAnswer(name: "a terabyte announced", exitCode: 65, says: [tooLarge]) { _ in
            [head("Content-Length: 1000000000000"), .hang]
        },
        HostileAnswer(
            name: "one byte a second, until the time is over", exitCode: 69,
            says: ["did not end its answer within 1.5 s", "--timeout"],
            arguments: ["--count", "1", "--timeout", "1500ms"]
        ) { _ in
            [head("Content-Length: 99"), .drip([UInt8](repeating: 0x20, count: 99), every: .seconds(1))]
        },
        HostileAnswer(
            name: "one byte a second, with all the time in the world", exitCode: 69,
            says: ["sent only 1", "bytes in the last 10 s"], arguments: ["--count", "1", "--timeout", "300"]
        ) { _ in
            [head("Content-Length: 99"), .drip([UInt8](repeating: 0x20, count: 99), every: .seconds(1))]
        },
        HostileAnswer(name: "endless header fields", exitCode: 69, says: ["larger than 262144 bytes"]) { _ in
            [.text("HTTP/1.1 200 OK\r\n"), .endless(Array("X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".utf8))]
        },
        HostileAnswer(name: "an endless header line", exitCode: 69, says: ["a header line without an end"]) { _ in
            [.text("HTTP/1.1 200 OK\r\nX-Flood: "), .endless(ScriptedServer.Step.megabyte(of: "a"))]
        },
        HostileAnswer(name: "an endless status line", exitCode: 69, says: ["a header line without an end"]) { _ in
            [.text("HTTP/1.1 200 "), .endless(ScriptedServer.Step.megabyte(of: "OK"))]
        },
        HostileAnswer(name: "endless interim answers", exitCode: 69, says: ["larger than 262144 bytes"]) { _ in
            [.endless(Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8))]
        },
        HostileAnswer(
            name: "an endless chunk extension", exitCode: 69, says: ["within 1.5 s"],
            arguments: ["--count", "1", "--timeout", "1500ms"]
        ) { _ in
            [
                head("Transfer-Encoding: chunked"), .text("1;x="),
                .endless(ScriptedServer.Step.megabyte(of: "a")),
            ]
        },
        HostileAnswer(name: "an endless chunk size", exitCode: 69, says: ["127.0.0.1"]) { _ in
            [head("Transfer-Encoding: chunked"), .endless(ScriptedServer.Step.megabyte(of: "0"))]
        },
        HostileAnswer(name: "endless trailers", exitCode: 69, says: ["larger than 262144 bytes"]) { _ in
            [
                head("Transfer-Encoding: chunked", "Trailer: X-Flood"), .text("2\r\n[]\r\n0\r\n"),
                .endless(Array("X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".utf8)),
            ]
        },
        HostileAnswer(name: "an endless trailer line", exitCode: 69, says: ["ended the answer too early"]) { _ in
            [
                head("Transfer-Encoding: chunked", "Trailer: X-Flood"), .text("2\r\n[]\r\n0\r\nX-Flood: "),
                .endless(ScriptedServer.Step.megabyte(of: "a")),
            ]
        },
    ]

    // MARK: As JSON

    private static func nested(_ before: String, _ open: String, _ close: String, _ after: String) -> HostileAnswer {
        let body =
            before + String(repeating: open, count: 10_000) + "1" + String(repeating: close, count: 10_000) + after
        return HostileAnswer(
            name: "10,000 levels: \(before)\(open)", exitCode: 65, says: ["nested deeper than 256 levels"]
        ) { _ in [.answer(text: body)] }
    }

    private static func tenMegabytes(_ name: String, _ before: String, _ after: String, of letter: String = "x")
        -> HostileAnswer
    {
        HostileAnswer(name: "10 MB string: \(name)", exitCode: 0, says: ["1 thing"], stored: "1|1|1|0|0|0") { _ in
            ScriptedServer.Step.long(before, ScriptedServer.Step.megabyte(of: letter), times: 10, after)
        }
    }

    static let texts =
        [
            nested("", "[", "]", ""), nested(#"[{"id":"a","doc":"#, "[", "]", "}]"),
            nested(#"[{"id":"a","other":"#, "[", "]", "}]"), nested(#"[{"id":"a","doc":"#, #"{"a":"#, "}", "}]"),
            nested(#"[{"id":"a","name":"#, "[", "]", "}]"), nested(#"{"a":"#, #"{"a":"#, "}", "}"),
            tenMegabytes("text column", #"[{"id":"a","name":""#, #""}]"#),
            tenMegabytes("text column, escapes", #"[{"id":"a","name":""#, #""}]"#, of: #"\u0041"#),
            tenMegabytes("json column", #"[{"id":"a","doc":""#, #""}]"#),
            tenMegabytes("key", #"[{"id":""#, #""}]"#),
            tenMegabytes("field name", #"[{"id":"a",""#, #"":1}]"#),
            tenMegabytes("unknown field", #"[{"id":"a","other":""#, #""}]"#),
        ] + [
            HostileAnswer(
                name: "a million records on a page of one", exitCode: 0, says: ["5 things"],
                arguments: ["--count", "5", "--page-size", "1"], stored: "5|1000000|5|0|0|999995"
            ) { _ in
                ScriptedServer.Step.chunks(
                    (0..<100).map { part in
                        let records = (0..<10_000).map { #"{"id":"\#(part * 10_000 + $0)"}"# }
                        return Array(((part == 0 ? "[" : ",") + records.joined(separator: ",")).utf8)
                    } + [Array("]".utf8)])
            },
            HostileAnswer(
                name: "63 MB of records, all alike", exitCode: 0, says: ["1 thing"], arguments: ["--count", "1"],
                stored: "1|512065|1|0|0|512064"
            ) { _ in
                let record = #"{"id":"a","name":"\#(String(repeating: "x", count: 108))"},"#
                return ScriptedServer.Step.long(
                    "[", ScriptedServer.Step.megabyte(of: record), times: 63, #"{"id":"a"}]"#)
            },
            HostileAnswer(name: "63 MB of empty records", exitCode: 65, says: ["more than 100000 of its records"]) {
                _ in
                ScriptedServer.Step.long("[", ScriptedServer.Step.megabyte(of: "{},"), times: 63, "{}]")
            },
            HostileAnswer(name: "63 MB of numbers", exitCode: 65, says: ["more than 100000 of its records"]) { _ in
                ScriptedServer.Step.long("[", ScriptedServer.Step.megabyte(of: "1,"), times: 63, "1]")
            },
            HostileAnswer(name: "63 MB of brackets in a record", exitCode: 65, says: ["12 MiB or 1048576"]) { _ in
                ScriptedServer.Step.long(
                    #"[{"id":"a","other":["#, ScriptedServer.Step.megabyte(of: "[],"), times: 63, "1]}]")
            },
            HostileAnswer(
                name: "63 MB of brackets beside the records", exitCode: 65, says: ["12 MiB or 1048576"],
                records: "data"
            ) { _ in
                ScriptedServer.Step.long(
                    #"{"data":[{"id":"a"}],"other":["#, ScriptedServer.Step.megabyte(of: "[],"), times: 63, "1]}")
            },
            HostileAnswer(name: "63 MB in one string", exitCode: 65, says: ["12 MiB or 1048576"]) { _ in
                ScriptedServer.Step.long(
                    #"[{"id":"a","name":""#, ScriptedServer.Step.megabyte(of: "x"), times: 63, #""}]"#)
            },
            HostileAnswer(
                name: "six records of 10 MB", exitCode: 0, says: ["6 things"], arguments: ["--count", "6"],
                stored: "6|6|6|0|0|0"
            ) { _ in
                let filling = Array(repeating: ScriptedServer.Step.megabyte(of: "x"), count: 10)
                return ScriptedServer.Step.chunks(
                    (0..<6).flatMap { number in
                        [Array(#"\#(number == 0 ? "[" : ","){"id":"\#(number)","other":""#.utf8)] + filling
                            + [Array(#""}"#.utf8)]
                    } + [Array("]".utf8)])
            },
            HostileAnswer(name: "63 MB that end in a mistake", exitCode: 65, says: ["not JSON"]) { _ in
                ScriptedServer.Step.long("[", ScriptedServer.Step.megabyte(of: #"{"id":"a"},"#), times: 63, "}]")
            },
            HostileAnswer(name: "250,000 fields in a record", exitCode: 0, says: ["1 thing"], stored: "1|1|1|0|0|0") {
                _ in
                let fields = (0..<250_000).map { #""f\#($0)":1"# }.joined(separator: ",")
                return [.answer(text: #"[{"id":"a",\#(fields)}]"#)]
            },
        ]

    // MARK: Many at once

    @Test("Pages of 60 MB through many lanes keep within the same memory, and all arrive", arguments: [4, 16])
    func lanes(_ lanes: Int) async throws {
        let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
        let scene = try HostileScene { request in
            ScriptedServer.Step.long(
                #"[{"id":"\#(request.number)"}"#, blanks, times: request.number % 3 == 0 ? 1 : 60, "]")
        }
        try scene.writeSource()
        let result = try await scene.crawl(
            [
                "--source", "things.json", "--count", "\(lanes)", "--page-size", "1", "--concurrency", "\(lanes)",
                "--timeout", "20",
            ])
        #expect(result.exitCode == 0, "\(result)")
        #expect(try await scene.query("SELECT count(*) FROM things") == "\(lanes)")
        try await scene.expectOrder(after: result)
    }
}
