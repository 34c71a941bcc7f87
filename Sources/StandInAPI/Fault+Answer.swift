extension Fault {
    /// The query parameter that marks the end of a redirect.
    static let redirected = "redirected"

    /// Turns a good answer into what the fault makes of it.
    func spoil(_ answer: inout Answer, request: Request, previous: Answer?, moment: Int) {
        if kind.spoilsOneRecord {
            spoilRecord(of: &answer)
            return
        }
        switch kind {
        case .tooManySeconds: answer = refusal(429, retryAfter: String(amount))
        case .tooManyDate: answer = refusal(429, retryAfter: CivilTime(moment + amount).httpDate)
        case .unavailableSeconds: answer = refusal(503, retryAfter: String(amount))
        case .unavailableDate: answer = refusal(503, retryAfter: CivilTime(moment + amount).httpDate)
        case .retryAfter: answer = refusal(429, retryAfter: parameter ?? kind.parameter?.standard ?? "")
        case .okRetryAfter: answer.headers.append(("retry-after", String(amount)))
        case .slow: answer.delay += .milliseconds(amount)
        case .drip: answer.delivery = .drip(every: .milliseconds(amount))
        case .truncated: answer.delivery = .cut(after: answer.body.count * amount / 100)
        case .huge: answer.delivery = .endless
        case .headers: answer.delivery = .endlessHeaders
        case .hang: answer.delivery = .hang(.seconds(amount))
        case .close: answer.delivery = .close
        case .reset: answer.delivery = .reset
        case .notHTTP:
            answer.delivery = .raw
            answer.body = .bytes(Array("SSH-2.0-StandIn\r\n\r\n".utf8))
        case .redirect: answer = redirect(to: appending("\(Self.redirected)=1", to: request.target))
        case .redirectLoop: answer = redirect(to: request.target)
        case .redirectFile: answer = redirect(to: "file:///etc/hostname")
        case .duplicatePage: answer = previous ?? answer
        default:
            if let status = kind.status {
                answer = refusal(status, retryAfter: nil)
            } else {
                spoilBody(of: &answer)
            }
        }
    }

    private func refusal(_ status: Int, retryAfter: String?) -> Answer {
        var answer =
            status < 500
            ? Answer.error(status, "stand-in fault \(status)")
            : Answer(status: status, type: "text/html", text: Self.page("\(status) from the stand-in"))
        // An empty value would be refused by the HTTP library; a blank is the same on the wire.
        if let retryAfter { answer.headers.append(("retry-after", retryAfter.isEmpty ? " " : retryAfter)) }
        return answer
    }

    private func redirect(to location: String) -> Answer {
        var answer = Answer(status: 302, type: "text/html", text: Self.page("Moved"))
        answer.headers.append(("location", location))
        return answer
    }

    private func appending(_ parameter: String, to target: String) -> String {
        target + (target.contains("?") ? "&" : "?") + parameter
    }

    static func page(_ title: String) -> String {
        "<!DOCTYPE html>\n<html><head><title>\(title)</title></head><body><h1>\(title)</h1></body></html>\n"
    }

    private func spoilBody(of answer: inout Answer) {
        let target = answer.target
        answer.target = nil
        switch kind {
        case .html: answer = Answer(type: "text/html; charset=utf-8", text: Self.page("Service unavailable"))
        case .errorObject: answer = .error(200, "something went wrong")
        case .noContent: answer = Answer(status: 204, [])
        case .empty: answer = Answer([])
        case .emptyList: answer = Answer(text: "[]")
        case .notJSON: answer = Answer(text: "this is { not JSON")
        case .truncatedJSON: answer.body = .bytes(Array(answer.body.bytes.prefix(answer.body.count * amount / 100)))
        case .byteOrderMark: answer.body = .bytes([0xEF, 0xBB, 0xBF] + answer.body.bytes)
        case .gzip: compressed(&answer, Gzip.stored(answer.body.bytes))
        case .gzipTruncated:
            let whole = Gzip.stored(answer.body.bytes)
            compressed(&answer, Array(whole.prefix(whole.count / 2)))
        case .gzipLie: compressed(&answer, answer.body.bytes)
        case .gzipBomb: compressed(&answer, Bomb.gzip(megabytes: max(1, amount)))
        case .deflateBomb: compressed(&answer, Bomb.deflate(megabytes: max(1, amount)), coding: "deflate")
        case .brotliBomb: compressed(&answer, Bomb.brotli(megabytes: max(1, amount)), coding: "br")
        case .deep:
            let levels = max(1, amount)
            answer.body = .bytes([UInt8](repeating: 0x5B, count: levels) + [UInt8](repeating: 0x5D, count: levels))
        default: answer.target = target
        }
    }

    private func compressed(_ answer: inout Answer, _ bytes: [UInt8], coding: String = "gzip") {
        answer.headers.append(("content-encoding", coding))
        answer.body = .bytes(bytes)
    }
}
