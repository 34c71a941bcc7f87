import CrawlCore
import CrawlJSON
import Testing

@Suite struct ReuseTests {
    static let columns = [
        column("id", .integer, required: true), column("name", .text), column("x", .real, path: "at.x"),
    ]

    static func page(_ ids: Range<Int>) -> String {
        let records = ids.map { #"{"id":\#($0),"name":"n\u00e9\#($0)","at":{"x":\#($0).5},"more":[\#($0)]}"# }
        return "[" + records.joined(separator: ",\n") + "]"
    }

    static func expected(_ ids: Range<Int>) -> [[CellValue]] {
        ids.map {
            [.integer(Int64($0)), .text("né\($0)"), .real(Double($0) + 0.5), .text(#"{"more":[\#($0)]}"#)]
        }
    }

    @Test func readsALargePage() throws {
        let batch = try PageReader(makeSource(Self.columns)).records(Self.page(0..<30_000))
        #expect(batch.rowCount == 30_000)
        #expect(batch.rows.suffix(100) == Self.expected(29_900..<30_000)[...])
        #expect(batch.rows.prefix(100) == Self.expected(0..<100)[...])
    }

    @Test func aBatchOutlivesTheReadsAfterItAndTheReader() throws {
        var reader: PageReader? = PageReader(makeSource(Self.columns))
        var batches: [(RecordBatch, Range<Int>)] = []
        for round in 0..<40 {
            let ids = round * 100..<round * 100 + 1 + round * 3 % 90
            batches.append((try #require(reader).records(Self.page(ids)), ids))
            if batches.count > 20 { batches.removeFirst(5) }
        }
        reader = nil
        for (batch, ids) in batches { #expect(batch.rows == Self.expected(ids)) }
    }

    @Test func aBatchKeepsTheBodyAlive() throws {
        final class Body {
            let bytes: UnsafeMutableRawBufferPointer
            init(_ text: String, padding: Int) {
                bytes = .allocate(byteCount: text.utf8.count + padding, alignment: 1)
                bytes.copyBytes(from: text.utf8)
                // Hostile padding: it goes on like the page itself.
                bytes[text.utf8.count...].copyBytes(from: repeatElement(UInt8(ascii: "]"), count: padding))
            }
            deinit {
                bytes.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "!"))
                bytes.deallocate()
            }
        }
        let reader = PageReader(makeSource(Self.columns))
        let text = Self.page(5..<9)
        for padding in [0, 10, 64, 4096] {
            weak var weakBody: Body?
            var batch: RecordBatch?
            do {
                let body = Body(text, padding: padding)
                weakBody = body
                let page = UnsafeRawBufferPointer(rebasing: body.bytes[..<text.utf8.count])
                batch = try reader.read(page, capacity: body.bytes.count, owner: body).records
            }
            #expect(weakBody != nil)
            #expect(batch?.rows == Self.expected(5..<9))
            batch = nil
            #expect(weakBody == nil)
        }
    }

    @Test func bytesBehindThePageNeverCompleteIt() throws {
        let reader = PageReader(makeSource(Self.columns))
        for text in [
            #"[{"id":1}"#, #"[{"id":1"#, "[[1]", #"[{"a":{"b":[1]"#, #"{"id":1"#, #"[{"id":1},"#, "[{\"id\":1",
        ] {
            for filler in ["]", "}", ",", "}]", "\"", "0", " ", "[", "]}", ",{\"id\":2}]"] {
                var bytes = Array(text.utf8)
                let length = bytes.count
                while bytes.count < length + 64 { bytes += filler.utf8 }
                bytes.withUnsafeBytes { bytes in
                    let page = UnsafeRawBufferPointer(rebasing: bytes[..<length])
                    #expect(throws: FetchFailure.self, "\(text) before \(filler)") {
                        _ = try reader.read(page, capacity: bytes.count, owner: reader)
                    }
                }
            }
        }
    }

    @Test func manyThreadsShareAReader() async throws {
        let reader = PageReader(makeSource(Self.columns))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<20 {
                        let ids = task * 1000 + round..<task * 1000 + round + 1 + (task * round) % 70
                        let batch = try reader.records(Self.page(ids))
                        #expect(batch.rows == Self.expected(ids))
                        #expect(reader.failure(Array("[{\"id\":\(task)".utf8)) != nil)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
