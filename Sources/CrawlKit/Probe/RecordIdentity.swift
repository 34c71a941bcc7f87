import CrawlCore
import CrawlJSON

/// Tells whether two pages hold the same records, before anything is known for sure.
struct RecordIdentity {
    /// The places of the likeliest key; empty where nothing could be one and whole records are compared.
    private let paths: [JSONPath]

    /// Takes what looks like the key of a page.
    init(_ records: [JSONValue]) {
        let columns = ColumnInference(records)
        let key = KeyInference(
            KeyInference.Evidence(
                columns: columns.columns, fields: columns.fields, pages: [records], arePagesApart: false,
                isRandom: true)
        ).key
        paths = key.compactMap { name in columns.columns.first { $0.name == name }?.path }
    }

    /// The place of the likeliest key, where it is one value; nil else.
    var path: JSONPath? { paths.count == 1 ? paths[0] : nil }

    /// How the records of one page relate to those of another.
    enum Relation: Sendable, Equatable {
        /// None of them is in the other page.
        case different
        /// All of them are in the other page, and that has no more.
        case same
        /// All of them are in the other page, which has more.
        case part
        /// Some of them are in the other page.
        case overlapping
        /// There are none.
        case empty
    }

    /// How `records` relate to `others`.
    func relation(of records: [JSONValue], to others: [JSONValue]) -> Relation {
        let new = Set(records.map(identity))
        let old = Set(others.map(identity))
        if new.isEmpty { return .empty }
        if new == old { return .same }
        if new.isSubset(of: old) { return .part }
        return new.isDisjoint(with: old) ? .different : .overlapping
    }

    private func identity(_ record: JSONValue) -> String {
        paths.isEmpty ? record.text : paths.map { record[$0]?.text ?? "" }.joined(separator: "\u{1}")
    }
}
