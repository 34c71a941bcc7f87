import Foundation
import StandInAPI
import Testing

/// What each fault puts on the wire.
@Suite struct WireFaultTests {
    private func server(_ fault: String, seed: UInt64 = 5) throws -> StandInServer {
        var configuration = StandInConfiguration()
        configuration.seed = seed
        configuration.faults = [try Fault(parsing: fault)]
        return try StandInServer(configuration: configuration)
    }

    private func page(_ fault: String, size: Int = 10) throws -> WireClient.Answer {
        let server = try server(fault)
        return try get("/api/v2/users?size=\(size)", from: server)
    }

    /// The same page without a fault.
    private func wholePage() throws -> WireClient.Answer { try page("500:2") }

    @Test(arguments: [400, 401, 402, 403, 404, 408, 410, 425, 429, 500, 502, 503, 504])
    func statuses(status: Int) throws {
        let answer = try page("\(status):1")
        #expect(answer.status == status && answer.end == .complete && !answer.body.isEmpty)
        #expect(answer.headers["retry-after"] == nil)
    }

    @Test(arguments: [
        ("429-seconds", 429, "1"), ("429-seconds=7:1", 429, "7"), ("503-seconds=3600:1", 503, "3600"),
        ("retry-after", 429, "120junk"), ("retry-after=-5:1", 429, "-5"), ("retry-after=0:1", 429, "0"),
        ("retry-after=:1", 429, ""), ("200-retry-after", 200, "60"),
        ("retry-after=Sun, 06 Nov 1994 08:49:37 GMT:1", 429, "Sun, 06 Nov 1994 08:49:37 GMT"),
    ])
    func retryAfter(fault: String, status: Int, value: String) throws {
        let answer = try page(fault)
        #expect(answer.status == status && answer.headers["retry-after"] == value)
    }

    @Test(arguments: [("429-date=90:1", 429, 90), ("503-date=-3600:1", 503, -3_600)])
    func retryAfterAsADate(fault: String, status: Int, seconds: Double) throws {
        let answer = try page(fault)
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        format.timeZone = TimeZone(identifier: "UTC")
        let date = try #require(format.date(from: answer.headers["retry-after"] ?? ""))
        #expect(answer.status == status && abs(date.timeIntervalSinceNow - seconds) < 5)
    }

    @Test func bodiesThatAreNoPage() throws {
        let html = try page("html")
        #expect(html.status == 200 && html.text.hasPrefix("<!DOCTYPE html>"))
        #expect(html.headers["content-type"]?.hasPrefix("text/html") == true)
        #expect(try object(page("error-object").text)["error"] is String)
        #expect(try page("no-content").status == 204)
        let empty = try page("empty")
        #expect(empty.status == 200 && empty.body.isEmpty && empty.end == .complete)
        #expect(empty.headers["content-length"] == "0")
        #expect(try page("empty-list").text == "[]")
        let text = try page("not-json")
        #expect(throws: (any Error).self) { try JSONSerialization.jsonObject(with: Data(text.body)) }
        let deep = try page("deep")
        #expect(deep.text == String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000))
    }

    @Test(arguments: [("truncated", 50), ("truncated=90:1", 90), ("truncated=0:1", 0)])
    func truncatedClosesBeforeTheAnnouncedEnd(fault: String, percent: Int) throws {
        let whole = try wholePage()
        let answer = try page(fault)
        #expect(answer.status == 200 && answer.headers["content-length"] == String(whole.body.count))
        #expect(answer.end != .complete && answer.end != .timedOut)
        #expect(answer.body == Array(whole.body.prefix(whole.body.count * percent / 100)))
    }

    @Test func truncatedJSONIsCompleteHTTP() throws {
        let whole = try wholePage()
        let answer = try page("truncated-json")
        #expect(answer.end == .complete && answer.body == Array(whole.body.prefix(whole.body.count / 2)))
    }

    @Test func connectionsThatEndWithoutAByte() throws {
        let closed = try page("close")
        #expect(closed.status == nil && closed.body.isEmpty && closed.end == .closed)
        let reset = try page("reset")
        #expect(reset.status == nil && reset.body.isEmpty && reset.end == .reset)
    }

    @Test func hangSendsNothing() throws {
        let server = try server("hang")
        let answer = try WireClient(server, timeout: .milliseconds(300)).get("/api/v2/users")
        #expect(answer.end == .timedOut && answer.body.isEmpty)
        let short = try self.server("hang=0:1")
        #expect(try get("/api/v2/users", from: short).end == .closed)
    }

