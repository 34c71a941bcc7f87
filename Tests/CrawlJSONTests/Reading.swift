import CrawlCore
import CrawlJSON
import Foundation

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

/// Random numbers that are the same in every run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
