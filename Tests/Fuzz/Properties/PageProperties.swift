import CSimdJSON
import CrawlCore
import CrawlJSON

/// Pages: the first byte chooses the shape of the source, the others are the page.
enum PageProperties {
    private struct Shape {
        let source: Source
        let captured: [JSONPath]
        let reader: PageReader

        init(
            _ columns: [Column], at records: String = "$", capturing captured: [String] = [], emptyIsNull: Bool = false
        ) {
            self.captured = captured.map { JSONPath(parsing: $0) }
            source = Source(
                name: "things", url: "https://example.test/", pagination: .single, records: JSONPath(parsing: records),
                key: columns.filter(\.isRequired).map(\.name), columns: columns, emptyTextIsNull: emptyIsNull)
            reader = PageReader(source, capturing: self.captured)
        }
    }

    private static let shapes = [
        // People: a key of text, nested names, numbers.
        Shape([
            Column("uid", .text, isRequired: true), Column("id", .integer), Column("first_name", .text),
            Column("address_city", path: JSONPath(["address", "city"]), .text),
            Column("address_coordinates_lat", path: JSONPath(["address", "coordinates", "lat"]), .real),
        ]),
        // An envelope with what leads to the next page.
        Shape(
            [Column("id", .integer, isRequired: true), Column("title", .text), Column("done", .boolean)],
            at: "data.items", capturing: ["next", "meta.total", "data.more", "links.0.href"]),
        // An element of a list on the way to one record; empty texts for missing numbers.
        Shape(
            [Column("symbol", .text, isRequired: true), Column("price", .real), Column("time", .integer)],
            at: "chart.result.0.meta", emptyIsNull: true),
        // A column within another one's value, numbers as text, a key of two columns.
        Shape(
            [
                Column("a", .text, isRequired: true, acceptsNumbers: true), Column("b", .integer, isRequired: true),
                Column("whole", path: JSONPath(["c"]), .json), Column("part", path: JSONPath(["c", "d"]), .text),
                Column("element", path: JSONPath(["e", "1"]), .real),
            ],
            at: "results", capturing: ["results"]),
        // Nothing but what no column names.
        Shape([Column("id", .json, isRequired: true)], at: "$"),
    ]

    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard let first = bytes.first else { return }
        let shape = shapes[Int(first) % shapes.count]
        let body = Array(bytes.dropFirst())
        let page: PageReader.Page
        do {
            page = try shape.reader.read(body)
        } catch {
            return try checkFailure(error, body, shape)
        }
        let records = page.records
        try require(String(validating: body, as: UTF8.self) != nil, "a page that is not UTF-8 was accepted")
        try require(records.columnCount == shape.source.columns.count + 1, "a row has the wrong number of cells")
        let content = try Content(records)
        for cells in content.rows { try checkRow(cells, shape) }
        try require(content.rows.count == records.rowCount, "\(content.rows.count) of \(records.rowCount) rows")
        try require(content.rejects.count == records.rejectCount, "\(content.rejects.count) rejects")
        try checkRejects(content.rejects, of: records.receivedCount, body)
        if let answer = try? JSONValue(parsing: String(decoding: body, as: UTF8.self)) {
            try checkCount(records, answer, shape)
        } else {
            try require(records.rejectCount > 0, "a page that is not JSON was accepted without a reject")
        }
        try checkOtherMemory(content, body, shape)
    }

    /// All rows and rejects of a page.
    private struct Content: Equatable {
        var rows: [[CellValue]] = []
        var rejects: [RejectedRecord] = []

        init(_ records: RecordBatch) throws(BrokenProperty) {
            do {
                try records.forEachPart { part in
                    for row in 0..<part.rowCount {
                        rows.append((0..<records.columnCount).map { part[row: row, column: $0] })
                        for cell in 0..<records.columnCount {
                            try Self.checkText(
                                part.cells[row * records.columnCount + cell], part[row: row, column: cell])
                        }
                    }
                    rejects += part.rejects
                }
            } catch let error as BrokenProperty {
                throw error
            } catch {
                throw BrokenProperty(description: "a part cannot be read: \(error)")
            }
        }

        private static func checkText(_ raw: csj_cell, _ value: CellValue) throws(BrokenProperty) {
            guard case .text = value else { return }
            let bytes = UnsafeRawBufferPointer(start: raw.text, count: Int(raw.length))
            try require(String(validating: bytes, as: UTF8.self) != nil, "a text is not UTF-8")
        }
    }

    private static func checkFailure(_ failure: FetchFailure, _ body: [UInt8], _ shape: Shape) throws(BrokenProperty) {
        guard case .unreadable(_, let detail) = failure else {
            throw BrokenProperty(description: "a page fails with \(failure)")
        }
        try require(!detail.isEmpty && isPrintable(detail), "the detail cannot be printed: \(detail.debugDescription)")
        guard let answer = try? JSONValue(parsing: String(decoding: body, as: UTF8.self)),
            String(validating: body, as: UTF8.self) != nil
        else { return }
        if case .array? = answer[shape.source.records], !hasRepeatedKey(answer) {
            throw BrokenProperty(description: "a list of records was refused: \(failure)")
        }
    }

    private static func checkRow(_ cells: [CellValue], _ shape: Shape) throws(BrokenProperty) {
        for (cell, column) in zip(cells, shape.source.columns) {
            switch (cell, column.type) {
            case (.absent, _), (.null, _):
                try require(!column.isRequired, "\(column.name) is required and \(cell)")
            case (.integer, .integer), (.text, .text): break
            case (.integer(let integer), .boolean):
                try require(integer == 0 || integer == 1, "\(column.name) is \(integer)")
            case (.real(let real), .real):
                try require(real.isFinite, "\(column.name) is \(real)")
            case (.text(let text), .json):
                try require((try? JSONValue(parsing: text)) != nil || !isWhole(text), "\(column.name) is \(text)")
            default: throw BrokenProperty(description: "\(column.name) of type \(column.type) is \(cell)")
            }
        }
        switch cells.last {
        case .absent?: break
        case .text(let text)?:
            guard let extra = try? JSONValue(parsing: text) else {
                return try require(!isWhole(text), "extra is not JSON: \(text)")
            }
            guard case .object(let members) = extra, !members.isEmpty else {
                throw BrokenProperty(description: "extra is \(text)")
            }
        case let cell: throw BrokenProperty(description: "extra is \(String(describing: cell))")
        }
    }

    /// What is kept as it was sent may hold half a surrogate pair, which no strict reader takes.
    private static func isWhole(_ text: String) -> Bool {
        !text.lowercased().contains("\\ud")
    }

    private static func checkRejects(
        _ rejects: [RejectedRecord], of count: Int, _ body: [UInt8]
    ) throws(BrokenProperty) {
        var last = 0
        for reject in rejects {
            try require(reject.position > last, "the rejects are out of order at \(reject.position)")
            last = reject.position
            try require(!reject.reason.isEmpty && isPrintable(reject.reason), "the reason is \(reject.reason)")
            try require(
                !reject.payload.isEmpty && body.firstRange(of: reject.payload) != nil, "the payload was not sent")
        }
        try require(last <= count, "reject \(last) of \(count) records")
    }

    /// Every record of the list is a row or a reject.
    private static func checkCount(_ records: RecordBatch, _ answer: JSONValue, _ shape: Shape) throws(BrokenProperty) {
        guard !hasRepeatedKey(answer) else { return }
        switch answer[shape.source.records] {
        case .array(let elements)?:
            try require(
                records.receivedCount == elements.count, "\(records.receivedCount) of \(elements.count) records")
        case .object?: try require(records.receivedCount == 1, "one object counts as \(records.receivedCount)")
        case let value: throw BrokenProperty(description: "\(String(describing: value)) was read as records")
        }
    }

    /// Which of two equal keys counts is for each reader to say.
    private static func hasRepeatedKey(_ value: JSONValue) -> Bool {
        switch value {
        case .array(let elements): elements.contains(where: hasRepeatedKey)
        case .object(let members):
            Set(members.map(\.key)).count < members.count || members.contains { hasRepeatedKey($0.value) }
        default: false
        }
    }

    /// The same bytes at the very end of their memory give the same page.
    private static func checkOtherMemory(
        _ content: Content, _ body: [UInt8], _ shape: Shape
    ) throws(BrokenProperty) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
        bytes.copyBytes(from: body)
        defer { bytes.deallocate() }
        guard
            let other = try? shape.reader.read(UnsafeRawBufferPointer(bytes), capacity: body.count, owner: shape.reader)
        else { throw BrokenProperty(description: "read once, refused the second time") }
        let again = try Content(other.records)
        try require(again == content, "read differently the second time")
    }
}
