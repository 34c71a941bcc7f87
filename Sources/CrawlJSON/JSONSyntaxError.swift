import CSimdJSON
import CrawlCore

/// Why a text is no JSON, and where.
package struct JSONSyntaxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of mistake it is.
    package let kind: UnreadableKind
    /// What is wrong, as a part of a sentence.
    package let problem: String
    /// Bytes before the mistake.
    package let offset: Int
    /// The line of the mistake, from 1.
    package let line: Int
    /// The column of the mistake in characters, from 1.
    package let column: Int

    /// The place and the problem, `line 3, column 7: expected ','`.
    package var description: String { "line \(line), column \(column): \(problem)" }

    /// Looks for the mistake in a text that simdjson refused with `status`.
    init(status: Int, text: UnsafeRawBufferPointer) {
        let finding = JSONDiagnosis.firstMistake(in: text)
        switch status {
        case CSJ_EMPTY: (kind, problem) = (.empty, "nothing but white space")
        case CSJ_TOO_DEEP: (kind, problem) = (.tooDeep, "nested deeper than \(PageReader.maximumDepth) levels")
        case CSJ_INVALID_UTF8: (kind, problem) = (.invalidUTF8, finding?.problem ?? "not UTF-8")
        default:
            kind = finding?.isAtEnd == true ? .truncated : .notJSON
            problem = finding?.problem ?? "no JSON that can be read"
        }
        offset = finding?.offset ?? 0
        let before = String(decoding: text[..<offset], as: UTF8.self)
        line = 1 + before.utf8.count { $0 == UInt8(ascii: "\n") }
        column = 1 + before.reversed().prefix { $0 != "\n" && $0 != "\r\n" }.count
    }
}
