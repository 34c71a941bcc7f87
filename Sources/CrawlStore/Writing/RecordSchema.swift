import CrawlCore

/// What a source's table must look like, and how a table of an earlier time becomes so.
///
/// The source's columns come first, in its order, then `extra` and `page`. A key of one integer column is declared
/// `INT`: as `INTEGER` it would become the row number itself, rows would be read in the order of the key instead of
/// the order in which they came, and a NULL would be given a number. Columns that the source gained later stand after
/// `page`; they may be NULL even where the source requires them, since the rows of earlier times lack them. Columns
/// that it lost stay. The types as the source names them stand in `crawl_columns`: a table alone cannot tell a boolean
/// from an integer, nor JSON from text.
struct RecordSchema {
    let source: Source

    /// Checks the names.
    ///
    /// - Throws: `CrawlError`, exit code 78.
    init(_ source: Source) throws {
        self.source = source
        try checkTableName()
        try checkColumns()
        try checkKey()
    }

    /// Makes the table or adds to it, in one transaction of its own or in the one that is open.
    ///
    /// - Throws: `CrawlError`, exit code 78, where the table cannot become so; `StoreError`.
    func apply(to database: Database) throws {
        if database.isInTransaction {
            try applyWithinTransaction(to: database)
        } else {
            try database.transaction { try applyWithinTransaction(to: database) }
        }
    }

    private func applyWithinTransaction(to database: Database) throws {
        let objects = try database.rows("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view')") {
            (name: $0.text(0) ?? "", type: $0.text(1) ?? "")
        }
        if let object = objects.first(where: { SQLName.folded($0.name) == SQLName.folded(source.name) }) {
            guard object.name == source.name, object.type == "table" else {
                throw refusal("the database has a \(object.type) \(object.name.debugDescription) already")
            }
            try addMissingColumns(to: database)
        } else {
            try database.execute(tableDefinition)
            try database.run("DELETE FROM crawl_columns WHERE source = ?1", SQLValue(source.name))
        }
        KillPoint.tableMade.pass()
        for column in source.columns {
            try database.run(
                "INSERT OR IGNORE INTO crawl_columns (source, name, type) VALUES (?1, ?2, ?3)", SQLValue(source.name),
                SQLValue(column.name), SQLValue(column.type.rawValue))
        }
    }

    private var tableDefinition: String {
        var lines = source.columns.map { column in
            let isKey = source.key.contains(column.name)
            let type = isKey && column.type.storage == "INTEGER" ? "INT" : column.type.storage
            return "\(SQLName.quoted(column.name)) \(type)\(isKey || column.isRequired ? " NOT NULL" : "")"
        }
        lines += ["extra TEXT", "page INTEGER NOT NULL"]
        lines.append("PRIMARY KEY (\(source.key.map(SQLName.quoted).joined(separator: ", ")))")
        return "CREATE TABLE \(SQLName.quoted(source.name)) (\n    \(lines.joined(separator: ",\n    "))\n) STRICT"
    }

    private func addMissingColumns(to database: Database) throws {
        let table = try TableColumn.all(of: source.name, in: database)
        let key = table.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
        guard key == source.key else {
            throw refusal(
                "its key is (\(source.key.joined(separator: ", "))), "
                    + "but the table's is (\(key.joined(separator: ", ")))")
        }
        guard table.contains(where: { $0.name == "extra" }), table.contains(where: { $0.name == "page" }) else {
            throw refusal("the database has a table of this name that no crawl made")
        }
        for column in source.columns {
            guard let old = table.first(where: { SQLName.folded($0.name) == SQLName.folded(column.name) }) else {
                try database.execute(
                    "ALTER TABLE \(SQLName.quoted(source.name)) ADD COLUMN \(SQLName.quoted(column.name)) "
                        + column.type.storage)
                continue
            }
            guard old.name == column.name else {
                throw refusal(
                    "column \(column.name.debugDescription) is written "
                        + "\(old.name.debugDescription) in the table")
            }
            let declared = old.declaredType?.rawValue ?? old.storage.lowercased()
            guard old.storage == column.type.storage, old.declaredType ?? column.type == column.type else {
                throw refusal(
                    "column \(column.name.debugDescription) is \(column.type.rawValue), "
                        + "but \(declared) in the table")
            }
            guard column.isRequired || !old.isRequired || source.key.contains(column.name) else {
                throw refusal("column \(column.name.debugDescription) may be missing, but is required in the table")
            }
        }
    }
}

