import CSQLite
import CrawlCore

/// Writes a source's table, row by row, in the order in which the rows were stored.
struct Exporter {
    let database: Database

    func run(_ export: Export, to destination: ExportDestination) throws -> ExportResult {
        if export.excel, export.format != .csv {
            throw CrawlError(
                .usage, "Spreadsheet form goes with the format csv, not with \(export.format.rawValue)",
                remedy: "Leave out --excel, or use --format csv.")
        }
        return try database.snapshot {
            let columns = try columns(of: export)
            switch destination {
            case .descriptor(let descriptor):
                return try write(columns, export, to: OutputBuffer(descriptor: descriptor, name: "The output"))
            case .file(let path):
                var file = try OutputFile.create(at: path)
                let result = try write(
                    columns, export, to: OutputBuffer(descriptor: file.descriptor, name: "The file \(path)"))
                try file.finish()
                return result
            }
        }
    }

    private func write(_ columns: [ExportColumn], _ export: Export, to output: OutputBuffer) throws -> ExportResult {
        let rows =
            switch export.format {
            case .csv: try write(export.source, columns, CSVEncoder(columns, output, isExcel: export.excel))
            case .tsv: try write(export.source, columns, TSVEncoder(columns, output))
            case .json: try write(export.source, columns, JSONEncoder(columns, output, isArray: true))
            case .ndjson: try write(export.source, columns, JSONEncoder(columns, output, isArray: false))
            }
        try output.flush()
        return ExportResult(rows: rows, bytes: output.total, columns: columns.map(\.name))
    }

    private func write(_ source: String, _ columns: [ExportColumn], _ encoder: some RowEncoder) throws -> Int {
        let names = columns.map { SQLName.quoted($0.name) }.joined(separator: ", ")
        let statement = try Statement(
            "SELECT \(names) FROM \(SQLName.quoted(source)) NOT INDEXED ORDER BY rowid", on: database.connection)
        try encoder.begin()
        var rows = 0
        while try statement.step() {
            if rows & 0xfff == 0 { try Task.checkCancellation() }
            try encoder.row(statement.handle, isFirst: rows == 0)
            rows += 1
        }
        try encoder.end(isEmpty: rows == 0)
        return rows
    }
}

/// A column of the output.
struct ExportColumn {
    var name: String
    /// What its values are; `extra` counts as JSON.
    var type: ColumnType
}

extension Exporter {
    private func columns(of export: Export) throws -> [ExportColumn] {
        let sources = try Ledger(database: database).sources()
        let tables = Set(try database.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) ?? "" })
        guard sources.contains(export.source), tables.contains(export.source) else {
            throw unknown("source", export.source, among: sources.filter(tables.contains), in: database.path)
        }
        var table = try TableColumn.all(of: export.source, in: database).map { column in
            let types: [String: ColumnType] = ["TEXT": .text, "REAL": .real, "INTEGER": .integer]
            let type = column.name == "extra" ? .json : column.declaredType ?? types[column.storage] ?? .text
            return ExportColumn(name: column.name, type: type)
        }
        // `extra` comes last, behind columns that the source gained later, and `page` only when it is asked for.
        let extra = table.filter { $0.name == "extra" }
        let page = table.filter { $0.name == "page" }
        table.removeAll { $0.name == "extra" || $0.name == "page" }
        table += extra
        guard let names = export.columns else { return table }
        if names.isEmpty {
            throw CrawlError(.usage, "No column is named to export", remedy: "Name at least one with --columns.")
        }
        return try names.map { name in
            guard let column = (table + page).first(where: { $0.name == name }) else {
                throw unknown("column", name, among: (table + page).map(\.name), in: export.source)
            }
            return column
        }
    }

    private func unknown(_ kind: String, _ name: String, among known: [String], in place: String) -> CrawlError {
        let near = NearMiss.suggestion(for: name, among: known).map { ". Did you mean '\($0)'?" } ?? ""
        let list =
            known.isEmpty
            ? "There is none yet; fill one with `crawl --count 50`."
            : "There \(known.count == 1 ? "is" : "are"): \(known.joined(separator: ", "))."
        return CrawlError(.usage, "There is no \(kind) '\(name)' in \(place)\(near)", remedy: list)
    }
}
