import CrawlCore
import Testing

@testable import CrawlHTTP

@Suite("Addresses and fields as text")
struct TextTests {
    @Test(
        "Query parameters are added or replaced, and nothing else changes",
        arguments: [
            ("https://a.example/users", [("size", "10")], "https://a.example/users?size=10"),
            ("https://a.example/users?", [("size", "10")], "https://a.example/users?size=10"),
            ("https://a.example/users?size=2&x=%2f+y", [("size", "10")], "https://a.example/users?size=10&x=%2f+y"),
            ("https://a.example/?a=1&b=2&a=3", [("a", "9")], "https://a.example/?a=9&b=2"),
            ("https://a.example/?page%5Bsize%5D=1", [("page[size]", "2")], "https://a.example/?page%5Bsize%5D=2"),
            ("https://a.example/?flag", [("flag", "")], "https://a.example/?flag="),
            ("https://a.example/#top", [("crumb", "a/b+c=.d")], "https://a.example/?crumb=a%2Fb%2Bc%3D.d"),
            ("https://a.example/", [("q", "é &~-_.")], "https://a.example/?q=%C3%A9%20%26~-_."),
            ("https://a.example/?a=1", [], "https://a.example/?a=1"),
        ] as [(String, [(String, String)], String)])
    func setting(url: String, items: [(String, String)], expected: String) {
        #expect(URLText.setting(items.map { (name: $0.0, value: $0.1) }, in: url) == expected)
    }

    @Test(
        "An address is shown without its secrets",
        arguments: [
            ("https://a.example/users?size=2", [], "https://a.example/users?size=2"),
            ("https://me:pw@a.example/users", [], "https://a.example/users"),
            ("https:/me:pw@a.example/users", [], "https:/a.example/users"),
            ("https://me:p@w@a.example:8443/u?x=a@b", [], "https://a.example:8443/u?x=a@b"),
            ("https://a.example/?api_key=hunter2&size=1", [], "https://a.example/?api_key=***&size=1"),
            ("https://a.example/?apikey=hunter2", [], "https://a.example/?apikey=***"),
            ("https://a.example/?access_token=hunter2", [], "https://a.example/?access_token=***"),
            ("https://a.example/?accessToken=hunter2", [], "https://a.example/?accessToken=***"),
            ("https://a.example/?crumb=hunter2#x", [], "https://a.example/?crumb=***"),
            ("https://a.example/?X-Amz-Signature=hunter2", [], "https://a.example/?X-Amz-Signature=***"),
            ("https://a.example/?api%5Fkey=hunter2", [], "https://a.example/?api%5Fkey=***"),
            ("https://a.example/?\u{301}token=hunter2", [], "https://a.example/?\u{301}token=***"),
            ("https://a.example/?PASSWORD=hunter2", [], "https://a.example/?PASSWORD=***"),
            ("https://a.example/?monkey=1&keyword=2&tokens=3", [], "https://a.example/?monkey=1&keyword=2&tokens=3"),
            ("https://a.example/bot/hunter2/x?y=hunter2", ["hunter2"], "https://a.example/bot/***/x?y=***"),
            ("https://a.example/?y=a%2Fb", ["a/b"], "https://a.example/?y=***"),
            ("https://a.example/?y=longer-secret", ["secret", "longer-secret"], "https://a.example/?y=***"),
            ("https://a.example/?y=1", [""], "https://a.example/?y=1"),
        ] as [(String, [String], String)])
    func display(url: String, secrets: [String], expected: String) {
        #expect(URLText.display(url, hiding: secrets) == expected)
    }