// MARK: - Names

extension RecordSchema {
    private static let ownColumns: Set = ["extra", "page", "rowid", "oid", "_rowid_"]

    private func checkTableName() throws {
        let folded = SQLName.folded(source.name)
        if folded.isEmpty { throw refusal("a source needs a name") }
        if folded.utf8.contains(0) { throw refusal("its name holds a NUL") }
        for prefix in ["crawl_", "sqlite_"] where folded.hasPrefix(prefix) {
            throw refusal("names that begin with \(prefix) are taken")
        }
    }

    private func checkColumns() throws {
        var seen: Set<String> = []
        for column in source.columns {
            let name = column.name.debugDescription
            let folded = SQLName.folded(column.name)
            if folded.isEmpty { throw refusal("a column has no name") }
            if folded.utf8.contains(0) { throw refusal("the name of column \(name) holds a NUL") }
            if Self.ownColumns.contains(folded) {
                throw refusal("column \(name): the table has a column of this name for itself")
            }
            guard seen.insert(folded).inserted else {
                throw refusal("there are two columns \(name), or they differ in the case of letters only")
            }
        }
        // SQLite's limit is 2,000 columns in a table.
        if source.columns.count > 1_998 { throw refusal("it has more than 1998 columns") }
    }

    private func checkKey() throws {
        if source.key.isEmpty { throw refusal("it has no key") }
        for (index, name) in source.key.enumerated() {
            guard source.columns.contains(where: { $0.name == name }) else {
                let near = NearMiss.suggestion(for: name, among: source.columns.map(\.name))
                throw refusal(
                    "its key \(name.debugDescription) is not among its columns"
                        + (near.map { ". Did you mean \($0.debugDescription)?" } ?? ""))
            }
            if source.key[..<index].contains(name) { throw refusal("its key names \(name.debugDescription) twice") }
        }
    }

    private func refusal(_ reason: String) -> CrawlError {
        CrawlError(
            .badSource, "The source \(source.name.debugDescription) cannot be stored: \(reason)",
            remedy: "Change the source file, or give the source another name, or use another database with --db.")
    }
}

extension ColumnType {
    /// The type in a STRICT table.
    var storage: String {
        switch self {
        case .text, .json: "TEXT"
        case .integer, .boolean: "INTEGER"
        case .real: "REAL"
        }
    }
}

/// A column as the database has it.
struct TableColumn {
    var name: String
    /// `TEXT`, `INTEGER` or `REAL`.
    var storage: String
    var isRequired: Bool
    /// The place in the key, from 1; 0 for the others.
    var keyPosition: Int
    /// The type that the source named, nil where that is not known.
    var declaredType: ColumnType?

    static func all(of table: String, in database: Database) throws -> [TableColumn] {
        try database.rows(
            """
            SELECT info.name, info.type, info."notnull", info.pk, declared.type
            FROM pragma_table_info(?1) AS info
            LEFT JOIN crawl_columns AS declared ON declared.source = ?1 AND declared.name = info.name
            ORDER BY info.cid
            """, SQLValue(table)
        ) { row in
            let storage = row.text(1) ?? ""
            return TableColumn(
                name: row.text(0) ?? "", storage: storage == "INT" ? "INTEGER" : storage,
                isRequired: row.integer(2) != 0, keyPosition: Int(row.integer(3)),
                declaredType: row.text(4).flatMap(ColumnType.init))
        }
    }
}
