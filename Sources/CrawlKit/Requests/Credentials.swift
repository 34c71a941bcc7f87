import CrawlCore
import CrawlHTTP
import CrawlJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a handshake brought: a cookie and the crumb that belongs to it.
struct Credentials: Sendable, Equatable {
    /// The `Cookie` field.
    var cookie: String
    /// The crumb, not percent-encoded.
    var crumb: String
    /// The query parameter that carries it.
    var parameter: String
}

extension Credentials {
    /// The `Cookie` field for the cookies that an answer sets, nil where it sets none.
    ///
    /// Attributes other than those that delete a cookie do not count: where it is sent stands in the source file.
    /// See [RFC 6265, 5.2](https://www.rfc-editor.org/rfc/rfc6265#section-5.2).
    static func cookie(from fields: [String], now: Date) -> String? {
        var cookies: [(name: Substring, value: Substring)] = []
        for field in fields {
            let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
            guard let pair = parts.first, let sign = pair.firstIndex(of: "=") else { continue }
            let (name, value) = (trimmed(pair[..<sign]), trimmed(pair[pair.index(after: sign)...]))
            guard !name.isEmpty, value.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                continue
            }
            cookies.removeAll { $0.name == name }
            if !value.isEmpty, !parts.dropFirst().contains(where: { isDeletion($0, now: now) }) {
                cookies.append((name, value))
            }
        }
        return cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// The crumb that an answer with status 200 holds.
    ///
    /// A crumb is a short word; a sentence, a web page and JSON are what services send when they refuse, whatever the
    /// status.
    /// - Throws: `FetchFailure.handshake` where it is none.
    static func crumb(from body: UnsafeRawBufferPointer) throws(FetchFailure) -> String {
        guard !body.isEmpty else {
            throw .handshake(.emptyCrumb, detail: "answered with an empty text instead of a crumb")
        }
        let isShort = body.count <= longestCrumb
        let isWord = body.allSatisfy { $0 > 0x20 && $0 < 0x7F && !forbidden.contains($0) }
        let text = String(decoding: body.prefix(longestCrumb), as: UTF8.self)
        guard isShort, isWord, !refusals.contains(text.lowercased()) else {
            // What is one word might be a crumb of a kind that is not known yet, and a secret.
            let isProse = body.contains { $0 <= 0x20 } || body.first.map("<{".utf8.contains) == true
            let said = isProse ? ": \(Printable.text(body, limit: 60))" : ""
            throw .handshake(.notACrumb, detail: "answered with something that is no crumb" + said)
        }
        return text
    }

    private static let longestCrumb = 64
    private static let forbidden = Array("{}<>[]\"'&;,".utf8)
    /// Words that a service may send alone.
    private static let refusals: Set<String> = [
        "unauthorized", "forbidden", "error", "null", "undefined", "none", "false", "true", "denied", "blocked", "ok",
    ]

    private static func isDeletion(_ attribute: Substring, now: Date) -> Bool {
        let parts = attribute.split(separator: "=", maxSplits: 1).map(trimmed)
        guard parts.count == 2 else { return false }
        switch parts[0].lowercased() {
        case "max-age": return Int(parts[1]).map { $0 <= 0 } ?? false
        case "expires": return HTTPDate.date(parts[1], now: now).map { $0 < now } ?? false
        default: return false
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return start.prefix(0) }
        return start[...last]
    }
}
