import CrawlCore
import CrawlJSON

/// The values that a crawl asked for and that have not been answered yet.
struct ExpectedValues: Sendable {
    private let column: Int?
    /// By the form in which they are compared: services answer a symbol in capitals however it was asked for.
    private var open: [String: String]
    private let order: [String]

    /// - Parameter values: What was asked for, in this order.
    init(_ source: Source, values: [String]) {
        column = source.expectation.flatMap { expectation in
            source.columns.firstIndex { $0.name == expectation.column }
        }
        order = values
        open = Dictionary(values.map { ($0.uppercased(), $0) }) { first, _ in first }
    }

    /// Takes the records of a page; those that were rejected answer nothing.
    mutating func take(_ batch: RecordBatch) {
        guard let column, !open.isEmpty else { return }
        // Without memory for a page its values count as unanswered; storing it fails for the same reason.
        try? batch.forEachPart { part in
            for row in 0..<part.rowCount {
                switch part[row: row, column: column] {
                case .text(let text): open[text.uppercased()] = nil
                case .integer(let number): open[String(number)] = nil
                default: break
                }
            }
        }
    }

    /// The values without an answer, in the order in which they were asked for.
    var missing: [String] {
        guard column != nil else { return [] }
        let left = Set(open.values)
        return order.filter(left.contains)
    }
}
