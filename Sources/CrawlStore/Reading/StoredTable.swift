import CrawlCore

/// A column of a source's table, as the database has it.
package struct StoredColumn: Sendable, Equatable {
    /// The column's name.
    package var name: String
    /// What its values are; `extra` counts as JSON.
    package var type: ColumnType
    /// Whether the column belongs to the key.
    package var isKey: Bool

    package init(name: String, type: ColumnType, isKey: Bool = false) {
        self.name = name
        self.type = type
        self.isKey = isKey
    }
}

/// The table of a source that has run: which columns there are, and which a command asks for.
struct StoredTable {
    let source: String
    /// The source's own columns, in the order of the table.
    let own: [StoredColumn]
    /// `extra` and `page`, which every table has.
    let others: [StoredColumn]

    /// Looks the table up.
    ///
    /// - Throws: `CrawlError`, exit code 64, where no source of that name has a table; `StoreError`.
    init(_ source: String, in database: Database) throws {
        let sources = try Ledger(database: database).sources()
        let tables = Set(try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) ?? "" })
        guard sources.contains(source), tables.contains(source) else {
            throw Self.unknown("source", source, among: sources.filter(tables.contains), in: database.path)
        }
        let columns = try TableColumn.all(of: source, in: database).map { column in
            let types: [String: ColumnType] = ["TEXT": .text, "REAL": .real, "INTEGER": .integer]
            let type = column.name == "extra" ? .json : column.declaredType ?? types[column.storage] ?? .text
            return StoredColumn(name: column.name, type: type, isKey: column.keyPosition > 0)
        }
        self.source = source
        own = columns.filter { $0.name != "extra" && $0.name != "page" }
        others = ["extra", "page"].compactMap { name in columns.first { $0.name == name } }
    }

    /// The columns of these names, in their order.
    ///
    /// - Throws: `CrawlError`, exit code 64, for a name that no column has, and where there is no name.
    func columns(named names: [String]) throws -> [StoredColumn] {
        if names.isEmpty {
            throw CrawlError(.usage, "No column is named", remedy: "Name at least one with --columns.")
        }
        let all = own + others
        return try names.map { name in
            guard let column = all.first(where: { $0.name == name }) else {
                throw Self.unknown("column", name, among: all.map(\.name), in: source)
            }
            return column
        }
    }

    private static func unknown(_ kind: String, _ name: String, among known: [String], in place: String) -> CrawlError {
        let near = NearMiss.suggestion(for: name, among: known).map { ". Did you mean '\($0)'?" } ?? ""
        let list =
            known.isEmpty
            ? "There is none yet; fill one with `crawl --count 50`."
            : "There \(known.count == 1 ? "is" : "are"): \(known.joined(separator: ", "))."
        return CrawlError(.usage, "There is no \(kind) '\(name)' in \(place)\(near)", remedy: list)
    }
}
