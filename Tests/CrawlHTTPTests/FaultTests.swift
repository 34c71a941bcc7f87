import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import CrawlHTTP

/// What a server does wrong, and what the caller is told.
struct FaultCase: Sendable, CustomTestStringConvertible {
    var name: String
    var steps: [ScriptedServer.Step]
    var fault: NetworkFault
    var sentence: String
    var readsRequest = true
    var timeout = Duration.seconds(20)
    var maxBodyBytes = 64 << 20

    var testDescription: String { name }

    static let page = #"[{"id":1},{"id":2}]"#
    static let gzip = Samples.gzip
    static let brotli = Samples.brotli

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
    }

    static func chunked(_ bytes: [UInt8], coding: String) -> [ScriptedServer.Step] {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nTransfer-Encoding: chunked\r\n\r\n"
        return [.text(head), .bytes(chunk(bytes)), .text("0\r\n\r\n")]
    }

    static func untilClosed(_ bytes: [UInt8], coding: String) -> [ScriptedServer.Step] {
        [.text("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nConnection: close\r\n\r\n"), .bytes(bytes), .close]
    }

    static func announced(_ bytes: [UInt8], coding: String) -> [ScriptedServer.Step] {
        [.answer(fields: ["Content-Encoding: \(coding)"], body: bytes)]
    }

    static let all: [FaultCase] = [
        FaultCase(
            name: "closed without a byte", steps: [.close], fault: .connectionClosed,
            sentence: "HOST closed the connection without an answer"),
        FaultCase(
            name: "reset before an answer", steps: [.reset], fault: .connectionClosed,
            sentence: "HOST closed the connection without an answer"),
        FaultCase(
            name: "reset within the body",
            steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1,2"), .pause(.milliseconds(50)), .reset],
            fault: .connectionClosed, sentence: "HOST broke off the connection after 4 bytes"),
        FaultCase(
            name: "less than Content-Length",
            steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n[1,2"), .close],
            fault: .truncated, sentence: "HOST ended the answer too early, after 4 bytes"),
        FaultCase(
            name: "chunked without its end",
            steps: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n[1,2\r\n"), .close],
            fault: .truncated, sentence: "HOST ended the answer too early, after 4 bytes"),
        FaultCase(
            name: "gzip cut off, announced length", steps: announced(Array(gzip.dropLast(20)), coding: "gzip"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole gzip data"),
        FaultCase(
            name: "gzip cut off, chunked", steps: chunked(Array(gzip.dropLast(20)), coding: "gzip"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole gzip data"),
        FaultCase(
            name: "gzip cut off, until closed", steps: untilClosed(Array(gzip.dropLast(20)), coding: "gzip"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole gzip data"),
        FaultCase(
            name: "gzip without its checksum", steps: untilClosed(Array(gzip.dropLast(8)), coding: "gzip"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole gzip data"),
        FaultCase(
            name: "brotli cut off", steps: untilClosed(Array(brotli.dropLast(3)), coding: "br"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole br data"),
        FaultCase(
            name: "deflate cut off", steps: untilClosed(Array(Samples.deflate.dropLast(6)), coding: "deflate"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole deflate data"),
        FaultCase(
            name: "gzip announced, plain sent", steps: announced(Array(page.utf8), coding: "gzip"),
            fault: .badEncoding, sentence: "the answer of HOST is not whole gzip data"),
        FaultCase(
            name: "an encoding nobody asked for", steps: announced(Array(page.utf8), coding: "zstd"),
            fault: .badEncoding, sentence: "HOST answered in a content encoding that was not asked for"),
        FaultCase(
            name: "a transfer coding nobody asked for",
            steps: [.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"), .bytes(chunk(gzip)), .close],
            fault: .badEncoding, sentence: "HOST answered in a transfer coding that was not asked for"),
        FaultCase(
            name: "a body beyond the cap, announced", steps: [.answer(body: [UInt8](repeating: 32, count: 1001))],
            fault: .bodyTooLarge, sentence: "the answer of HOST is larger than 1000 bytes", maxBodyBytes: 1000),
        FaultCase(
            name: "a body without end",
            steps: [.text("HTTP/1.1 200 OK\r\n\r\n"), .endless([UInt8](repeating: 32, count: 4096))],
            fault: .bodyTooLarge, sentence: "the answer of HOST is larger than 100000 bytes", maxBodyBytes: 100_000),
        FaultCase(
            name: "a small gzip that grows beyond the cap", steps: announced(Samples.bomb, coding: "gzip"),
            fault: .bodyTooLarge, sentence: "the answer of HOST is larger than 100000 bytes", maxBodyBytes: 100_000),
        FaultCase(
            name: "header fields without end",
            steps: [.text("HTTP/1.1 200 OK\r\n"), .endless(Array("X-Flood: aaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".utf8))],
            fault: .notHTTP, sentence: "the header of HOST is larger than 262144 bytes"),
        FaultCase(
            name: "a header line without end",
            steps: [.text("HTTP/1.1 200 OK\r\nX-Flood: "), .endless(Array("aaaaaaaa".utf8))],
            fault: .notHTTP, sentence: "HOST sent a header line without an end"),
        FaultCase(
            name: "interim answers without end", steps: [.endless(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))],
            fault: .notHTTP, sentence: "the header of HOST is larger than 262144 bytes"),
        FaultCase(
            name: "not HTTP at all", steps: [.text("SSH-2.0-OpenSSH_9.2\r\n"), .close], fault: .notHTTP,
            sentence: "HOST did not answer in HTTP: Received HTTP/0.9 when not allowed"),
        FaultCase(
            name: "no answer", steps: [.hang], fault: .timedOut, sentence: "HOST did not answer within 1 s",
            timeout: .seconds(1)),
        FaultCase(
            name: "no end of the answer", steps: [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[1"), .hang],
            fault: .timedOut, sentence: "HOST did not end its answer within 1 s", timeout: .seconds(1)),
        FaultCase(
            name: "header fields drop by drop",
            steps: [.drip(Array("HTTP/1.1 200 OK\r\nX-Slow: aaaaaaaaaaaaaa".utf8), every: .milliseconds(50)), .hang],
            fault: .timedOut, sentence: "HOST did not", timeout: .milliseconds(400)),
        FaultCase(
            name: "a body drop by drop",
            steps: [
                .text("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n"),
                .drip([UInt8](repeating: 32, count: 99), every: .milliseconds(250)),
            ],
            fault: .timedOut, sentence: "HOST sent only"),
    ]
}

@Test("A fault of the server is told apart and named, without a shortened page", arguments: FaultCase.all)
func serverFault(_ fault: FaultCase) async throws {
    try await withClient(adjust: { $0.stallWindow = .milliseconds(600) }) { client in
        try await ScriptedServer.run(fault.steps) { server in
            var request = HTTPRequest(url: server.url("/users?api_key=hunter2"))
            request.timeout = fault.timeout
            request.maxBodyBytes = fault.maxBodyBytes
            let outcome = await fetch(request, with: client)
            #expect(outcome.fault == fault.fault, "\(outcome)")
            let sentence = fault.sentence.replacing("HOST", with: "127.0.0.1:\(server.port)")
            #expect(outcome.detail.hasPrefix(sentence), "\(outcome.detail)")
            #expect(!outcome.detail.contains("hunter2"))
        }
    }
}

@Test(
    "A fault before the connection stands is told apart",
    arguments: [
        (
            "name that does not exist", "http://nosuch.invalid/?key=hunter2", NetworkFault.nameNotResolved,
            "Could not resolve host: nosuch.invalid"
        ),
        (
            "nothing listens", "http://user:hunter2@127.0.0.1:1/", .connectionRefused,
            "127.0.0.1:1 accepts no connection: Connection refused"
        ),
        ("another scheme", "ftp://127.0.0.1/hunter2", .badURL, "the address is no http or https URL"),
        ("a file", "file:///etc/passwd", .badURL, "the address is no http or https URL"),
        ("no address", "users", .badURL, "the address is no http or https URL"),
        ("a port beyond all ports", "http://127.0.0.1:99999/", .badURL, "the address is no http or https URL"),
    ])
func connectionFault(_ name: String, url: String, fault: NetworkFault, sentence: String) async throws {
    try await withClient { client in
        let outcome = await fetch(HTTPRequest(url: url), with: client)
        #expect(outcome.fault == fault)
        #expect(outcome.detail == sentence)
    }
}
