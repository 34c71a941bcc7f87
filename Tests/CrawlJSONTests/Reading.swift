import CrawlCore
import CrawlJSON
import Foundation
import TestSupport

/// A source with the given columns; the first one that is required is the key.
func makeSource(_ columns: [Column], records: String = "$", emptyTextIsNull: Bool = false) -> Source {
    Source(
        name: "things", url: "https://example.test/things", pagination: .single, records: JSONPath(parsing: records),
        key: columns.first(where: \.isRequired).map { [$0.name] } ?? [], columns: columns,
        emptyTextIsNull: emptyTextIsNull)
}

func column(_ name: String, _ type: ColumnType, path: String? = nil, required: Bool = false) -> Column {
    Column(name, path: path.map { JSONPath(parsing: $0) }, type, isRequired: required)
}

extension PageReader {
    func records(_ json: String) throws -> RecordBatch { try read(Array(json.utf8)).records }

    /// What a page that cannot be used fails with.
    func failure(_ bytes: [UInt8]) -> FetchFailure? {
        do throws(FetchFailure) {
            _ = try read(bytes)
            return nil
        } catch {
            return error
        }
    }
}
