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
                // A named pipe is opened as soon as somebody reads it.
                let file = try OutputCall.making { () throws -> OutputFile in try OutputFile.create(at: path) }
                let result = try write(
                    columns, export, to: OutputBuffer(descriptor: file.descriptor, name: "The file \(path)"))
                try file.finish()
                return result
            }
        }
    }

    private func write(_ columns: [StoredColumn], _ export: Export, to output: OutputBuffer) throws -> ExportResult {
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

    private func write(_ source: String, _ columns: [StoredColumn], _ encoder: some RowEncoder) throws -> Int {
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

extension Exporter {
    /// The columns that are named; else the source's own and `extra`, since `page` comes only when it is asked for.
    private func columns(of export: Export) throws -> [StoredColumn] {
        let table = try StoredTable(export.source, in: database)
        guard let names = export.columns else { return table.own + table.others.filter { $0.name == "extra" } }
        return try table.columns(named: names)
    }
}