    @Test(
        "The next page is found in Link fields",
        arguments: [
            (["<https://a.example/p?page=2>; rel=\"next\""], "https://a.example/p?page=2"),
            (
                ["<https://a.example/p?page=1>; rel=\"first\", <https://a.example/p?page=3>; rel=\"next\""],
                "https://a.example/p?page=3"
            ),
            (["<https://a.example/1>; rel=first", "<https://a.example/3>; rel=next"], "https://a.example/3"),
            (["<?page=2>; rel=next"], "?page=2"),
            (["</other?page=2>;rel=next"], "/other?page=2"),
            (["<p,1;2>; title=\"a, b; rel=next\"; rel=\"next\""], "p,1;2"),
            (["<x>; title=\"say \\\"rel=next\\\", <y>; rel=next\"; rel=prev, <z>; rel=next"], "z"),
            (["<x>; rel=\"last NEXT\""], "x"),
            (["<x>; REL = \"next\""], "x"),
            (["<x>; rel=prev; rel=next, <y>; rel=last"], nil),
            ([""], nil), ([], nil), (["nonsense"], nil), (["<unclosed"], nil),
            (["<x>; rel=\"next"], "x"),
            (["<x>; rel=nextish"], nil),
        ] as [([String], String?)])
    func link(fields: [String], expected: String?) {
        #expect(LinkHeader.next(in: fields) == expected)
    }

    @Test(
        "Cache-Control is read",
        arguments: [
            (["max-age=43200"], 43200, false), (["public, max-age=5, no-store"], 5, true),
            (["MAX-AGE=\"7\""], 7, false),
            (["no-store"], nil, true), (["max-age=-1"], nil, false), (["max-age=x, max-age=3"], 3, false),
            (["s-maxage=9"], nil, false), (["max-age=99999999999999999999"], .max, false), ([], nil, false),
            (["private", "max-age = 8"], 8, false), (["max-age="], nil, false),
        ] as [([String], Int?, Bool)])
    func cacheControl(fields: [String], maxAge: Int?, noStore: Bool) {
        let control = CacheControl(fields)
        #expect(control.maxAge == maxAge)
        #expect(control.noStore == noStore)
    }

    @Test("An error's first characters are one clean line, without secrets")
    func beginning() {
        let body = ResponseBody(Array("<html>\r\n\t<h1>No\u{1B}[31m</h1> key hunter2\n".utf8) + [0xff])
        let response = HTTPResponse(
            status: 503, headers: ["retry-after": "9"], body: body, wireBytes: 0, finalURL: "", seconds: 0)
        #expect(
            response.failure(hiding: ["hunter2"])
                == .status(503, retryAfter: "9", body: "<html> <h1>No [31m</h1> key *** \u{FFFD}"))
        let long = HTTPResponse(
            status: 200, headers: [:], body: ResponseBody([UInt8](repeating: 65, count: 9999)), wireBytes: 0,
            finalURL: "", seconds: 0)
        #expect(long.failure() == nil)
        #expect(long.beginning().count == 200)
    }

    @Test("Field names are compared without regard to case, repeated fields are kept")
    func headers() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1", "ETag": "x"]
        headers.add(name: "set-cookie", value: "b=2")
        #expect(headers["SET-COOKIE"] == "a=1")
        #expect(headers.values(of: "Set-Cookie") == ["a=1", "b=2"])
        #expect(headers["etag"] == "x")
        #expect(headers["tag"] == nil)
    }

    @Test("A separator with a combining mark behind it is one all the same")
    func combiningMarks() {
        let url = "https://api.example/?api_key\u{31E}=1&\u{31E}token=s3cret&page=\u{301}2&\u{308}size=3"
        #expect(URLText.items(in: url).map(\.name) == ["api_key\u{31E}", "\u{31E}token", "page", "\u{308}size"])
        #expect(URLText.items(in: url).map(\.value) == ["1", "s3cret", "\u{301}2", "3"])
        let removed = URLText.removing(["page"], from: url)
        #expect(removed == "https://api.example/?api_key\u{31E}=1&\u{31E}token=s3cret&\u{308}size=3")
        #expect(!URLText.display(url).contains("s3cret"))
    }
}
