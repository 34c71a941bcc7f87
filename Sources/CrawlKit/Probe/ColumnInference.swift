import CrawlCore
import CrawlJSON

/// The columns that hold the records of some pages.
struct ColumnInference {
    /// The columns in the order in which their fields were met.
    private(set) var columns: [Column] = []
    /// What was met at the place of each column.
    private(set) var fields: [FieldSummary] = []
    /// Whether a text without a character stands where a number does elsewhere.
    private(set) var emptyTextIsNull = false
    private(set) var notes: [ProbeNote] = []

    /// The most columns; further fields go to `extra`.
    private static let mostColumns = 250
    /// More different keys than this, each in few of the objects, and an object is a dictionary, not a record.
    private static let mostKeys = 40

    private let tree: FieldTree
    private var names = ColumnNames()
    private var nullOnly: [String] = []
    private var leftOut = 0
    private var fractions: [String] = []
    private var mixed: [String] = []

    init(_ records: [JSONValue]) {
        tree = FieldTree(records)
        emptyTextIsNull = tree.fields.values.contains(where: Self.isNumberOrEmpty)
        for key in tree.top { add([key]) }
        if !nullOnly.isEmpty {
            notes.append(
                .doubt("\(Self.list(nullOnly)): null in every record seen; left to the column extra, as it comes."))
        }
        if !mixed.isEmpty {
            notes.append(.doubt("\(Self.list(mixed)): values of several kinds; kept as text or JSON."))
        }
        if !fractions.isEmpty {
            notes.append(
                .found("\(Self.list(fractions)): whole numbers here, but real, since others may be fractions."))
        }
        if leftOut > 0 {
            notes.append(
                .doubt("\(leftOut) further fields are left to the column extra; a column needs its line here."))
        }
    }

    private mutating func add(_ path: [String]) {
        guard let field = tree.fields[path] else { return }
        guard isRecord(field) else { return addColumn(field) }
        for key in field.children { add(path + [key]) }
    }

    /// Whether a field's values are objects whose own fields become columns.
    private func isRecord(_ field: FieldSummary) -> Bool {
        guard field.objects > field.emptyObjects, field.objects == field.values, field.path.count < FieldTree.deepest,
            !field.children.isEmpty
        else { return false }
        guard field.children.count > Self.mostKeys else { return true }
        let uses = field.children.reduce(0) { $0 + (tree.fields[field.path + [$1]]?.present ?? 0) }
        return uses * 4 >= field.children.count * field.objects
    }

    private mutating func addColumn(_ field: FieldSummary) {
        let shown = Printable.text(field.path.joined(separator: ".").utf8, limit: 40)
        guard field.values > 0 else {
            nullOnly.append(shown)
            return
        }
        guard columns.count < Self.mostColumns else {
            leftOut += 1
            return
        }
        let name = names.name(for: field.path)
        var column = Column(name, path: JSONPath(field.path), .json)
        switch kind(of: field) {
        case .plain(let type): column.type = type
        case .likelyFraction:
            column.type = .real
            fractions.append(name)
        case .textOrNumber:
            column.type = .text
            column.acceptsNumbers = true
            if field.texts > 0 { mixed.append(name) }
        case .anything:
            if field.lists + field.objects < field.values { mixed.append(name) }
        }
        columns.append(column)
        fields.append(field)
    }

    private enum Kind {
        case plain(ColumnType)
        case likelyFraction
        case textOrNumber
        case anything
    }

    private func kind(of field: FieldSummary) -> Kind {
        let numbers = field.integers + field.reals + field.longNumbers
        switch field.values {
        case field.booleans: return .plain(.boolean)
        case field.texts: return .plain(.text)
        case numbers, numbers + field.emptyTexts:
            guard field.longNumbers == 0 else { return .textOrNumber }
            if field.reals > 0 { return .plain(.real) }
            return Self.isLikelyFraction(field.path.last ?? "") ? .likelyFraction : .plain(.integer)
        case numbers + field.texts: return .textOrNumber
        default: return .anything
        }
    }

    private static func isNumberOrEmpty(_ field: FieldSummary) -> Bool {
        let numbers = field.integers + field.reals
        return field.emptyTexts > 0 && field.emptyTexts == field.texts && numbers > 0
            && numbers + field.texts == field.values
    }

    /// Whether a name is one of amounts and measures, which are whole numbers by chance only.
    private static func isLikelyFraction(_ name: String) -> Bool {
        let words = name.words
        return words.contains { measures.contains($0) }
            && !words.contains { ["id", "count", "at", "time"].contains($0) }
    }

    private static let measures: Set = [
        "price", "amount", "cost", "fee", "balance", "rate", "ratio", "percent", "percentage", "pct", "lat", "lng",
        "lon",
        "latitude", "longitude", "score", "weight", "height", "width", "length", "distance", "temperature", "temp",
        "change", "volume", "average", "avg", "mean", "median", "rating", "tax", "discount", "market", "cap", "usd",
        "eur", "magnitude", "elevation", "altitude", "speed", "probability", "confidence", "supply",
    ]

    private static func list(_ names: [String]) -> String {
        names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
    }
}

extension String {
    /// The words of a name in lower case, `marketCap_usd` as `market`, `cap`, `usd`.
    var words: [String] {
        var words: [String] = []
        var word = ""
        var wasLower = false
        for character in self {
            guard character.isLetter || character.isNumber else {
                if !word.isEmpty { words.append(word) }
                word = ""
                wasLower = false
                continue
            }
            if character.isUppercase, wasLower {
                words.append(word)
                word = ""
            }
            wasLower = character.isLowercase || character.isNumber
            word += character.lowercased()
        }
        if !word.isEmpty { words.append(word) }
        return words
    }
}
