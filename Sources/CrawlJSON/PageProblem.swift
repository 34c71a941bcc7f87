import CSimdJSON
import CrawlCore

/// Explains why a page as a whole cannot be used; reads the body once more, slowly.
struct PageProblem {
    let source: Source
    let body: UnsafeRawBufferPointer

    /// The most bytes in which the place of a mistake is looked for.
    private static let searchable = 2 << 20
    /// The most bytes that are read as a tree only to explain.
    private static let explainable = 1 << 20

    /// The failure that a status of `csj_read` other than `CSJ_OK` stands for.
    func failure(status: Int) -> FetchFailure {
        switch status {
        case CSJ_NOT_JSON where body.count > Self.searchable: return brieflyNotJSON
        case CSJ_INVALID_UTF8 where body.count > Self.searchable:
            return .unreadable(.invalidUTF8, detail: "a byte of the answer is not UTF-8")
        case CSJ_EMPTY:
            let isBlank = body.isEmpty ? "the answer is empty" : "the answer holds nothing but white space"
            return .unreadable(.empty, detail: isBlank)
        case CSJ_TOO_DEEP:
            return .unreadable(.tooDeep, detail: "nested deeper than \(PageReader.maximumDepth) levels")
        case CSJ_INVALID_UTF8:
            let offset = JSONDiagnosis.invalidUTF8(in: body) ?? 0
            return .unreadable(.invalidUTF8, detail: "byte \(offset) of the answer is not UTF-8")
        case CSJ_TOO_LARGE:
            return .unreadable(.notJSON, detail: "larger than 4 GB")
        case CSJ_VALUE_TOO_LARGE:
            return .unreadable(
                .tooDense,
                detail:
                    "a record, or what stands around the records, takes more than \(CSJ_MOST_VALUE_BYTES >> 20) MiB or "
                    + "\(CSJ_MOST_VALUE_TOKENS) brackets, commas, colons and texts")
        case CSJ_NO_MEMORY:
            return .unreadable(.notJSON, detail: "too large for the memory of this machine")
        default:
            // A scalar at the top counts as missing records before it is known to be JSON.
            let mistake = JSONDiagnosis.firstMistake(in: body).map { _ in
                JSONSyntaxError(status: CSJ_NOT_JSON, text: body)
            }
            if let mistake { return notJSON(mistake) }
            return status == CSJ_NO_RECORDS
                ? .unreadable(.noRecords, detail: missingRecords)
                : .unreadable(.notJSON, detail: "no JSON that can be read: \(beginning)")
        }
    }

    private var brieflyNotJSON: FetchFailure {
        let last = body.last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isWhole = [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(last)
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), !isWhole else {
            return .unreadable(.notJSON, detail: "not JSON somewhere in its \(body.count) bytes: \(beginning)")
        }
        return .unreadable(.truncated, detail: "the JSON ends too early, after \(body.count) bytes")
    }

    private func notJSON(_ mistake: JSONSyntaxError) -> FetchFailure {
        switch first {
        case UInt8(ascii: "<"):
            return .unreadable(.notJSON, detail: "a web page (HTML) instead of JSON: \(beginning)")
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard mistake.kind == .truncated else {
                return .unreadable(.notJSON, detail: "not JSON at \(mistake): \(beginning)")
            }
            return .unreadable(.truncated, detail: "the JSON ends too early, after \(body.count) bytes")
        default:
            return .unreadable(.notJSON, detail: "not JSON: \(beginning)")
        }
    }

    private var missingRecords: String {
        guard body.count <= Self.explainable, let answer = try? JSONValue(parsing: body) else {
            return "no list of records at \(source.records)"
        }
        let said = Complaint.text(in: answer).map { "; the answer says: \($0)" } ?? ""
        let place = source.records.components.isEmpty ? "the top of the answer" : "'\(source.records)'"
        guard let found = answer[source.records] else {
            return "nothing at \(place), the answer is \(Self.outline(answer))\(said)"
        }
        if case .object = found {
            return "no record at \(place) but \(Self.outline(found)), none of which the source names\(said)"
        }
        return "no list of records at \(place) but \(Self.outline(found))\(said)"
    }

    /// A value in a few words; an object with its first keys.
    private static func outline(_ value: JSONValue) -> String {
        guard case .object(let members) = value else { return value.kind.withArticle }
        guard !members.isEmpty else { return "an empty object" }
        let keys = members.prefix(5).map { "'\(Printable.text($0.key.utf8, limit: 30))'" }
        return "an object with " + keys.joined(separator: ", ") + (members.count > 5 ? ", …" : "")
    }

    private var first: UInt8? {
        body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
    }

    private var beginning: String {
        Printable.text(body.starts(with: [0xEF, 0xBB, 0xBF]) ? body.dropFirst(3) : body[...])
    }
}

/// What an API says about an error in a body that holds no records.
enum Complaint {
    /// The keys under which APIs put their errors, the most telling first.
    private static let keys = ["error", "errors", "message", "description", "detail", "error_description", "title"]

    /// The error text of an answer, nil where it holds none.
    static func text(in answer: JSONValue) -> String? {
        if let text = named(in: answer, depth: 0) { return text }
        guard case .object(let members) = answer else { return nil }
        return members.lazy.compactMap { named(in: $0.value, depth: 1) }.first
    }

    private static func named(in value: JSONValue, depth: Int) -> String? {
        guard depth < 4, case .object = value else { return nil }
        for key in keys {
            guard let found = value[key], let text = text(of: found, depth: depth + 1) else { continue }
            if case .text(let code)? = value["code"], code != text { return Printable.text(code.utf8) + ": " + text }
            return text
        }
        return nil
    }

    private static func text(of value: JSONValue, depth: Int) -> String? {
        switch value {
        case .text(let text): text.isEmpty ? nil : Printable.text(text.utf8, limit: 200)
        case .array(let elements): elements.first.flatMap { self.text(of: $0, depth: depth) }
        case .object: named(in: value, depth: depth)
        default: nil
        }
    }
}
