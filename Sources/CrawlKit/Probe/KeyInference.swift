import CrawlCore
import CrawlJSON

/// The columns that tell the records of some pages apart.
struct KeyInference {
    /// What the choice is made from.
    struct Evidence {
        var columns: [Column]
        var fields: [FieldSummary]
        /// The records of each page; within a page none is there twice.
        var pages: [[JSONValue]]
        /// Whether the first pages hold different records, as the pages of a collection do.
        var arePagesApart: Bool
        /// Whether the records are random, so that short numbers repeat for different ones.
        var isRandom: Bool
    }

    /// The columns of the key.
    private(set) var key: [String] = []
    private(set) var notes: [ProbeNote] = []
    private let evidence: Evidence
    /// The places among the columns of those that may be in a key, the most likely first.
    private let candidates: [Int]

    /// The most columns among which several are looked for that make a key together.
    private static let widest = 20

    init(_ evidence: Evidence) {
        self.evidence = evidence
        let count = evidence.pages.reduce(0) { $0 + $1.count }
        let possible = evidence.columns.indices.filter { index in
            let (column, field) = (evidence.columns[index], evidence.fields[index])
            return (column.type == .text || column.type == .integer) && field.isScalar && field.values == count
                && field.emptyTexts == 0
        }
        let ranks = possible.map { Self.rank(evidence.columns[$0], evidence.fields[$0], isRandom: evidence.isRandom) }
        candidates = zip(possible, ranks).sorted { ($0.1, $0.0) < ($1.1, $1.0) }.map(\.0)
        guard count > 0 else { return }
        if let single = candidates.first(where: { isKey([$0]) }) {
            key = [evidence.columns[single].name]
            explain(single, count: count)
        } else if let several = several() {
            key = several.map { evidence.columns[$0].name }
            notes.append(
                .found(
                    "Key: \(key.joined(separator: " and ")) together; no single column is there and different in "
                        + "each of the \(count) records seen."))
        }
    }

    /// Whether columns together are different in each record.
    private func isKey(_ places: [Int]) -> Bool {
        var earlier: Set<String> = []
        for (index, page) in evidence.pages.enumerated() {
            let values = page.map { self.values(of: places, in: $0) }
            let distinct = Set(values)
            guard distinct.count == values.count else { return false }
            if evidence.arePagesApart, index == 1, !distinct.isDisjoint(with: earlier) { return false }
            earlier.formUnion(distinct)
        }
        return true
    }

    private func several() -> [Int]? {
        let places = Array(candidates.prefix(Self.widest))
        for second in places.indices {
            for first in places[..<second].indices where isKey([places[first], places[second]]) {
                return [places[first], places[second]].sorted()
            }
        }
        let few = Array(places.prefix(Self.widest / 2))
        for third in few.indices {
            for second in few[..<third].indices {
                for first in few[..<second].indices where isKey([few[first], few[second], few[third]]) {
                    return [few[first], few[second], few[third]].sorted()
                }
            }
        }
        return nil
    }

    private func values(of places: [Int], in record: JSONValue) -> String {
        places.map { record[evidence.columns[$0].path]?.text ?? "" }.joined(separator: "\u{1}")
    }

    private mutating func explain(_ place: Int, count: Int) {
        let name = evidence.columns[place].name
        let rank = Self.rank(evidence.columns[place], evidence.fields[place], isRandom: evidence.isRandom)
        if rank >= Self.unlikely {
            notes.append(
                .doubt(
                    "Key: \(name), which is different in each of the \(count) records seen; but no field is named "
                        + "like a key, so that it may be chance."))
        } else if count < 2 {
            notes.append(.doubt("Key: \(name), for its name; there was only one record to look at."))
        } else {
            let reason = evidence.isRandom && evidence.fields[place].uuids > 0 ? "a UUID, and " : ""
            notes.append(.found("Key: \(name), \(reason)there and different in each of the \(count) records seen."))
        }
    }

    /// Ranks from here on are no names of keys.
    private static let unlikely = 40

    private static let names = [
        "id", "uid", "uuid", "guid", "key", "slug", "code", "symbol", "isbn", "sku", "ticker", "iso", "number",
        "handle",
    ]

    /// How unlikely a column is to be the key, by its name and place; small is likely.
    private static func rank(_ column: Column, _ field: FieldSummary, isRandom: Bool) -> Int {
        let name = column.path.components.last ?? ""
        let depth = (column.path.components.count - 1) * 3
        let words = name.words
        var rank: Int
        if let place = names.firstIndex(of: name.folded) {
            rank = place
        } else if let last = words.last, ["id", "uuid", "uid", "guid"].contains(last) {
            rank = 20
        } else if let last = words.last, names.contains(last) {
            rank = 30
        } else if ["name", "title", "email", "login", "username", "url", "href", "date", "time"].contains(name.folded) {
            rank = 40
        } else {
            rank = field.dates == field.values ? 70 : 50
        }
        // A random number repeats sooner or later; a UUID never does.
        if isRandom, field.uuids == field.values { rank = -50 }
        return rank + depth
    }
}
