import CrawlCore

@testable import CrawlHTTP
@testable import StandInAPI

/// Encoded bodies: the first byte chooses the coding, the second the size of the pieces, the third the limit.
enum BodyProperties {
    private enum Outcome: Equatable {
        case whole([UInt8])
        case fault(ContentDecoder.Fault)
    }

    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        guard bytes.count >= 3 else { return }
        let coding = ["gzip", "deflate", "br"][Int(bytes[0]) % 3]
        let limit = Int(bytes[2]) * 64
        let encoded = Array(bytes.dropFirst(3))
        let whole = try decode(encoded, coding: coding, pieces: max(1, encoded.count), limit: limit)
        let pieced = try decode(encoded, coding: coding, pieces: Int(bytes[1]) + 1, limit: limit)
        // Which of two faults is met first depends on the pieces; whether there is one does not.
        if case .fault = whole, case .fault = pieced { return try checkStored(encoded, cutAt: Int(bytes[1])) }
        try require(whole == pieced, "\(coding) in pieces of \(Int(bytes[1]) + 1) bytes: \(whole) becomes \(pieced)")
        try checkStored(encoded, cutAt: Int(bytes[1]))
    }

    /// What the stand-in packs comes out again, and cut off anywhere it is never taken for whole.
    private static func checkStored(_ plain: [UInt8], cutAt cut: Int) throws(BrokenProperty) {
        let packed = Gzip.stored(plain)
        let unpacked = try decode(packed, coding: "gzip", pieces: packed.count, limit: plain.count)
        try require(unpacked == .whole(plain), "packed and unpacked \(plain.count) bytes: \(unpacked)")
        let part = Array(packed.prefix(cut % packed.count))
        let cutOff = try decode(part, coding: "gzip", pieces: packed.count, limit: plain.count)
        try require(cutOff == .fault(.broken), "the first \(part.count) of \(packed.count) bytes: \(cutOff)")
    }

    private static func decode(
        _ bytes: [UInt8], coding: String, pieces: Int, limit: Int
    ) throws(BrokenProperty) -> Outcome {
        guard let decoder = ContentDecoder(coding: coding), let body = ResponseBody(reserving: 0) else {
            throw BrokenProperty(description: "there is no decoder for \(coding)")
        }
        var fault: ContentDecoder.Fault?
        var start = 0
        while start < bytes.count, fault == nil {
            let piece = Array(bytes[start..<min(bytes.count, start + pieces)])
            start += piece.count
            fault = piece.withUnsafeBytes { piece in
                do throws(ContentDecoder.Fault) {
                    try decoder.decode(piece, into: body, limit: limit)
                    return nil
                } catch {
                    return error
                }
            }
        }
        do throws(ContentDecoder.Fault) {
            if let fault { throw fault }
            try decoder.finish()
        } catch {
            try require(body.count <= limit + 1, "\(body.count) bytes under a limit of \(limit)")
            return .fault(error)
        }
        try require(body.count <= limit, "\(body.count) bytes under a limit of \(limit)")
        body.seal()
        return .whole(body.withUnsafeBytes { Array($0) })
    }
}
