import CrawlCore
import CrawlJSON

/// Where the records of an answer stand.
struct RecordList: Sendable, Equatable {
    /// The way from the top of the answer to the list, or to the one object.
    var path: JSONPath
    /// Whether there is one object instead of a list.
    var isSingle: Bool

    /// The deepest place at which a list is looked for.
    private static let deepest = 5
    /// Names of lists of records, for lists of the same length.
    private static let usualNames: Set = [
        "data", "items", "results", "records", "rows", "value", "hits", "entries", "result", "content", "list",
        "objects",
    ]
    /// Names of fields that a record has and an envelope has not.
    private static let identities: Set = ["id", "uid", "uuid", "guid", "_id", "key", "slug"]

    /// Names of fields that an envelope has and a record has not, folded.
    private static let envelopeNames: Set = [
        "hasmore", "next", "nextpage", "nextcursor", "nextpagetoken", "pagination", "paging", "total", "totalcount",
        "totalpages", "totalresults", "pagetotal", "offset", "limit", "perpage", "pagesize", "links", "meta",
    ]

    /// Finds the largest list of objects; an object that looks like a record counts as a list of one.
    ///
    /// - Returns: nil where the answer holds no object at all.
    static func find(in body: JSONValue) -> RecordList? {
        switch body {
        case .array(let elements):
            return elements.isEmpty || isRecords(elements) ? RecordList(path: JSONPath([]), isSingle: false) : nil
        case .object(let members):
            let hasIdentity = members.contains { identities.contains($0.key.lowercased()) && isScalar($0.value) }
            let isEnvelope = members.contains { envelopeNames.contains($0.key.folded) }
            guard !hasIdentity || isEnvelope else { return RecordList(path: JSONPath([]), isSingle: true) }
            var candidates: [Candidate] = []
            collect(body, at: [], into: &candidates)
            if let best = candidates.max(by: { $0.weight < $1.weight }) {
                return RecordList(path: JSONPath(best.path), isSingle: false)
            }
            return members.isEmpty ? nil : RecordList(path: JSONPath([]), isSingle: true)
        default:
            return nil
        }
    }

    /// The records of an answer, objects only; empty where it holds none at the place.
    func records(in body: JSONValue) -> [JSONValue] {
        guard let value = body[path] else { return [] }
        let elements: [JSONValue] = if case .array(let elements) = value { elements } else { [value] }
        return elements.filter { if case .object = $0 { true } else { false } }
    }

    /// Whether there is a list, or a single object, at the place.
    func isThere(in body: JSONValue) -> Bool {
        switch body[path] {
        case .array, .object: true
        default: false
        }
    }

    private struct Candidate {
        var path: [String]
        var count: Int

        /// Longer lists first; of equally long ones those with a usual name, then those further out.
        var weight: (Int, Int, Int) {
            (count, path.last.map { usualNames.contains($0.lowercased()) } == true ? 1 : 0, -path.count)
        }
    }

    private static func collect(_ value: JSONValue, at path: [String], into candidates: inout [Candidate]) {
        switch value {
        case .array(let elements):
            // An empty list may be one of records too, but any other is more likely to be.
            if elements.isEmpty || isRecords(elements) {
                candidates.append(Candidate(path: path, count: elements.count))
            }
        case .object(let members) where path.count < deepest:
            for member in members { collect(member.value, at: path + [member.key], into: &candidates) }
        default:
            break
        }
    }

    private static func isRecords(_ elements: [JSONValue]) -> Bool {
        !elements.isEmpty && elements.allSatisfy { if case .object = $0 { true } else { false } }
    }

    private static func isScalar(_ value: JSONValue) -> Bool {
        switch value {
        case .object, .array, .null: false
        default: true
        }
    }
}

extension String {
    /// The name in lower case without `_`, `-`, `.`, `@` and `$`, for comparing: `next_page` and `nextPage` are one.
    var folded: String {
        lowercased().filter { !"_-.@$ ".contains($0) }
    }
}
