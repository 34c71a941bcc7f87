import CrawlCore
import CrawlHTTP
import CrawlJSON

/// What stands around the records of an answer: single values with their places, and the header fields.
struct Envelope: Sendable {
    /// A single value beside the records.
    struct Entry: Sendable {
        var path: [String]
        var value: JSONValue

        /// The last key, folded for comparing.
        var name: String { (path.last ?? "").folded }
        /// The last key as it is written.
        var written: String { path.last ?? "" }
        /// The last two keys, folded.
        var longName: String { path.suffix(2).map(\.folded).joined(separator: ".") }
        var place: AnswerPlace { .body(JSONPath(path)) }
        var text: String? {
            if case .text(let text) = value, !text.isEmpty { text } else { nil }
        }
        var number: Int? {
            switch value {
            case .integer(let number): Int(number)
            case .text(let text): Int(text)
            default: nil
            }
        }
    }

    private(set) var entries: [Entry] = []
    let headers: HTTPHeaders
    /// Whether a list of links beside the records names a next one, at a place that may change from page to page.
    private(set) var hasListOfLinks = false

    private static let deepest = 4

    init(_ page: ProbedPage, list: RecordList) {
        headers = page.headers
        // What looks like a record itself has nothing around it.
        if !list.isSingle { collect(page.body, at: [], records: list.path.components) }
    }

    private mutating func collect(_ value: JSONValue, at path: [String], records: [String]) {
        guard path != records || path.isEmpty, case .object(let members) = value, path.count < Self.deepest else {
            return
        }
        for member in members {
            let place = path + [member.key]
            switch member.value {
            case .object: collect(member.value, at: place, records: records)
            case .array(let elements):
                if place != records, elements.contains(where: Self.isNextLink) { hasListOfLinks = true }
            default: entries.append(Entry(path: place, value: member.value))
            }
        }
    }

    private static func isNextLink(_ value: JSONValue) -> Bool {
        value["rel"] == .text("next") || value["relation"] == .text("next")
    }

    /// The first entry with one of the names, the earlier names first.
    func entry(_ names: [String], where isFit: (Entry) -> Bool = { _ in true }) -> Entry? {
        for name in names {
            if let entry = entries.first(where: { ($0.name == name || $0.longName == name) && isFit($0) }) {
                return entry
            }
        }
        return nil
    }
}
