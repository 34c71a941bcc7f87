import CrawlCore

/// The JSON files that describe sources.
package enum SourceFile {
    /// The keys of a source file, in the order in which they are written.
    ///
    /// `$schema` tells an editor where the schema is; it is not kept.
    static let keys = [
        "$schema", "name", "notes", "url", "pagination", "records", "limit", "key", "onDuplicate", "headline",
        "emptyTextIsNull", "set", "headers", "auth", "fallback", "expect", "columns",
    ]

    /// Decodes a source file; nothing in it is ignored.
    ///
    /// - Parameters:
    ///   - text: The bytes of the file.
    ///   - file: The file's name for messages.
    /// - Throws: A `CrawlError` with exit code 78 that names every mistake and its place.
    package static func source(from text: [UInt8], file: String) throws(CrawlError) -> Source {
        let value: JSONValue
        let parsed: Result<JSONValue, JSONSyntaxError> = text.withUnsafeBytes { bytes in
            do throws(JSONSyntaxError) {
                return .success(try JSONValue(parsing: bytes))
            } catch {
                return .failure(error)
            }
        }
        switch parsed {
        case .success(let parsed): value = parsed
        case .failure(let error):
            throw CrawlError(
                .badSource, "\(file): \(error)", remedy: "A source file is a JSON object (RFC 8259). \(example)")
        }
        var decoder = SourceDecoder()
        let source = decoder.source(value)
        guard let source, decoder.problems.isEmpty else {
            throw CrawlError(.badSource, message(file, decoder.problems), remedy: example)
        }
        return source
    }

    private static let example = "'crawl sources users' prints one that works."

    private static func message(_ file: String, _ problems: [String]) -> String {
        guard problems.count > 1 else { return "\(file): \(problems.first ?? "not a source file")" }
        return "\(file) has \(problems.count) mistakes:\n" + problems.map { "  " + $0 }.joined(separator: "\n")
    }
}

/// Takes a source file apart and collects what is wrong with it.
struct SourceDecoder {
    /// Every mistake with its place, `columns.price: unknown type 'float', use real`.
    private(set) var problems: [String] = []

    mutating func note(_ place: String, _ problem: String) {
        problems.append(place.isEmpty ? problem : "\(place): \(problem)")
    }

    /// Decodes the whole file; nil, or a source that must not be used, where there are problems.
    mutating func source(_ value: JSONValue) -> Source? {
        guard let members = object(value, at: "", keys: SourceFile.keys) else { return nil }
        _ = text(members, "$schema", at: "", isRequired: false)
        let name = text(members, "name", at: "")
        if let name { check(name: name, at: "name") }
        let url = text(members, "url", at: "")
        if let url { check(url: url, at: "url") }
        let records = members["records"].flatMap { path($0, at: "records") } ?? JSONPath([])
        var columns = members["columns"].flatMap { self.columns($0) } ?? []
        if members["columns"] == nil { note("", "the key 'columns' is missing") }
        let pagination = members["pagination"].flatMap { self.pagination($0, columns: columns) }
        if members["pagination"] == nil { note("", "the key 'pagination' is missing") }
        let key = self.key(members["key"], columns: &columns)
        let onDuplicate = choice(members, "onDuplicate", at: "", DuplicateRule.allCases) ?? .keep
        let emptyTextIsNull = bool(members, "emptyTextIsNull", at: "") ?? false
        let set = self.set(members["set"])
        let headers = self.headers(members["headers"])
        let notes = self.notes(members["notes"])
        let headline = headline(members["headline"], columns: columns)
        guard let name, let url, let pagination else { return nil }
        var source = Source(
            name: name, url: url, pagination: pagination, records: records, key: key, onDuplicate: onDuplicate,
            columns: columns, emptyTextIsNull: emptyTextIsNull, set: set, headers: headers)
        source.headline = headline
        source.limit = integer(members, "limit", at: "", least: 1)
        source.notes = notes
        source.authentication = members["auth"].flatMap { authentication($0, headers: headers) }
        source.fallback = members["fallback"].flatMap { fallback($0, of: source) }
        source.expectation = members["expect"].flatMap { expectation($0, of: source) }
        checkSet(of: source)
        return source
    }

    private mutating func notes(_ value: JSONValue?) -> [String] {
        switch value {
        case nil: return []
        case .text(let note)?: return [note]
        case .array(let elements)?:
            let notes = elements.compactMap { if case .text(let note) = $0 { note } else { nil } }
            if notes.count < elements.count { note("notes", "expected texts") }
            return notes
        case let value?:
            note("notes", "expected a text or a list of texts, got \(value.kind.withArticle)")
            return []
        }
    }

    private mutating func headline(_ value: JSONValue?, columns: [Column]) -> [String] {
        let names: [String]
        switch value {
        case nil: return []
        case .text(let name)?: names = [name]
        case .array(let elements)?:
            names = elements.compactMap { if case .text(let name) = $0 { name } else { nil } }
            if names.count < elements.count { note("headline", "expected the names of columns") }
        case let value?:
            note("headline", "expected the name of a column or a list of names, got \(value.kind.withArticle)")
            return []
        }
        for name in names where !columns.contains(where: { $0.name == name }) {
            note("headline", "there is no column '\(name.shown)'" + hint(name, columns.map(\.name)))
        }
        return names
    }

    private mutating func key(_ value: JSONValue?, columns: inout [Column]) -> [String] {
        var names: [String] = []
        switch value {
        case nil: note("", "the key 'key' is missing; it names the column that identifies a record")
        case .text(let name)?: names = [name]
        case .array(let elements)?:
            names = elements.compactMap { if case .text(let name) = $0 { name } else { nil } }
            if names.isEmpty || names.count < elements.count { note("key", "expected the names of columns") }
        case let value?: note("key", "expected the name of a column or a list of names, got \(value.kind.withArticle)")
        }
        for (index, name) in names.enumerated() {
            if names[..<index].contains(name) { note("key", "names the column '\(name)' twice") }
            guard let column = columns.firstIndex(where: { $0.name == name }) else {
                note("key", "there is no column '\(name.shown)'" + hint(name, columns.map(\.name)))
                continue
            }
            columns[column].isRequired = true
        }
        return names
    }
}
