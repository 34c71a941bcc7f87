import CrawlCore
import CrawlJSON
import Testing

@testable import CrawlKit

@Suite("What a probe refuses, and what it says where it is in doubt")
struct ProbeErrorTests {
    @Test(
        "answers that cannot be described",
        arguments: [
            ("[1,2]", "holds no list of objects"), (#""text""#, "holds no list of objects"), ("{}", "empty object"),
            (#"{"results":[]}"#, "empty list"), (#"[{"a":1,"b":true},{"a":1,"b":false}]"#, "--key"),
        ])
    func refused(body: String, words: String) async throws {
        let api = FakeAPI("https://a.example/things?token=hunter2") { _ in FakeAPI.Answer(body: body) }
        let error = await #expect(throws: CrawlError.self) { try await api.probe() }
        #expect(error?.exitCode == .unreadable)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test("a key that the user names")
    func givenKey() async throws {
        let api = FakeAPI("https://a.example/things") { _ in
            FakeAPI.Answer(body: #"[{"id":1,"where":{"code":"a"}},{"id":2,"where":{"code":"b"}}]"#)
        }
        #expect(try await api.probe(key: ["where_code", "id"]).source.key == ["where_code", "id"])
        #expect(try await api.probe(key: ["where.code"]).source.key == ["where_code"])
        let error = await #expect(throws: CrawlError.self) { try await api.probe(key: ["where_cod"]) }
        #expect(error?.exitCode == .usage)
        #expect(error?.remedy == "Did you mean 'where_code'?")
    }

    @Test("says what it could not decide")
    func doubts() async throws {
        let api = FakeAPI("https://a.example/things?api_key=hunter2") { _ in
            FakeAPI.Answer(body: #"{"total":900,"items":[{"id":1,"x":null},{"id":2,"x":null}]}"#)
        }
        let finding = try await api.probe()
        let doubts = finding.notes.filter(\.isDoubt).map(\.text).joined(separator: "\n")
        #expect(doubts.contains("900"), "pages that were not found: \(doubts)")
        #expect(doubts.contains("x: null in every record"))
        #expect(doubts.contains("looks like a secret"))
        #expect(!doubts.contains("hunter2"))
        #expect(finding.source.pagination == .single)
        #expect(api.requests.count <= Probe.mostRequests)
    }

    @Test("a next address on another host is not asked")
    func foreign() async throws {
        let api = FakeAPI("https://a.example/things") { _ in
            FakeAPI.Answer(body: #"{"next":"https://b.example/things?page=2","items":[{"id":1},{"id":2}]}"#)
        }
        let finding = try await api.probe()
        #expect(finding.notes.contains { $0.isDoubt && $0.text.contains("b.example") })
        #expect(api.requests.allSatisfy { $0.hasPrefix("https://a.example/") })
    }

    @Test("a server that answers anything costs few requests")
    func bounded() async throws {
        for body in [
            #"{"has_more":true,"next_cursor":"c","next":"x","page":1,"total":99,"limit":2,"items":[{"id":1},{"id":2}]}"#,
            #"{"nextPageToken":"t","cursor":"c","marker":"m","pages":9,"rows":[{"id":1},{"id":2}],"size":2}"#,
        ] {
            let api = FakeAPI("https://a.example/things?page=1&offset=2&limit=2&start=3") { _ in
                FakeAPI.Answer(body: body)
            }
            let finding = try await api.probe()
            #expect(api.requests.count < 40)
            #expect(finding.source.key == ["id"])
        }
    }

    @Test(
        "headers",
        arguments: [
            ("Accept: text/json", "Accept", "text/json"),
            ("Authorization: Bearer ${T}", "Authorization", "Bearer ${T}"),
            ("X-Time:10:30", "X-Time", "10:30"), ("Authorization: Bearer abc", nil, nil), ("X-Api-Key: abc", nil, nil),
            ("Accept", nil, nil), (": x", nil, nil), ("A B: x", nil, nil), ("A: x\r\nB: y", nil, nil), ("A:", nil, nil),
        ] as [(String, String?, String?)])
    func header(text: String, name: String?, value: String?) {
        let header = try? Probe.header(parsing: text)
        #expect(header?.name == name)
        #expect(header?.value == value)
    }
}
