import CrawlCore
import CrawlHTTP
import CrawlJSON

/// Makes a source file for an API that nothing is known of but an address.
///
/// Decides only; what it wants to know it asks through a closure, so that it can be tried without a network.
package struct SourceInference {
    /// What the user says.
    package struct Request: Sendable {
        /// The address, complete, `http` or `https`.
        package var url: String
        /// The name of the source; made from the address where nil.
        package var name: String?
        /// The columns or paths that identify a record; found where empty.
        package var key: [String]
        /// Headers for the source file.
        package var headers: [String: String]

        package init(url: String, name: String? = nil, key: [String] = [], headers: [String: String] = [:]) {
            self.url = url
            self.name = name
            self.key = key
            self.headers = headers
        }
    }

    /// What was found out.
    package struct Finding: Sendable {
        /// The source; its notes say why it is so.
        package var source: Source
        /// What was found and what is in doubt.
        package var notes: [ProbeNote]
    }

    private let request: Request

    package init(_ request: Request) {
        self.request = request
    }

    /// Looks at some pages and describes what they have in common.
    ///
    /// - Parameter ask: Fetches an address.
    /// - Throws: `CrawlError` (65) where the answers hold no records or nothing that tells records apart, (64) for a
    ///   key that is not there; what `ask` throws.
    package func run(ask: @escaping (String) async throws -> ProbeAnswer) async throws -> Finding {
        let first = try await firstPage(ask)
        guard let list = RecordList.find(in: first.body) else {
            throw CrawlError(
                .unreadable, "\(shownURL) answers with \(Self.outline(first.body)), which holds no list of objects",
                remedy: "Name an address whose answer holds records: JSON objects in a list, or one object.")
        }
        let records = list.records(in: first.body)
        guard !records.isEmpty else {
            throw CrawlError(
                .unreadable, "\(shownURL) answers with an empty list, which says nothing about its records",
                remedy: "Name an address that brings some records.")
        }
        var trial = PaginationTrial(url: request.url, first: first, list: list, ask: ask)
        let style = try await trial.style()
        var sizeTrial = PageSizeTrial(trial: trial, style: style)
        let size = try await sizeTrial.size()
        let pages = ([records] + trial.others + [sizeTrial.larger].compactMap { $0 }).map(Self.distinct)
        let columns = ColumnInference(pages.flatMap { $0 })
        let key = try key(columns, pages: pages, arePagesApart: trial.isSecondApart, isRandom: style == .random)

        let pagination = PaginationAssembly(trial: trial, style: style, size: size, columns: columns.columns)
        let place = list.path.components.isEmpty ? "the top of the answer" : "'\(Self.shown(list.path))'"
        let what =
            list.isSingle
            ? "Records: one object a page, at \(place)."
            : "Records: the list at \(place), \(records.count) in the first answer."
        let notes =
            [ProbeNote.found(what)] + key.notes + trial.notes + sizeTrial.notes + pagination.notes + columns.notes
        var source = Source(
            name: name, url: pagination.url, pagination: pagination.pagination, records: list.path, key: key.names,
            onDuplicate: style == .random ? .keep : .update, columns: columns.columns,
            emptyTextIsNull: columns.emptyTextIsNull, headers: request.headers)
        for index in source.columns.indices where key.names.contains(source.columns[index].name) {
            source.columns[index].isRequired = true
        }
        source.notes = notes.map(\.text)
        return Finding(source: source, notes: notes)
    }

    private func firstPage(_ ask: (String) async throws -> ProbeAnswer) async throws -> ProbedPage {
        switch try await ask(request.url) {
        case .page(let page): return page
        case .refused(let reason):
            throw CrawlError(.unreadable, "\(shownURL): \(reason)", remedy: "Check the address and the headers.")
        case .spent:
            throw CrawlError(.failure, "\(shownURL) was not asked")
        }
    }

    private var shownURL: String { URLText.display(request.url) }

    // MARK: Key

    private func key(
        _ columns: ColumnInference, pages: [[JSONValue]], arePagesApart: Bool, isRandom: Bool
    ) throws -> (names: [String], notes: [ProbeNote]) {
        guard request.key.isEmpty else { return (try givenKey(columns.columns), []) }
        let inference = KeyInference(
            KeyInference.Evidence(
                columns: columns.columns, fields: columns.fields, pages: pages, arePagesApart: arePagesApart,
                isRandom: isRandom))
        guard !inference.key.isEmpty else {
            let count = pages.reduce(0) { $0 + $1.count }
            throw CrawlError(
                .unreadable,
                "\(shownURL): no column, and no three together, are there and different in each of the \(count) "
                    + "records seen",
                remedy: "Name those that identify a record: --key COLUMN,COLUMN. Columns are "
                    + columns.columns.prefix(12).map(\.name).joined(separator: ", ") + ".")
        }
        return (inference.key, inference.notes)
    }

    private func givenKey(_ columns: [Column]) throws -> [String] {
        try request.key.map { name in
            let column = columns.first { $0.name == name } ?? columns.first { $0.path.description == name }
            guard let column else {
                let near = NearMiss.suggestion(for: name, among: columns.map(\.name))
                throw CrawlError(
                    .usage, "The records have no column '\(Printable.text(name.utf8))' for --key",
                    remedy: near.map { "Did you mean '\($0)'?" }
                        ?? "Columns are \(columns.prefix(12).map(\.name).joined(separator: ", ")).")
            }
            return column.name
        }
    }

    // MARK: Names

    /// The name of the source and its table.
    private var name: String {
        if let name = request.name { return name }
        let url = HTTPURL(request.url)
        let path = (url?.pathAndQuery ?? "").prefix { $0 != "?" }
        let parts = path.split(separator: "/").map { part in
            part.hasSuffix(".json") ? String(part.dropLast(5)) : String(part)
        }
        let telling = parts.last { part in
            !Self.commonParts.contains(part.lowercased()) && !part.hasPrefix("_") && part.contains { $0.isLetter }
        }
        let host = Self.label(of: url?.host ?? "")
        let name = ColumnNames.identifier(telling ?? host, or: host)
        // The built-in source of that name has another table.
        guard BuiltInSources.names.contains(name) || BuiltInSources.groups[name] != nil else { return name }
        return ColumnNames.identifier(name == host ? name + "_api" : host + "_" + name, or: "source")
    }

    private static let commonParts: Set = [
        "api", "rest", "search", "list", "v1", "v2", "v3", "v4", "query", "index", "all",
    ]

    /// The telling part of a host's name, `example` of `api.example.com`.
    private static func label(of host: String) -> String {
        let labels = host.split(separator: ".").map(String.init)
        let telling = labels.count > 1 ? labels.dropLast() : labels[...]
        let longest = telling.filter { $0.contains { $0.isLetter } && !["www", "api"].contains($0) }
            .max { $0.count < $1.count }
        return ColumnNames.identifier(longest ?? "source", or: "source")
    }

    private static func shown(_ path: JSONPath) -> String {
        Printable.text(path.description.utf8)
    }

    private static func outline(_ value: JSONValue) -> String {
        switch value {
        case .array: "a list"
        case .object: "an empty object"
        default: "a single value"
        }
    }

    /// The records of a page without those that are there twice, word for word.
    private static func distinct(_ records: [JSONValue]) -> [JSONValue] {
        var seen: Set<String> = []
        return records.filter { seen.insert($0.text).inserted }
    }
}
