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
        let finding = status == CSJ_VALUE_TOO_LARGE ? nil : JSONDiagnosis.firstMistake(in: text)
        switch status {
        case CSJ_VALUE_TOO_LARGE: (kind, problem) = (.tooDense, "more than \(CSJ_MOST_NODES) keys and values")
        case CSJ_EMPTY: (kind, problem) = (.empty, "nothing but white space")
        case CSJ_TOO_DEEP: (kind, problem) = (.tooDeep, "nested deeper than \(PageReader.maximumDepth) levels")
        case CSJ_INVALID_UTF8: (kind, problem) = (.invalidUTF8, finding?.problem ?? "not UTF-8")
        default:
            kind = finding?.isAtEnd == true ? .truncated : .notJSON
            problem = finding?.problem ?? "no JSON that can be read"
        }
        let place = finding?.offset ?? 0
        offset = place
        line = 1 + text[..<place].count { $0 == UInt8(ascii: "\n") }
        let start = text[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        column = 1 + Self.characters(UnsafeRawBufferPointer(rebasing: text[start..<place]))
    }

    /// The characters of a line; in a line that nobody will look at, those that Unicode encodes, which need no copy.
    private static func characters(_ line: UnsafeRawBufferPointer) -> Int {
        guard line.count > 1 << 16 else { return String(decoding: line, as: UTF8.self).count }
        return line.count { $0 & 0xC0 != 0x80 }
    }
}
