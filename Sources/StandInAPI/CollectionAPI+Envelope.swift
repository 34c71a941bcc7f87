extension CollectionAPI.Style {
    /// The query parameter for the number of records on a page.
    var sizeParameter: String {
        switch self {
        case .cursor, .cursorHeader, .offset, .startingAfter, .results: "limit"
        case .link, .page, .list: "per_page"
        case .jsonAPI: "page[size]"
        case .odata: "$top"
        case .hits: "size"
        }
    }

    /// The query parameter for the page's place.
    var placeParameter: String {
        switch self {
        case .cursor, .cursorHeader: "cursor"
        case .link, .page, .list: "page"
        case .startingAfter: "starting_after"
        case .jsonAPI: "page[number]"
        case .offset, .results: "offset"
        case .odata: "$skip"
        case .hits: "from"
        }
    }
}

extension JSONText {
    /// Writes what a style puts around the records of a page.
    mutating func page(
        _ style: CollectionAPI.Style, _ slice: CollectionAPI.Slice, next: String?, end: CollectionBehaviour.End,
        total: Int, records: (inout JSONText) -> Void
    ) {
        switch style {
        case .link, .list, .cursorHeader:
            list(records)
        case .cursor:
            object {
                $0.field("data") { $0.list(records) }
                $0.next("next", next, end)
            }
        case .offset:
            object {
                $0.field("items") { $0.list(records) }
                $0.field("total", total)
                $0.field("offset", slice.range.lowerBound)
                $0.field("limit", slice.size)
            }
        case .page:
            object {
                $0.field("data") { $0.list(records) }
                $0.field("page", slice.page)
                $0.field("total", total)
                $0.field("total_pages", (total + slice.size - 1) / slice.size)
            }
        case .startingAfter:
            object {
                $0.field("object", "list")
                $0.field("url", "/pages/starting-after")
                $0.field("has_more", next != nil)
                $0.field("data") { $0.list(records) }
            }
        case .jsonAPI:
            object {
                $0.field("data") { $0.list(records) }
                $0.field("links") { links in links.object { $0.next("next", next, end) } }
                $0.field("meta") { meta in meta.object { $0.field("total", total) } }
            }
        case .odata:
            object {
                $0.field("@odata.context", "$metadata#things")
                $0.field("value") { $0.list(records) }
                $0.next("@odata.nextLink", next, end == .null ? .absent : end)
            }
        case .results:
            object {
                $0.field("count", total)
                $0.next("next", next, end)
                $0.field("previous") { $0.null() }
                $0.field("results") { $0.list(records) }
            }
        case .hits:
            object {
                $0.field("took", 3)
                $0.field("timed_out", false)
                $0.field("hits") { hits in
                    hits.object {
                        $0.field("total") { count in
                            count.object {
                                $0.field("value", total)
                                $0.field("relation", "eq")
                            }
                        }
                        $0.field("hits") { $0.list(records) }
                    }
                }
            }
        }
    }

    private mutating func next(_ name: String, _ value: String?, _ end: CollectionBehaviour.End) {
        if let value {
            field(name, value)
            return
        }
        switch end {
        case .null: field(name) { $0.null() }
        case .absent: break
        case .empty: field(name, "")
        case .false: field(name, false)
        }
    }
}
