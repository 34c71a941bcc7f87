import CrawlCore
import Foundation
import Testing

@testable import CrawlKit

@Suite("Cookies and crumbs")
struct CredentialsTests {
    static let now = Date(timeIntervalSince1970: 1_780_000_000)

    static let cookies: [(fields: [String], expected: String?)] = [
        (["A3=d=AQAB&S=x.y_z; Max-Age=31557600; Path=/; HttpOnly"], "A3=d=AQAB&S=x.y_z"),
        (["a=1", "b=2; Secure"], "a=1; b=2"),
        (["a=1", "a=2"], "a=2"),
        ([" a = 1 ; Path=/"], "a=1"),
        (["a=\"quoted\""], "a=\"quoted\""),
        (["a=; Path=/"], nil),
        (["a=1; Max-Age=0"], nil),
        (["a=1; max-age=-5", "b=2"], "b=2"),
        (["a=1", "a=gone; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], nil),
        (["a=1; Expires=Fri, 01 Jan 2100 00:00:00 GMT"], "a=1"),
        (["nonsense", "=x", ""], nil),
        (["a=x\u{1}y"], nil),
        ([], nil),
    ]

    @Test("the cookie field is made of what an answer sets", arguments: cookies)
    func cookie(fields: [String], expected: String?) {
        #expect(Credentials.cookie(from: fields, now: Self.now) == expected)
    }

    private static func crumb(_ text: String) -> Result<String, FetchFailure> {
        Array(text.utf8).withUnsafeBytes { bytes in
            do throws(FetchFailure) {
                return .success(try Credentials.crumb(from: bytes))
            } catch {
                return .failure(error)
            }
        }
    }

    @Test("crumbs are taken as they are", arguments: ["aB3.cD/eF+g", "x/y+z=", "0", "a-_.~b", "Zq\\u002Fx"])
    func crumbs(text: String) {
        #expect(Self.crumb(text) == .success(text))
    }

    static let refusals = [
        "Too Many Requests\r\n", "Too Many Requests", "aB3.cD/eF+g\n", " aB3", "<html></html>",
        "{\"finance\":{\"error\":null}}", "Unauthorized", "null", "Forbidden", "crüm", "a\u{0}b", "a,b",
        String(repeating: "a", count: 65),
    ]

    @Test("an error text is never taken for a crumb", arguments: refusals)
    func refused(text: String) {
        guard case .failure(.handshake(.notACrumb, let detail)) = Self.crumb(text) else {
            Issue.record("'\(text)' was taken: \(Self.crumb(text))")
            return
        }
        #expect(detail.hasPrefix("answered with something that is no crumb"))
        // One word could be a crumb after all.
        #expect(detail.contains("Too Many") == text.contains("Too Many"))
        #expect(!detail.contains("aaaa") && !detail.contains("crüm"))
    }

    @Test("an empty crumb is told from a wrong one")
    func empty() {
        guard case .failure(.handshake(.emptyCrumb, _)) = Self.crumb("") else {
            Issue.record("\(Self.crumb(""))")
            return
        }
    }
}
