import CrawlCore
import CrawlHTTP
import CrawlJSON

extension PageFacts {
    /// A cursor or an address that is longer leads nowhere: servers take addresses of a few thousand bytes.
    private static let longestNext = 32 << 10

    /// What an answer says about its page and the next one, at the places that the source file names.
    init(_ page: PageReader.Page, _ response: HTTPResponse, source: Source, addresses: NextAddress) {
        self.init(received: page.records.receivedCount)
        let answer = AnswerValues(body: page.captured, headers: response.headers)
        switch source.pagination {
        case .repeat, .single:
            return
        case .page(_, _, _, _, let end), .offset(_, _, _, _, let end):
            total = answer.number(end.totalPlace)
            pages = end.pages.flatMap(answer.number)
            more = end.more.flatMap(answer.truth)
        case .cursor(_, .answer(let place), let morePlace, _, _):
            next = answer.text(place)
            more = morePlace.flatMap(answer.truth)
            if next == nil { deadEnd = answer.unusable(place, as: "cursor") }
        case .cursor(_, .lastRecord(let column), let morePlace, _, _):
            next = page.records.last(column: column, of: source)
            more = morePlace.flatMap(answer.truth)
        case .link(let place, let morePlace, _, _):
            more = morePlace.flatMap(answer.truth)
            guard more != false else { break }
            guard let reference = answer.address(place) else {
                deadEnd = answer.unusable(place, as: "address")
                break
            }
            guard let asked = HTTPURL(response.finalURL) else { break }
            do throws(NextAddress.Refusal) {
                next = try addresses.resolve(reference, from: asked)
            } catch {
                deadEnd = error.evidence
            }
        }
        if let length = next?.utf8.count, length > Self.longestNext {
            (next, deadEnd) = (
                nil, "what it names as the next page has \(length) bytes, more than any server takes back"
            )
        }
        if more == true, next == nil, deadEnd == nil, source.pagination.needsNext, received > 0 {
            deadEnd = "it says that there are more, but not where"
        }
        fingerprint = page.records.fingerprint(key: source.keyIndices)
    }
}

extension PageFacts {
    /// What was known of a page that has not changed, with what the answer's fields say of the others now.
    ///
    /// The fields are no part of what has not changed: where they told the total and are silent now, nobody knows it.
    func renewed(by headers: HTTPHeaders, of source: Source) -> PageFacts {
        var facts = self
        let answer = AnswerValues(body: [:], headers: headers)
        switch source.pagination {
        case .page(_, _, _, _, let end), .offset(_, _, _, _, let end):
            if end.totalPlace.isField { facts.total = answer.number(end.totalPlace) }
            if let place = end.pages, place.isField { facts.pages = answer.number(place) }
            if let place = end.more, place.isField { facts.more = answer.truth(place) }
        case .repeat, .single, .cursor, .link:
            break
        }
        return facts
    }

    /// Whether a page can be taken as it was when its body has not changed.
    ///
    /// The last one of a chain that fields lead on cannot: they may name a next one by now.
    func outlives(_ pagination: Pagination) -> Bool {
        switch pagination {
        case .cursor(_, .answer(let place), _, _, _), .link(let place, _, _, _): next != nil || !place.isField
        case .repeat, .single, .page, .offset, .cursor: true
        }
    }
}

extension AnswerPlace {
    /// Whether it is a field of the header.
    fileprivate var isField: Bool {
        if case .header = self { true } else { false }
    }
}

extension Pagination {
    /// Whether nothing but the answer tells the next page.
    fileprivate var needsNext: Bool {
        switch self {
        case .cursor, .link: true
        case .repeat, .single, .page, .offset: false
        }
    }
}

/// The single values of an answer that decide about the next page.
struct AnswerValues {
    /// The values in the body, by path.
    var body: [JSONPath: JSONValue]
    var headers: HTTPHeaders

    /// A cursor; nil where the value says that there is none: absent, null, false or an empty text.
    func text(_ place: AnswerPlace) -> String? {
        switch place {
        case .header(let name): headers[name].flatMap { $0.isEmpty ? nil : $0 }
        case .body(let path): body[path]?.cursor
        }
    }

    /// Why a value that is there names no next page, as a part of a sentence; nil where it says that there is none.
    func unusable(_ place: AnswerPlace, as use: String) -> String? {
        guard case .body(let path) = place else { return nil }
        switch body[path] {
        case .object(let members) where !members.isEmpty:
            return "it names the next page by an object, from which no \(use) can be taken"
        case .array(let elements) where !elements.isEmpty:
            return "it names the next page by a list, from which no \(use) can be taken"
        case .bool(true): return "it names the next page by true, which is no \(use)"
        default: return nil
        }
    }

    /// A value as a cursor; nil where it is none.
    static func cursor(_ value: JSONValue) -> String? { value.cursor }

    /// A number of records or pages; nil where it is none, or negative.
    func number(_ place: AnswerPlace) -> Int? {
        text(place).flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// Whether there are more; nil where the value does not tell.
    func truth(_ place: AnswerPlace) -> Bool? {
        let word: String?
        switch place {
        case .header(let name): word = headers[name]?.lowercased()
        case .body(let path):
            if case .bool(let bool)? = body[path] { return bool }
            word = body[path]?.cursor?.lowercased()
        }
        switch word {
        case "true", "1": return true
        case "false", "0": return false
        default: return nil
        }
    }

    /// A next address as it was written; that of the relation `next` in a `Link` header.
    func address(_ place: AnswerPlace) -> String? {
        guard case .header(let name) = place, name.lowercased() == "link" else { return text(place) }
        return LinkHeader.next(in: headers.values(of: name))
    }
}

extension JSONValue {
    /// The value as a cursor; nil where it says that there is none: null, false or an empty text.
    fileprivate var cursor: String? {
        switch self {
        case .text(let text): text.isEmpty ? nil : text
        case .integer(let number): String(number)
        case .number(let digits): digits
        case .real(let real): JSONValue.real(real).text
        case .null, .bool, .array, .object: nil
        }
    }
}

extension RecordBatch {
    /// The value of a column in the last record of the page, also where that record is rejected; nil without one.
    fileprivate func last(column name: String, of source: Source) -> String? {
        guard let index = source.columns.firstIndex(where: { $0.name == name }) else { return nil }
        guard let part = lastPart else { return nil }
        if let reject = part.rejects.last, reject.position == receivedCount {
            let record = reject.payload.withUnsafeBytes { try? JSONValue(parsing: $0) }
            return record?[source.columns[index].path]?.cursor
        }
        guard part.rowCount > 0 else { return nil }
        switch part[row: part.rowCount - 1, column: index] {
        case .text(let text): return text.isEmpty ? nil : text
        case .integer(let number): return String(number)
        case .real(let real): return JSONValue.real(real).text
        case .absent, .null: return nil
        }
    }
}