    @Test func slowComesLateAndWhole() throws {
        let started = ContinuousClock.now
        let answer = try page("slow=150:1")
        #expect(try answer.body == wholePage().body)
        #expect(ContinuousClock.now - started >= .milliseconds(150))
    }

    @Test func dripComesByteByByte() throws {
        let server = try server("drip=20:1")
        let client = try WireClient(server)
        client.send("/api/v2/users?size=10")
        let started = ContinuousClock.now
        let answer = client.receive(cap: 10)
        #expect(try answer.body == Array(wholePage().body.prefix(10)))
        #expect(ContinuousClock.now - started >= .milliseconds(180))
        let all = try page("drip=0:1", size: 1)
        #expect(all.end == .complete && all.body.first == 0x7B && all.body.last == 0x7D)
    }

    @Test func encodings() throws {
        let whole = try wholePage()
        #expect(try page("bom").body == [0xEF, 0xBB, 0xBF] + whole.body)
        let gzip = try page("gzip")
        #expect(gzip.headers["content-encoding"] == "gzip")
        #expect(try unpack(gzip.body) == whole.body)
        let large = try page("gzip", size: 100)
        #expect(large.body.count > 65_535)
        let unpacked = try #require(try unpack(large.body))
        #expect(try list(String(decoding: unpacked, as: UTF8.self)).count == 100)
        let cut = try page("gzip-truncated")
        #expect(cut.end == .complete && cut.headers["content-encoding"] == "gzip")
        #expect(cut.body == Array(gzip.body.prefix(gzip.body.count / 2)))
        let lie = try page("gzip-lie")
        #expect(lie.headers["content-encoding"] == "gzip" && lie.body == whole.body)
    }

    @Test func bombIsAThousandTimesLargerThanItLooks() throws {
        let answer = try page("gzip-bomb=20:1")
        #expect(answer.body.count < 25_000)
        let unpacked = try unpack(answer.body, checked: false)
        #expect((19_900_000...20_000_000).contains(unpacked?.count ?? 0))
        #expect(unpacked?.allSatisfy { $0 == 0x20 } == true)
    }

    /// What Python's zlib makes of gzip, an implementation of its own.
    private func unpack(_ bytes: [UInt8], checked: Bool = true) throws -> [UInt8]? {
        let program =
            checked
            ? "import sys,gzip; sys.stdout.buffer.write(gzip.decompress(sys.stdin.buffer.read()))"
            : "import sys,zlib; sys.stdout.buffer.write(zlib.decompress(sys.stdin.buffer.read()[10:-8],-15))"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-c", program]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(bytes))
        try input.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd()
        process.waitUntilExit()
        return data.map(Array.init)
    }

    @Test func redirectsEndOrNot() throws {
        let server = try server("redirect")
        let first = try get("/api/v2/users?size=3", from: server)
        #expect(first.status == 302)
        let location = try #require(first.headers["location"])
        #expect(location.hasPrefix("/api/v2/users?size=3"))
        #expect(try list(get(location, from: server).text).count == 3)
        let loop = try self.server("redirect-loop")
        for _ in 0..<3 {
            let answer = try get("/api/v2/users?size=3", from: loop)
            #expect(answer.status == 302 && answer.headers["location"] == "/api/v2/users?size=3")
        }
        #expect(try page("redirect-file").headers["location"]?.hasPrefix("file:///") == true)
    }

    @Test func duplicatePageIsThePageBefore() throws {
        let server = try server("duplicate-page:3")
        let client = try WireClient(server)
        let pages = (0..<4).map { _ in client.get("/api/v2/users?size=5").text }
        #expect(pages[2] == pages[1] && pages[1] != pages[0] && pages[3] != pages[2])
    }

    @Test func bodiesAndHeadersWithoutEnd() throws {
        let huge = try WireClient(server("huge")).get("/api/v2/users?size=100", cap: 5_000_000)
        #expect(huge.status == 200 && huge.headers["content-length"] == nil && huge.body.count >= 5_000_000)
        let headers = try WireClient(server("headers")).get("/api/v2/users", cap: 3_000_000)
        #expect(headers.status == nil && headers.body.count >= 3_000_000)
        #expect(headers.text.hasPrefix("HTTP/1.1 200 OK\r\nx-stand-in: "))
    }

    @Test func notHTTP() throws {
        let answer = try page("not-http")
        #expect(answer.text.isEmpty == false || answer.status == nil)
        #expect(answer.headers["content-type"] == nil)
    }
}
