/// One invented collection behind every common style of pagination, at `/pages/STYLE`.
struct CollectionAPI: Sendable {
    private let behaviour: CollectionBehaviour
    private let seed: UInt64

    init(_ behaviour: CollectionBehaviour, seed: UInt64) {
        self.behaviour = behaviour
        self.seed = SplitMix64.mixed(seed ^ 0x7061_6765)
    }

    /// The styles, by the last part of their path.
    enum Style: String, CaseIterable {
        /// `?cursor=C&limit=N`: `{"data": […], "next": C}`.
        case cursor
        /// `?cursor=C&limit=N`: a list, the next cursor in the header `x-next-cursor`.
        case cursorHeader = "cursor-header"
        /// `?page=P&per_page=N`: a list, the next address in `Link`.
        case link
        /// `?offset=O&limit=N`: `{"items": […], "total", "offset", "limit"}`.
        case offset
        /// `?page=P&per_page=N`: `{"data": […], "page", "total", "total_pages"}`.
        case page
        /// `?page=P&per_page=N`: a bare list.
        case list
        /// `?starting_after=ID&limit=N`: `{"object": "list", "data": […], "has_more"}`.
        case startingAfter = "starting-after"
        /// `?page[number]=P&page[size]=N`: `{"data": [{type, id, attributes}], "links": {"next"}}`.
        case jsonAPI = "jsonapi"
        /// `?$skip=O&$top=N`: `{"value": […], "@odata.nextLink"}`.
        case odata
        /// `?offset=O&limit=N`: `{"count", "next", "previous", "results": […]}`.
        case results
        /// `?from=O&size=N`: `{"hits": {"total": {"value"}, "hits": [{_id, _source}]}}`.
        case hits
    }

    func answer(_ request: Request) -> Answer {
        guard let style = Style(rawValue: String(request.path.dropFirst("/pages/".count))) else {
            let styles = Style.allCases.map(\.rawValue).joined(separator: ", ")
            return .error(404, "no such style; there are \(styles)")
        }
        let slice = slice(style, request)
        var answer: Answer
        var target = SpoilTarget(range: 0..<0, key: "id", text: "name", number: "stock")
        var json = JSONText()
        json.page(style, slice, next: next(style, slice, request), end: behaviour.end, total: behaviour.size) { json in
            for index in slice.range {
                let start = json.bytes.count + (index > slice.range.lowerBound ? 1 : 0)
                write(index, style, to: &json)
                if index == slice.range.lowerBound + slice.range.count / 2 { target.range = start..<json.bytes.count }
            }
        }
        answer = Answer(json.bytes, target: slice.range.isEmpty ? nil : target)
        if let next = next(style, slice, request) {
            if style == .link { answer.headers.append(("link", "<\(next)>; rel=\"next\"")) }
            if style == .cursorHeader { answer.headers.append(("x-next-cursor", next)) }
        }
        return answer
    }

    /// The records of one page.
    struct Slice {
        let range: Range<Int>
        let size: Int
        /// The number of the page, from 1.
        var page: Int { range.lowerBound / max(1, size) + 1 }
    }

    private func slice(_ style: Style, _ request: Request) -> Slice {
        let asked = request.number(style.sizeParameter) ?? behaviour.pageSize
        let size = min(max(1, asked), behaviour.pageSize)
        var start =
            switch style {
            case .cursor, .cursorHeader: request.value("cursor").flatMap { Int($0.dropFirst(2), radix: 36) } ?? 0
            case .link, .page, .list, .jsonAPI: (max(1, request.number(style.placeParameter) ?? 1) - 1) * size
            case .startingAfter: request.number("starting_after") ?? 0
            case .offset, .odata, .results, .hits: max(0, request.number(style.placeParameter) ?? 0)
            }
        if behaviour.loop == .firstPage { start = 0 }
        start = min(start, behaviour.size)
        return Slice(range: start..<min(start + size, behaviour.size), size: size)
    }

    /// The cursor or address of the page that follows, or nil after the last.
    private func next(_ style: Style, _ slice: Slice, _ request: Request) -> String? {
        let start: Int
        switch behaviour.loop {
        case .none, .firstPage:
            guard slice.range.upperBound < behaviour.size else { return nil }
            start = slice.range.upperBound
        case .same: start = slice.range.lowerBound
        case .alternating: start = slice.range.lowerBound == 0 ? slice.size : 0
        }
        let root = (behaviour.addresses == .absolute ? request.origin : "") + request.path + "?"
        let size = "\(style.sizeParameter)=\(slice.size)"
        switch style {
        case .cursor, .cursorHeader: return "c_" + String(start, radix: 36)
        case .link: return root + "page=\(start / slice.size + 1)&\(size)"
        case .jsonAPI: return root + "page%5Bnumber%5D=\(start / slice.size + 1)&page%5Bsize%5D=\(slice.size)"
        case .odata: return root + "$skip=\(start)&\(size)"
        case .results: return root + "offset=\(start)&\(size)"
        case .startingAfter, .offset, .page, .list, .hits: return String(start)
        }
    }

    private func write(_ index: Int, _ style: Style, to json: inout JSONText) {
        let id = index + 1
        switch style {
        case .jsonAPI:
            json.object { record in
                record.field("type", "things")
                record.field("id", String(id))
                record.field("attributes") { $0.object { writeFields(index, to: &$0) } }
            }
        case .hits:
            json.object { record in
                record.field("_index", "things")
                record.field("_id", "thing-\(id)")
                record.field("_score", 1)
                record.field("_source") { source in
                    source.object {
                        $0.field("id", id)
                        writeFields(index, to: &$0)
                    }
                }
            }
        default:
            json.object {
                $0.field("id", id)
                writeFields(index, to: &$0)
            }
        }
    }

    private func writeFields(_ index: Int, to json: inout JSONText) {
        var random = SplitMix64(seed: seed &+ UInt64(index))
        let words = Vocabulary.shared
        json.field("name", "Thing \(index + 1)")
        json.field("country", ["de", "fr", "nl", "us"][index % 4])
        json.field("code", index / 4 + 1)
        var zip: [UInt8] = []
        zip.append(decimal: random.below(100_000), width: 5)
        json.field("zip", String(decoding: zip, as: UTF8.self))
        json.field("stock", random.below(1_000))
        if index % 3 == 0 { json.field("price", 1 + random.below(90)) } else { json.field("price", random.unit() * 90) }
        json.field("active", random.below(2) == 0)
        json.field("owner") { owner in
            owner.object { $0.field("login", String(decoding: words.pick(words.latin, &random), as: UTF8.self)) }
        }
        json.field("created_at", CivilTime(1_600_000_000 + index * 3_600).rfc3339)
    }
}
