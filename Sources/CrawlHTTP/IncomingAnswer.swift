import CrawlCore

/// An answer while it arrives: fields are read, the body is decoded, and the caps are kept.
///
/// Knows nothing of libcurl; the first thing that goes wrong is kept in `fault`.
final class IncomingAnswer {
    /// The fields of the answer that is arriving; those of an interim answer (1xx) are forgotten when the next begins.
    private(set) var headers = HTTPHeaders()
    /// The body as far as it came, decoded.
    private(set) var body: ResponseBody?
    /// Bytes of the body before decoding.
    private(set) var wireBytes = 0
    /// What went wrong here rather than on the wire.
    private(set) var fault: (kind: NetworkFault, detail: String)?
    /// Whether a status line came.
    private(set) var hasBegun = false

    private let authority: String
    private let maxHeaderBytes: Int
    private let maxBodyBytes: Int
    private var headerBytes = 0
    private var isHeadComplete = false
    private var decoder: ContentDecoder?
    private let share: BodyShare?
    /// Bytes of the input that were taken before the rest had to wait; they come once more with the rest.
    private var takenAhead = 0

    /// What becomes of bytes of the body.
    enum Reception: Equatable {
        case taken
        /// There is no room for them now; they are to be given again.
        case mustWait
        /// The transfer has to stop.
        case stop
    }

    /// The most memory that is taken at the word of a `Content-Length` alone.
    private static let largestReservation = 1 << 20

    init(authority: String, maxHeaderBytes: Int, maxBodyBytes: Int, share: BodyShare? = nil) {
        self.share = share
        self.authority = authority
        self.maxHeaderBytes = maxHeaderBytes
        self.maxBodyBytes = maxBodyBytes
    }

    /// Takes a line of the head with its line break; false where the transfer has to stop.
    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        headerBytes += line.count
        guard headerBytes <= maxHeaderBytes else {
            return stop(.notHTTP, "the header of \(authority) is larger than \(maxHeaderBytes) bytes")
        }
        let end = line.lastIndex { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        guard let end else { return isHeadComplete || completeHead() }
        if line.starts(with: "HTTP/".utf8) {
            headers.removeAll(keepingCapacity: true)
            isHeadComplete = false
            hasBegun = true
            return true
        }
        // What follows the body are trailers; they must not change what the head said.
        guard !isHeadComplete, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        headers.add(
            name: String(decoding: line[..<colon], as: UTF8.self),
            value: String(decoding: Self.withoutBlanks(line[(colon + 1)...end]), as: UTF8.self))
        return true
    }

    /// Takes bytes of the body.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Reception {
        if wireBytes == 0 && body == nil && !reserveBody() { return .stop }
        guard let body else { return .stop }
        if let decoder {
            let ahead = min(takenAhead, bytes.count)
            do throws(ContentDecoder.Fault) {
                try decoder.decode(UnsafeRawBufferPointer(rebasing: bytes[ahead...]), into: body, limit: maxBodyBytes)
            } catch .mustWait {
                takenAhead = ahead + decoder.taken
                return .mustWait
            } catch {
                wireBytes += bytes.count
                _ = stop(error)
                return .stop
            }
            takenAhead -= ahead
        } else {
            do throws(ResponseBody.Refusal) {
                guard body.count + bytes.count <= maxBodyBytes else { throw .noMemory }
                let room = try body.room(for: bytes.count)
                room.copyMemory(from: bytes)
                body.commit(bytes.count)
            } catch .mustWait {
                return .mustWait
            } catch {
                wireBytes += bytes.count
                _ = stop(body.count + bytes.count <= maxBodyBytes ? .noMemory : .tooLarge)
                return .stop
            }
        }
        wireBytes += bytes.count
        return .taken
    }

    /// Stops the transfer for a reason that was found elsewhere.
    func fail(_ kind: NetworkFault, _ detail: String) {
        if fault == nil { fault = (kind, detail) }
    }

    /// The whole body, once libcurl says that the last byte came.
    func finish() throws(FetchFailure) -> ResponseBody {
        if wireBytes > 0, let decoder {
            do throws(ContentDecoder.Fault) { try decoder.finish() } catch { _ = stop(error) }
        }
        if let fault { throw .network(fault.kind, detail: fault.detail) }
        guard let body = body ?? ResponseBody(reserving: 0) else {
            throw .network(.other, detail: "no memory for the answer of \(authority)")
        }
        body.seal()
        return body
    }

    /// Decides by the fields how the body will be read.
    private func completeHead() -> Bool {
        isHeadComplete = true
        // libcurl undoes this coding unasked and without a check of its end.
        let transferCodings = headers.values(of: "Transfer-Encoding")
        guard transferCodings.allSatisfy({ $0.lowercased() == "chunked" || $0.lowercased() == "identity" }) else {
            return stop(.badEncoding, "\(authority) answered in a transfer coding that was not asked for")
        }
        decoder = nil
        let codings = headers.values(of: "Content-Encoding").filter { !$0.isEmpty && $0.lowercased() != "identity" }
        if let coding = codings.first {
            decoder = ContentDecoder(coding: coding)
            guard codings.count == 1, decoder != nil else {
                return stop(.badEncoding, "\(authority) answered in a content encoding that was not asked for")
            }
        }
        if decoder == nil, let length = announcedLength, length > maxBodyBytes { return stop(.tooLarge) }
        return true
    }

    private var announcedLength: Int? {
        headers["Content-Length"].flatMap { Int($0) }
    }

    private func reserveBody() -> Bool {
        let announced = max(0, min(announcedLength ?? 16 << 10, Self.largestReservation))
        body = ResponseBody(reserving: min(announced * (decoder == nil ? 1 : 4), maxBodyBytes), share: share)
        return body != nil || stop(.noMemory)
    }

    private func stop(_ fault: ContentDecoder.Fault) -> Bool {
        switch fault {
        case .broken:
            stop(
                .badEncoding, "the answer of \(authority) is not whole \(headers["Content-Encoding"] ?? "encoded") data"
            )
        case .tooLarge:
            stop(.bodyTooLarge, "the answer of \(authority) is larger than \(maxBodyBytes) bytes")
        case .noMemory, .mustWait:
            stop(.other, "no memory for the answer of \(authority)")
        }
    }

    private func stop(_ kind: NetworkFault, _ detail: String) -> Bool {
        fail(kind, detail)
        return false
    }

    private static func withoutBlanks(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = bytes.firstIndex(where: { !isBlank($0) }),
            let last = bytes.lastIndex(where: { !isBlank($0) })
        else { return bytes.prefix(0) }
        return bytes[first...last]
    }
}
