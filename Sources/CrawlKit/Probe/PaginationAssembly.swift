import CrawlCore
import CrawlHTTP
import CrawlJSON

/// Puts what was found about pages into the form of a source file.
struct PaginationAssembly {
    private(set) var pagination: Pagination
    /// The address without the parameters that the pager sets itself.
    private(set) var url: String
    private(set) var notes: [ProbeNote] = []

    init(
        trial: PaginationTrial, style: PaginationTrial.Style, size: PageSizeTrial.Size, columns: [Column]
    ) {
        let hints = trial.hints
        let more = hints.more?.place
        var removed = size.parameter.map { [$0] } ?? []
        var end = PageEnd()
        switch style {
        case .page, .offset: (end, notes) = Self.end(trial, size: size)
        default: break
        }
        switch style {
        case .random:
            pagination = .repeat(sizeParameter: size.parameter, maxSize: size.most)
            notes.append(.found("Pages: none; the same request brings other records each time."))
        case .whole:
            pagination = .single
            let isAll = trial.list.isSingle || hints.totals.contains { $0.value == trial.records.count }
            notes.append(
                isAll
                    ? .found("Pages: none; one request brings everything.")
                    : .doubt("Pages: none found; one request is taken to bring everything."))
        case .page(let parameter, let first):
            removed.append(parameter)
            pagination = .page(
                parameter: parameter, first: first, sizeParameter: size.parameter, maxSize: size.most, end: end)
        case .offset(let parameter, let first):
            removed.append(parameter)
            pagination = .offset(
                parameter: parameter, first: first, sizeParameter: size.parameter, maxSize: size.most, end: end)
        case .cursor(let parameter, let next):
            pagination = .cursor(
                parameter: parameter, next: .answer(next), more: more, sizeParameter: size.parameter,
                maxSize: size.most)
        case .lastRecord(let parameter, let path):
            removed.append(parameter)
            let column = columns.first { $0.path == path }?.name ?? path.description
            pagination = .cursor(
                parameter: parameter, next: .lastRecord(column: column), more: more, sizeParameter: size.parameter,
                maxSize: size.most)
        case .link(let place):
            pagination = .link(next: place, more: more, sizeParameter: size.parameter, maxSize: size.most)
        }
        url = URLText.removing(removed, from: trial.url)
            .replacing("{", with: "%7B").replacing("}", with: "%7D")
        if url != URLText.display(url) {
            notes.append(
                .doubt(
                    "The address holds what looks like a secret; better a header with a variable of the environment."))
        }
    }

    /// The places that tell the end of numbered pages.
    private static func end(_ trial: PaginationTrial, size: PageSizeTrial.Size) -> (PageEnd, [ProbeNote]) {
        let hints = trial.hints
        let second = trial.second.map { PaginationHints($0, list: trial.list) }
        let hasSecond = trial.second.map { !trial.list.records(in: $0.body).isEmpty } ?? false
        // The number of records of this page alone is sometimes called count.
        let total = hints.totals.first { total in
            guard hasSecond else { return total.value == trial.records.count }
            let later = second?.totals.first { $0.place == total.place }?.value
            return total.value > trial.records.count && later.map { abs($0 - total.value) <= total.value / 10 } == true
        }
        if let total {
            let isUsual = total.place == PageEnd().totalPlace
            return (
                PageEnd(total: isUsual ? nil : total.place),
                [.found("End: \(total.shown) is the number of all records, \(total.value).")]
            )
        }
        if let pages = hints.pages, !hasSecond || pages.value > 1 {
            return (
                PageEnd(pages: pages.place), [.found("End: \(pages.shown) is the number of pages, \(pages.value).")]
            )
        }
        if let more = hints.more {
            return (PageEnd(more: more.place), [.found("End: \(more.shown) says whether there are more.")])
        }
        return (PageEnd(), [.found("End: an empty page.")])
    }
}
