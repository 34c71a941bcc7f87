/// The faults that the stand-in commits on request.
package enum FaultKind: String, Sendable, CaseIterable {
    case badRequest = "400"
    case unauthorized = "401"
    case paymentRequired = "402"
    case forbidden = "403"
    case notFound = "404"
    case requestTimeout = "408"
    case gone = "410"
    case tooEarly = "425"
    case tooManyRequests = "429"
    case serverError = "500"
    case badGateway = "502"
    case unavailable = "503"
    case gatewayTimeout = "504"
    case tooManySeconds = "429-seconds"
    case tooManyDate = "429-date"
    case unavailableSeconds = "503-seconds"
    case unavailableDate = "503-date"
    case retryAfter = "retry-after"
    case okRetryAfter = "200-retry-after"
    case html
    case errorObject = "error-object"
    case noContent = "no-content"
    case empty
    case emptyList = "empty-list"
    case notJSON = "not-json"
    case truncated
    case truncatedJSON = "truncated-json"
    case close
    case reset
    case hang
    case slow
    case drip
    case byteOrderMark = "bom"
    case gzip
    case gzipTruncated = "gzip-truncated"
    case gzipLie = "gzip-lie"
    case gzipBomb = "gzip-bomb"
    case deflateBomb = "deflate-bomb"
    case brotliBomb = "brotli-bomb"
    case invalidUTF8 = "invalid-utf8"
    case nul
    case loneSurrogate = "lone-surrogate"
    case missingKey = "missing-uid"
    case nullKey = "null-uid"
    case wrongKey = "wrong-type"
    case wrongColumn = "wrong-column"
    case bigInteger = "big-integer"
    case notAnObject = "not-an-object"
    case extraField = "extra-field"
    case control
    case longText = "long-text"
    case numbers
    case deep
    case redirect
    case redirectLoop = "redirect-loop"
    case redirectFile = "redirect-file"
    case duplicatePage = "duplicate-page"
    case huge
    case headers
    case notHTTP = "not-http"

    /// The status of the kinds that are nothing but a status, named by it.
    var status: Int? { Int(rawValue) }

    /// The order in which several faults spoil one answer.
    enum Stage: CaseIterable {
        /// One record of it.
        case record
        /// The whole answer: its status, its headers, its body.
        case answer
        /// How the body is coded, which needs to stand.
        case coding
        /// How it goes out.
        case delivery
    }

    /// What of an answer the fault spoils.
    var stage: Stage {
        if spoilsOneRecord { return .record }
        switch self {
        case .gzip, .gzipTruncated, .gzipLie: return .coding
        case .slow, .drip, .truncated, .huge, .headers, .hang, .close, .reset: return .delivery
        default: return .answer
        }
    }

    /// Whether the fault spoils one record and leaves the rest of the page whole.
    package var spoilsOneRecord: Bool {
        switch self {
        case .invalidUTF8, .nul, .loneSurrogate, .missingKey, .nullKey, .wrongKey, .wrongColumn, .bigInteger,
            .notAnObject, .extraField, .control, .longText, .numbers:
            true
        default: false
        }
    }

    /// What the parameter after `=` means and its default, or nil where the kind takes none.
    package var parameter: (meaning: String, standard: String)? {
        switch self {
        case .tooManySeconds, .tooManyDate, .unavailableSeconds, .unavailableDate: ("seconds", "1")
        case .okRetryAfter: ("seconds", "60")
        case .retryAfter: ("header value", "120junk")
        case .truncated, .truncatedJSON: ("percent of the body that is sent", "50")
        case .hang: ("seconds", "60")
        case .slow: ("milliseconds", "5000")
        case .drip: ("milliseconds a byte", "1000")
        case .gzipBomb, .deflateBomb, .brotliBomb: ("megabytes", "1024")
        case .longText: ("kilobytes", "10000")
        case .deep: ("levels", "10000")
        default: nil
        }
    }

    /// What the fault does, for help texts.
    package var summary: String {
        switch self {
        case .badRequest, .unauthorized, .paymentRequired, .forbidden, .notFound, .requestTimeout, .gone, .tooEarly,
            .tooManyRequests, .serverError, .badGateway, .unavailable, .gatewayTimeout:
            "status \(rawValue)"
        case .tooManySeconds: "429 with Retry-After in seconds"
        case .tooManyDate: "429 with Retry-After as a date"
        case .unavailableSeconds: "503 with Retry-After in seconds"
        case .unavailableDate: "503 with Retry-After as a date"
        case .retryAfter: "429 with any text as Retry-After"
        case .okRetryAfter: "a good page that carries Retry-After"
        case .html: "an HTML page with status 200"
        case .errorObject: "{\"error\": …} with status 200"
        case .noContent: "status 204"
        case .empty: "status 200 without a body"
        case .emptyList: "an empty list"
        case .notJSON: "text that is not JSON"
        case .truncated: "the connection closes in the middle of the body"
        case .truncatedJSON: "a complete answer whose JSON stops in the middle"
        case .close: "the connection closes without an answer"
        case .reset: "the connection is reset without an answer"
        case .hang: "no answer until the client goes"
        case .slow: "the answer comes late"
        case .drip: "the body comes byte by byte"
        case .byteOrderMark: "a byte order mark before the JSON"
        case .gzip: "a page in gzip"
        case .gzipTruncated: "gzip that stops in the middle"
        case .gzipLie: "a gzip header on a plain body"
        case .gzipBomb: "a small gzip body that unpacks to a huge one"
        case .deflateBomb: "the same in deflate"
        case .brotliBomb: "the same in brotli, far smaller"
        case .invalidUTF8: "a record with bytes that are not UTF-8"
        case .nul: "a record with a NUL in a text"
        case .loneSurrogate: "a record with half a surrogate pair"
        case .missingKey: "a record without its key"
        case .nullKey: "a record whose key is null"
        case .wrongKey: "a record whose key has the wrong type"
        case .wrongColumn: "a record with a column of the wrong type"
        case .bigInteger: "a record with an integer of 2^63"
        case .notAnObject: "a number in place of a record"
        case .extraField: "a record with unknown fields"
        case .control: "a record with control characters and escape sequences"
        case .longText: "a record with a very long text"
        case .numbers: "a record with numbers at the limits of what can be kept exactly"
        case .deep: "deeply nested lists"
        case .redirect: "a redirect that ends at once"
        case .redirectLoop: "a redirect that never ends"
        case .redirectFile: "a redirect to a file"
        case .duplicatePage: "the page before once more"
        case .huge: "a body without end"
        case .headers: "headers without end"
        case .notHTTP: "bytes that are not HTTP"
        }
    }

    /// Every kind with its parameter and what it does, a line each, laid out like the options of a help text.
    package static var listing: String {
        allCases.map { kind in
            let name = kind.rawValue + (kind.parameter == nil ? "" : "=…")
            let gap = String(repeating: " ", count: max(1, 24 - name.count))
            let parameter = kind.parameter.map { " (\($0.meaning), default: \($0.standard))" } ?? ""
            return "  \(name)\(gap)\(kind.summary)\(parameter)"
        }.joined(separator: "\n")
    }
}
