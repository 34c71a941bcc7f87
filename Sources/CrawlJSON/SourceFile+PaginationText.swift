import CrawlCore

extension SourceFile {
    /// The value of the key `pagination`; what is as by default is left out.
    static func value(_ pagination: Pagination) -> JSONValue {
        var members: [JSONMember] = []
        func add(_ key: String, _ value: JSONValue) { members.append(JSONMember(key, value)) }
        func addStyle(_ style: String, parameter: String? = nil) {
            add("style", .text(style))
            if let parameter { add("parameter", .text(parameter)) }
        }
        func addFirst(_ first: Int, unless usual: Int) {
            if first != usual { add("first", .integer(Int64(first))) }
        }
        func addSize(_ parameter: String?, _ maxSize: Int, always: Bool = false) {
            if let parameter { add("sizeParameter", .text(parameter)) }
            if always || parameter != nil || maxSize > 1 { add("maxSize", .integer(Int64(maxSize))) }
        }
        func addPlace(_ key: String, _ place: AnswerPlace?) {
            if let place { add(key, value(place)) }
        }
        func addEnd(_ end: PageEnd) {
            addPlace("total", end.total)
            addPlace("pages", end.pages)
            addPlace("more", end.more)
        }
        switch pagination {
        case .repeat(let size, let maxSize):
            addStyle("repeat")
            addSize(size, maxSize)
        case .single:
            addStyle("single")
        case .page(let parameter, let first, let size, let maxSize, let end):
            addStyle("page", parameter: parameter)
            addFirst(first, unless: 1)
            addSize(size, maxSize, always: true)
            addEnd(end)
        case .offset(let parameter, let first, let size, let maxSize, let end):
            addStyle("offset", parameter: parameter)
            addFirst(first, unless: 0)
            addSize(size, maxSize, always: true)
            addEnd(end)
        case .cursor(let parameter, let next, let more, let size, let maxSize):
            addStyle("cursor", parameter: parameter)
            switch next {
            case .answer(let place): addPlace("next", place)
            case .lastRecord(let column): add("next", .object([JSONMember("last", .text(column))]))
            }
            addPlace("more", more)
            addSize(size, maxSize)
        case .link(let next, let more, let size, let maxSize):
            addStyle("link")
            if next != .linkHeader { addPlace("next", next) }
            addPlace("more", more)
            addSize(size, maxSize)
        }
        return .object(members)
    }

    private static func value(_ place: AnswerPlace) -> JSONValue {
        switch place {
        case .body(let path): value(path)
        case .header(let name): .object([JSONMember("header", .text(name))])
        }
    }
}
