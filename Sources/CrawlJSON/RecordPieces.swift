import CSimdJSON
import CrawlCore

/// The records of a page that is large, or holds very many: read piece by piece, each time they are asked for.
///
/// What a page takes beside its bytes is then the same whatever it holds; a server decides about the bytes, and may
/// send millions of records in few of them.
final class RecordPieces: Sendable {
    /// Records that lie side by side.
    struct Piece: Sendable {
        /// Where they lie in the page, without brackets around.
        var bytes: Range<Int>
        var count: Int
        /// The records of the page before them.
        var before: Int
        /// Those that fit the source, and those that do not.
        var rows = 0
        var rejects = 0
    }

    /// The pieces in the order of the page, without those that hold no record.
    let pieces: [Piece]
    /// The values at the captured paths.
    let captured: [JSONPath: JSONValue]
    private let reader: PageReader
    private let body: Body
    /// Whether the pieces lie in a list; else the page is one record.
    private let isList: Bool

    /// The page's bytes and what keeps them.
    private struct Body: @unchecked Sendable {
        // Unchecked: nobody changes the bytes, and the owner is only kept.
        let bytes: UnsafeRawBufferPointer
        let owner: AnyObject
    }

    /// More records that do not fit the source, in one answer, and it is not an answer of that source.
    static let mostRejects = 100_000

    /// Reads a page once, and checks all of it.
    ///
    /// - Parameters:
    ///   - page: The bytes, with `PageReader.padding` readable ones behind them.
    /// - Throws: `FetchFailure.unreadable` where the page cannot be used.
    init(of page: UnsafeRawBufferPointer, owner: AnyObject, reader: PageReader) throws(FetchFailure) {
        let mark = page.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let body = Body(bytes: UnsafeRawBufferPointer(rebasing: page[mark...]), owner: owner)
        self.body = body
        self.reader = reader
        func problem(_ status: Int) -> FetchFailure {
            PageProblem(source: reader.source, body: page).failure(status: status)
        }
        guard let split = csj_split_create() else { throw problem(CSJ_NO_MEMORY) }
        defer { csj_split_destroy(split) }
        let status = reader.pool.withParser { parser in
            Int(
                csj_split_read(
                    split, reader.plan.pointer, parser, body.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    body.bytes.count))
        }
        guard status == CSJ_OK else { throw problem(status) }
        var count = 0
        let found = UnsafeBufferPointer(start: csj_split_pieces(split, &count), count: count)

        // What stands around the list, with an empty one in its place.
        let list = csj_split_list(split)
        let start = UnsafeRawPointer(list.bytes).flatMap { list in body.bytes.baseAddress.map { list - $0 } }
        var around = [UInt8](body.bytes[..<(start ?? body.bytes.count)])
        if let start { around += Array("[]".utf8) + body.bytes[(start + list.length)...] }
        let surroundings = PaddedBytes(around)
        let storage = reader.pool.makeStorage(body: surroundings)
        let outer = reader.read(
            surroundings.bytes, capacity: surroundings.capacity, as: reader.plan, most: Self.most, into: storage)
        guard outer == CSJ_OK else { throw problem(outer) }
        captured = reader.values(csj_page_view(storage.page))
        guard start != nil else {
            // A record that is no list is the list of itself.
            var piece = Piece(bytes: 0..<body.bytes.count, count: 1, before: 0)
            let view = csj_page_view(storage.page)
            (piece.rows, piece.rejects) = (view.row_count, view.reject_count)
            isList = false
            pieces = [piece]
            return
        }
        isList = true
        pieces = try Self.check(found, of: body, reader, problem)
    }

    private static let most = (cells: Int.max, rejects: Int.max)

    /// Reads all pieces, and counts what is in them.
    private static func check(
        _ found: UnsafeBufferPointer<csj_piece>, of body: Body, _ reader: PageReader,
        _ problem: (Int) -> FetchFailure
    ) throws(FetchFailure) -> [Piece] {
        var pieces: [Piece] = []
        pieces.reserveCapacity(found.count)
        var (before, rejected) = (0, 0)
        for place in found {
            var piece = Piece(bytes: place.begin..<place.end, count: place.count, before: before)
            let storage = reader.pool.makeStorage(body: body.owner)
            let status = read(piece, of: body, reader, into: storage)
            guard status == CSJ_OK else { throw problem(status) }
            let view = csj_page_view(storage.page)
            (piece.rows, piece.rejects) = (view.row_count, view.reject_count)
            before += piece.rows + piece.rejects
            rejected += piece.rejects
            guard rejected <= mostRejects else {
                let example = reader.batch(storage, before: piece.before).rejects.first?.reason ?? ""
                throw .unreadable(
                    .noRecords, detail: "more than \(mostRejects) of its records do not fit, such as: \(example)")
            }
            pieces.append(piece)
        }
        return pieces
    }

    /// The records of a piece.
    ///
    /// - Throws: `CrawlError` where there is no memory; that it can be read was seen before.
    func batch(_ piece: Piece) throws(CrawlError) -> RecordBatch {
        let storage = reader.pool.makeStorage(body: body.owner)
        let status =
            isList
            ? Self.read(piece, of: body, reader, into: storage)
            : reader.read(
                body.bytes, capacity: body.bytes.count + PageReader.padding, as: reader.plan, most: Self.most,
                into: storage)
        guard status == CSJ_OK else {
            throw CrawlError(.failure, "There is no memory for \(piece.rows) records of \(reader.source.name)")
        }
        return reader.batch(storage, before: piece.before)
    }

    private static func read(
        _ piece: Piece, of body: Body, _ reader: PageReader, into storage: PageStorage
    ) -> Int {
        if piece.count == 1, body.bytes[piece.bytes.lowerBound] == UInt8(ascii: "{") {
            // A large record stands alone; it is read where it lies.
            let record = UnsafeRawBufferPointer(rebasing: body.bytes[piece.bytes])
            storage.keep(body.owner)
            let status = reader.read(
                record, capacity: record.count + PageReader.padding, as: reader.listPlan, most: most, into: storage)
            // An object without a field of the source is a record all the same.
            if status != CSJ_NO_RECORDS { return status }
        }
        let list = PaddedBytes(body.bytes[piece.bytes], between: (UInt8(ascii: "["), UInt8(ascii: "]")))
        storage.keep(list)
        return reader.read(list.bytes, capacity: list.capacity, as: reader.listPlan, most: most, into: storage)
    }
}
