import CrawlJSON

/// What the records of some pages hold at one place.
struct FieldSummary: Sendable {
    /// The keys from the record to the value.
    let path: [String]
    /// Records that have the field.
    var present = 0
    var nulls = 0
    var booleans = 0
    var integers = 0
    var reals = 0
    /// Numbers that neither 64 bits nor a double hold without loss.
    var longNumbers = 0
    var texts = 0
    var emptyTexts = 0
    var lists = 0
    /// Objects, and of these the empty ones.
    var objects = 0
    var emptyObjects = 0
    /// Texts that are UUIDs.
    var uuids = 0
    /// Texts that begin like a date.
    var dates = 0
    /// The places of the keys of its objects, in the order in which they were met.
    var children: [String] = []

    init(path: [String]) {
        self.path = path
    }

    var isScalar: Bool { objects == 0 && lists == 0 && values > 0 }
    /// Values other than null.
    var values: Int { present - nulls }

    mutating func add(_ value: JSONValue) {
        present += 1
        switch value {
        case .null: nulls += 1
        case .bool: booleans += 1
        case .integer: integers += 1
        case .real: reals += 1
        case .number: longNumbers += 1
        case .text(let text):
            texts += 1
            if text.isEmpty { emptyTexts += 1 }
            if Self.isUUID(text) { uuids += 1 }
            if Self.isDate(text) { dates += 1 }
        case .array: lists += 1
        case .object(let members):
            objects += 1
            if members.isEmpty { emptyObjects += 1 }
        }
    }

    private static func isUUID(_ text: String) -> Bool {
        let bytes = text.utf8
        guard bytes.count == 36 else { return false }
        return bytes.enumerated().allSatisfy { index, byte in
            [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : Character(Unicode.Scalar(byte)).isHexDigit
        }
    }

    private static func isDate(_ text: String) -> Bool {
        let bytes = Array(text.utf8.prefix(10))
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[$0]) }
    }
}

/// The fields of all records, each at its place, in the order in which they were met.
struct FieldTree: Sendable {
    /// By path.
    private(set) var fields: [[String]: FieldSummary] = [:]
    /// The keys of the records.
    private(set) var top: [String] = []
    private(set) var records = 0

    /// The deepest place that becomes a column of its own.
    static let deepest = 6

    init(_ records: [JSONValue]) {
        for record in records { add(record) }
    }

    private mutating func add(_ record: JSONValue) {
        guard case .object(let members) = record else { return }
        records += 1
        add(members, at: [])
    }

    private mutating func add(_ members: [JSONMember], at path: [String]) {
        var seen: Set<String> = []
        // Where a key is written twice, its last value counts.
        for member in members.reversed() where seen.insert(member.key).inserted {
            let place = path + [member.key]
            fields[place, default: FieldSummary(path: place)].add(member.value)
            if case .object(let inner) = member.value, place.count < Self.deepest { add(inner, at: place) }
        }
        let known = Set(path.isEmpty ? top : fields[path]?.children ?? [])
        let new = members.map(\.key).filter { !known.contains($0) }
        var added: Set<String> = []
        let ordered = new.filter { added.insert($0).inserted }
        if path.isEmpty { top += ordered } else { fields[path]?.children += ordered }
    }
}
