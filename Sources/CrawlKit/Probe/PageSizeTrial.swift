import CrawlCore
import CrawlHTTP
import CrawlJSON

/// Finds the query parameter for the number of records on a page, and the most that the server sends.
struct PageSizeTrial {
    /// What was found.
    struct Size: Equatable {
        /// The parameter; nil where there is none that works.
        var parameter: String?
        /// The most records on a page.
        var most: Int
    }

    /// A query parameter that may ask for a number of records.
    private struct Candidate {
        var parameter: String
        /// Whether the API itself names it.
        var isNamed: Bool
    }

    let trial: PaginationTrial
    let style: PaginationTrial.Style
    /// The records of a larger page, where one came.
    private(set) var larger: [JSONValue]?
    private(set) var notes: [ProbeNote] = []

    /// The number of records that is asked for to see how many come.
    private static let large = 100

    init(trial: PaginationTrial, style: PaginationTrial.Style) {
        self.trial = trial
        self.style = style
    }

    private var received: Int { trial.records.count }

    /// Finds the size; makes few requests.
    mutating func size() async throws -> Size {
        guard style != .whole else { return Size(parameter: nil, most: 1) }
        let candidates = candidates()
        // Names that are only usual are worth less asking.
        for candidate in candidates.filter(\.isNamed).prefix(2) + candidates.filter({ !$0.isNamed }).prefix(2) {
            guard let size = try await size(candidate) else { continue }
            notes.append(.found("Size: '\(candidate.parameter)', at most \(size.most) records on a page."))
            return size
        }
        if style != .random {
            notes.append(.doubt("Size: no parameter for it was found; pages have \(received) records."))
        }
        return Size(parameter: nil, most: max(1, received))
    }

    private mutating func size(_ candidate: Candidate) async throws -> Size? {
        let largePage = try await page(candidate.parameter, Self.large)
        let large = largePage.map { trial.list.records(in: $0.body) }
        let isRandom = style == .random
        if let largePage, let large, large.count > received {
            larger = large
            return Size(parameter: candidate.parameter, most: most(large.count, of: largePage))
        }
        if candidate.isNamed, !isRandom { return Size(parameter: candidate.parameter, most: received) }
        guard received > 1, !isRandom else { return nil }
        // As many as before: the most that the server sends, or it ignores the parameter.
        let few = received / 2
        let small = try await page(candidate.parameter, few)
        guard let small, trial.list.records(in: small.body).count == few else { return nil }
        return Size(parameter: candidate.parameter, most: received)
    }

    /// The most records to ask for where so many came when more were asked for.
    private func most(_ count: Int, of page: ProbedPage) -> Int {
        guard count < Self.large else { return Self.large }
        let hints = PaginationHints(page, list: trial.list)
        switch style {
        // All of a small collection on one page do not tell how many a page may hold.
        case .page, .offset: return hints.totals.contains { $0.value == count } ? Self.large : count
        case .link, .cursor, .lastRecord:
            let hasMore = hints.address?.value != nil || !hints.cursors.isEmpty || hints.more?.value == true
            return hasMore ? count : Self.large
        case .random, .whole: return count
        }
    }

    private func page(_ parameter: String, _ size: Int) async throws -> ProbedPage? {
        let address = URLText.setting([(parameter, String(size))], in: trial.url)
        guard case .page(let page) = try await trial.ask(address), trial.list.isThere(in: page.body) else { return nil }
        return page
    }

    private func candidates() -> [Candidate] {
        var candidates: [Candidate] = []
        func add(_ parameter: String, isNamed: Bool) {
            if !candidates.contains(where: { $0.parameter == parameter }) {
                candidates.append(Candidate(parameter: parameter, isNamed: isNamed))
            }
        }
        for (name, value) in URLText.items(in: trial.url) where PaginationHints.isSizeName(name) && Int(value) != nil {
            add(name, isNamed: true)
        }
        if let next = trial.hints.address?.value {
            for (name, value) in URLText.items(in: next)
            where PaginationHints.isSizeName(name) && Int(value) == received { add(name, isNamed: true) }
        }
        // What a field is called need not be what the parameter is called.
        for name in trial.hints.sizeNames { add(name, isNamed: false) }
        for name in usualNames { add(name, isNamed: false) }
        return candidates
    }

    /// The names that go with the style.
    private var usualNames: [String] {
        switch style {
        case .random: ["size", "limit", "results", "count"]
        case .page("_page", _): ["_limit"]
        case .page(let parameter, _) where parameter.contains("["):
            [parameter.prefix { $0 != "[" } + "[size]", "limit"]
        case .page(let parameter, _) where parameter.contains(where: \.isUppercase): ["pageSize", "limit"]
        case .page: ["per_page", "limit", "page_size", "size"]
        case .offset("from", _): ["size", "limit"]
        case .offset("$skip", _): ["$top"]
        case .offset("_start", _): ["_limit"]
        case .offset: ["limit", "size"]
        case .cursor(let parameter, _) where parameter.contains(where: \.isUppercase):
            ["pageSize", "maxResults", "limit"]
        case .cursor, .lastRecord: ["limit", "page_size", "per_page", "size"]
        case .link: trial.hints.isOData ? ["$top"] : ["per_page", "limit", "page_size"]
        case .whole: []
        }
    }
}
