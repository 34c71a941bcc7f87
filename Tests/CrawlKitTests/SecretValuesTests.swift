import CrawlCore
import Testing

@testable import CrawlKit

@Suite("Secrets in texts")
struct SecretValuesTests {
    static let texts: [(text: String, expected: String)] = [
        ("plain", "plain"),
        ("token s3cr/t \"x\"&<y>!", "token ***!"),
        (#"{"echo":"s3cr\/t \"x\"&<y>"}"#, #"{"echo":"***"}"#),
        (#"{"echo":"s3cr/t \"x\"&<y>"}"#, #"{"echo":"***"}"#),
        ("?t=s3cr%2Ft%20%22x%22%26%3Cy%3E&a", "?t=***&a"),
        ("?t=s3cr%2ft%20%22x%22%26%3cy%3e&a", "?t=***&a"),
        ("?t=s3cr%2Ft+%22x%22%26%3Cy%3E&a", "?t=***&a"),
        ("<p>s3cr/t &quot;x&quot;&amp;&lt;y&gt;</p>", "<p>***</p>"),
        ("cut off at s3cr/t \"x…", "cut off at ***…"),
        ("cut off at s3cr…, and more", "cut off at ***…, and more"),
        ("cut off at s3…", "cut off at s3…"),
        ("an ellipsis… and s3cr", "an ellipsis… and s3cr"),
        ("a short one: abc", "a short one: abc"),
    ]

    @Test("are hidden in every form in which a server may repeat them", arguments: texts)
    func hide(text: String, expected: String) {
        let secrets = SecretValues(["s3cr/t \"x\"&<y>", "abc", ""])
        #expect(secrets.hide(in: text) == expected)
    }

    @Test("that come up later are hidden as well, the longest first")
    func later() {
        let secrets = SecretValues()
        #expect(secrets.hide(in: "crumb-1234") == "crumb-1234")
        secrets.add(["crumb"])
        secrets.add(["crumb-1234"])
        #expect(secrets.hide(in: "crumb-1234, crumb") == "***, ***")
    }

    @Test("are hidden in every kind of failure")
    func failures() {
        let secrets = SecretValues(["hush-hush"])
        let failures: [FetchFailure] = [
            .status(500, retryAfter: "7", body: "hush-hush"), .network(.other, detail: "hush-hush"),
            .unreadable(.notJSON, detail: "hush-hush"), .handshake(.notACrumb, detail: "hush-hush"),
        ]
        for failure in failures { #expect(!"\(secrets.hide(in: failure))".contains("hush")) }
        #expect(secrets.hide(in: failures[0]) == .status(500, retryAfter: "7", body: "***"))
    }

    static let words: [(word: String, expected: String)] = [
        ("--count", "--count"), ("50", "50"), ("symbols=AAPL", "symbols=AAPL"), ("api_key=abc", "api_key=***"),
        ("users=http://me:pw@h/x?a=1&token=t#f", "users=http://***@h/x?a=1&token=***"),
        ("--endpoint=users=https://me@h/", "--endpoint=users=https://***@h/"), ("http://h/a@b", "http://h/a@b"),
        ("token=${T}", "token=***"),
    ]

    @Test("are hidden in the words of a command line", arguments: words)
    func commandLine(word: String, expected: String) {
        #expect(SecretText.hidden(inArgument: word) == expected)
    }
}
