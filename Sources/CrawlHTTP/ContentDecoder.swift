import CCurl

/// Undoes the content encoding of a body while it arrives, and knows whether the encoded stream came to its end.
///
/// libcurl 7.88 could decode, but takes a gzip or brotli stream that was cut off for whole.
final class ContentDecoder {
    /// What is wrong with an encoded body.
    enum Fault: Error, Equatable {
        /// The bytes are not of that encoding, or end too early.
        case broken
        /// The decoded body is larger than allowed.
        case tooLarge
        /// There is no memory.
        case noMemory
        /// Other bodies have the memory for now; what was not taken of the input is to be given again.
        case mustWait
    }

    private enum Coding {
        case gzip
        case deflate
        case brotli
    }

    private let coding: Coding
    /// In memory of its own, because zlib remembers the address and refuses to go on at another.
    private var stream: UnsafeMutablePointer<z_stream>?
    private var brotli: OpaquePointer?
    private var isAtEnd = false
    /// The first bytes of `deflate`, until there are the two that tell zlib's format from the bare one.
    private var beginning: [UInt8] = []
    /// Bytes of the last input that were taken.
    private(set) var taken = 0

    /// A decoder for the value of a `Content-Encoding` field; nil for a coding that is not known.
    ///
    /// See [RFC 9110, 8.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1).
    init?(coding name: String) {
        switch name.lowercased() {
        case "gzip", "x-gzip":
            coding = .gzip
            guard openStream(windowBits: 15 + 16) else { return nil }
        case "deflate":
            coding = .deflate
        case "br":
            coding = .brotli
            guard let state = BrotliDecoderCreateInstance(nil, nil, nil) else { return nil }
            brotli = state
        default:
            return nil
        }
    }

    deinit {
        if let stream {
            inflateEnd(stream)
            stream.deallocate()
        }
        if let brotli { BrotliDecoderDestroyInstance(brotli) }
    }

    /// Appends what `bytes` decode to; `limit` is the most bytes that the body may have.
    ///
    /// - Throws: `.mustWait` with `taken` telling how far it came; a call with the rest, which may be empty, goes on.
    func decode(_ bytes: UnsafeRawBufferPointer, into body: ResponseBody, limit: Int) throws(Fault) {
        taken = 0
        switch coding {
        case .gzip:
            try inflate(bytes, into: body, limit: limit)
        case .deflate:
            try inflateAnyDeflate(bytes, into: body, limit: limit)
        case .brotli:
            try unbrotli(bytes, into: body, limit: limit)
        }
    }

    /// Says whether the stream is whole, once the last byte came.
    func finish() throws(Fault) {
        guard isAtEnd else { throw .broken }
    }

    private func openStream(windowBits: Int32) -> Bool {
        let new = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        new.initialize(to: z_stream())
        guard crawl_inflate_init(new, windowBits) == Z_OK else {
            new.deallocate()
            return false
        }
        stream = new
        return true
    }

    /// `deflate` means zlib's format, but servers send the bare one too; the first two bytes tell them apart.
    private func inflateAnyDeflate(
        _ bytes: UnsafeRawBufferPointer, into body: ResponseBody, limit: Int
    ) throws(Fault) {
        if stream != nil { return try inflate(bytes, into: body, limit: limit) }
        beginning.append(contentsOf: bytes)
        guard beginning.count >= 2 else { return }
        let isZlib = beginning[0] & 0x0f == 8 && (Int(beginning[0]) << 8 | Int(beginning[1])) % 31 == 0
        guard openStream(windowBits: isZlib ? 15 : -15) else { throw .noMemory }
        let first = beginning
        beginning = []
        let outcome = first.withUnsafeBytes { bytes in
            Result { () throws(Fault) in try inflate(bytes, into: body, limit: limit) }
        }
        // What came in an earlier piece does not count, and two bytes at most did.
        taken = max(0, taken - (first.count - bytes.count))
        try outcome.get()
    }

    private func inflate(_ bytes: UnsafeRawBufferPointer, into body: ResponseBody, limit: Int) throws(Fault) {
        guard let stream else { throw .noMemory }
        // zlib's interface is older than const; it only reads.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(bytes.count)
        defer { taken = bytes.count - Int(stream.pointee.avail_in) }
        while true {
            if isAtEnd {
                if stream.pointee.avail_in == 0 { return }
                // A gzip file may have several members, one after the other.
                guard coding == .gzip, inflateReset(stream) == Z_OK else { throw .broken }
                isAtEnd = false
            }
            let room = try output(of: body, atLeast: Int(stream.pointee.avail_in), limit: limit)
            stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
            stream.pointee.avail_out = UInt32(room.count)
            let result = CCurl.inflate(stream, Z_NO_FLUSH)
            body.commit(room.count - Int(stream.pointee.avail_out))
            guard body.count <= limit else { throw .tooLarge }
            switch result {
            case Z_STREAM_END: isAtEnd = true
            case Z_OK where stream.pointee.avail_in > 0 || stream.pointee.avail_out == 0: continue
            case Z_OK, Z_BUF_ERROR: return
            case Z_MEM_ERROR: throw .noMemory
            default: throw .broken
            }
        }
    }

    private func unbrotli(_ bytes: UnsafeRawBufferPointer, into body: ResponseBody, limit: Int) throws(Fault) {
        var available = bytes.count
        var next = bytes.bindMemory(to: UInt8.self).baseAddress
        guard available == 0 || !isAtEnd else { throw .broken }
        defer { taken = bytes.count - available }
        while true {
            let room = try output(of: body, atLeast: available, limit: limit)
            var free = room.count
            var target = room.bindMemory(to: UInt8.self).baseAddress
            let result = BrotliDecoderDecompressStream(brotli, &available, &next, &free, &target, nil)
            body.commit(room.count - free)
            guard body.count <= limit else { throw .tooLarge }
            switch result {
            case BROTLI_DECODER_RESULT_SUCCESS:
                isAtEnd = true
                guard available == 0 else { throw .broken }
                return
            case BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: continue
            case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT: return
            default: throw .broken
            }
        }
    }

    /// Room in the body that ends one byte beyond the limit, so that memory stays flat whatever a small input becomes.
    private func output(of body: ResponseBody, atLeast input: Int, limit: Int) throws(Fault)
        -> UnsafeMutableRawBufferPointer
    {
        let allowed = limit - body.count + 1
        let room: UnsafeMutableRawBufferPointer
        do throws(ResponseBody.Refusal) {
            room = try body.room(for: min(allowed, max(4096, input * 3)))
        } catch {
            throw error == .mustWait ? .mustWait : .noMemory
        }
        return UnsafeMutableRawBufferPointer(rebasing: room.prefix(min(allowed, Int(Int32.max))))
    }
}
