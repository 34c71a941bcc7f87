import CSQLite
import CrawlCore

/// Compares the tables of a database with those that the migrations and the sources' columns say.
///
/// What somebody else added and what takes nothing away, such as a column that may be NULL or an index, is no
/// difference.
struct SchemaCheck {
    let database: Database

    /// The differences of the ledger's tables and of the sources' tables, as whole sentences.
    func differences() throws -> [String] {
        try ledgerDifferences() + sourceDifferences() + triggers()
    }

    /// The differences of the tables that the migrations make.
    func ledgerDifferences() throws -> [String] {
        let objects = try Self.objects(in: database.connection)
        let made = try Connection.inMemory()
        let path = database.path
        for migration in Migrations.all {
            let code = sqlite3_exec(made.handle, migration.sql, nil, nil, nil)
            guard code == SQLITE_OK else { throw made.error(code, sql: nil) }
        }
        var differences: [String] = []
        for (name, type) in try Self.objects(in: made).sorted(by: { $0.key < $1.key }) {
            guard let found = objects[name] else {
                differences.append("The \(type) \(name) is missing.")
                continue
            }
            guard found == type else {
                differences.append("\(name) is a \(found), not a \(type).")
                continue
            }
            guard type == "table" else { continue }
            differences += try Self.differences(
                of: name, from: Self.columns(of: name, in: made),
                to: Self.columns(of: name, in: database.connection), path: path)
        }
        return differences
    }

    /// The differences of the tables of sources that have records in the ledger.
    private func sourceDifferences() throws -> [String] {
        let connection = database.connection
        let objects = try Self.objects(in: connection)
        // Where the ledger's own tables are not right, nothing can be said of the others.
        guard objects["crawl_columns"] == "table",
            let declared = try? database.rows(
                "SELECT source, name, type FROM crawl_columns ORDER BY source, rowid",
                row: { (source: $0.text(0) ?? "", name: $0.text(1) ?? "", type: $0.text(2) ?? "") })
        else { return [] }
        var differences: [String] = []
        for source in Set(declared.map(\.source)).sorted() {
            guard let type = objects[source] else { continue }
            guard type == "table" else {
                differences.append("\(source) is a \(type), not a table.")
                continue
            }
            let expected =
                declared.filter { $0.source == source }.map { column in
                    ShownColumn(
                        name: column.name, storage: ColumnType(rawValue: column.type)?.storage ?? "TEXT",
                        isRequired: nil, keyPosition: nil)
                } + [
                    ShownColumn(name: "extra", storage: "TEXT", isRequired: nil, keyPosition: nil),
                    ShownColumn(name: "page", storage: "INTEGER", isRequired: nil, keyPosition: nil),
                ]
            let found = try Self.columns(of: source, in: connection)
            differences += try Self.differences(of: source, from: expected, to: found, path: database.path)
            if found.allSatisfy({ $0.keyPosition == 0 }) {
                differences.append("The table \(source) has no PRIMARY KEY.")
            }
        }
        return differences
    }

    /// Triggers on tables that crawls write to: crawl makes none.
    private func triggers() throws -> [String] {
        let sources = (try? Ledger(database: database).sources()) ?? []
        return try database.rows(
            "SELECT name, tbl_name FROM sqlite_schema WHERE type = 'trigger' ORDER BY name",
            row: { (name: $0.text(0) ?? "", table: $0.text(1) ?? "") }
        ).filter { $0.table.hasPrefix("crawl_") || sources.contains($0.table) }
            .map { "The table \($0.table) has a trigger \($0.name), which no crawl made." }
    }

    /// A column as `PRAGMA table_info` shows it; nil for what is not compared.
    private struct ShownColumn {
        var name: String
        var storage: String
        var isRequired: Bool?
        var keyPosition: Int?
    }

    private static func differences(
        of table: String, from expected: [ShownColumn], to found: [ShownColumn], path: String
    ) throws -> [String] {
        var differences: [String] = []
        for column in expected {
            guard let other = found.first(where: { $0.name == column.name }) else {
                differences.append("The table \(table) lacks the column \(column.name).")
                continue
            }
            if other.storage != column.storage {
                differences.append(
                    "The column \(column.name) of the table \(table) is \(other.storage), not \(column.storage).")
            }
            if let position = column.keyPosition, other.keyPosition != position {
                differences.append("The PRIMARY KEY of the table \(table) is another.")
            }
            if let isRequired = column.isRequired, other.isRequired == true, !isRequired {
                differences.append("The column \(column.name) of the table \(table) must not be NULL.")
            }
        }
        for column in found where column.isRequired == true && !expected.contains(where: { $0.name == column.name }) {
            differences.append("The table \(table) has a column \(column.name), which no crawl fills.")
        }
        return differences
    }

    /// Tables, views and our indexes by name.
    private static func objects(in connection: Connection) throws -> [String: String] {
        let statement = try Statement(
            "SELECT name, type FROM sqlite_schema WHERE type <> 'trigger' AND name NOT LIKE 'sqlite_%'",
            on: connection)
        var objects: [String: String] = [:]
        while try statement.step() { objects[statement.text(0) ?? ""] = statement.text(1) ?? "" }
        return objects
    }

    private static func columns(of table: String, in connection: Connection) throws -> [ShownColumn] {
        let statement = try Statement(
            "SELECT name, type, \"notnull\" AND dflt_value IS NULL, pk FROM pragma_table_info(?1)", on: connection)
        try statement.bind([.text(table)])
        var columns: [ShownColumn] = []
        while try statement.step() {
            let storage = statement.text(1) ?? ""
            columns.append(
                ShownColumn(
                    name: statement.text(0) ?? "", storage: storage == "INT" ? "INTEGER" : storage,
                    isRequired: statement.integer(2) != 0, keyPosition: Int(statement.integer(3))))
        }
        return columns
    }
}

extension CrawlError {
    /// The refusal to work with tables that somebody has changed.
    static func changedTables(_ path: String, _ difference: String) -> CrawlError {
        let reason = difference.hasSuffix(".") ? String(difference.dropLast()) : difference
        return CrawlError(
            .database, "The tables of the database \(path) are not as crawl made them: \(reason)",
            remedy: "It is left as it is; see all differences with `crawl verify`, then restore a copy, "
                + "undo the change, or begin anew with another --db.")
    }
}
