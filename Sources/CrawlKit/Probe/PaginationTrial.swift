import CrawlCore
import CrawlHTTP
import CrawlJSON

/// Finds out how the pages of an API hang together: follows what an answer says, else tries what is usual, and believes
/// only what brings other records.
struct PaginationTrial {
    /// How one page leads to the next.
    enum Style: Equatable {
        case random
        case whole
        case page(parameter: String, first: Int)
        case offset(parameter: String, first: Int)
        case cursor(parameter: String, next: AnswerPlace)
        case lastRecord(parameter: String, path: JSONPath)
        case link(AnswerPlace)
    }

    let url: String
    let first: ProbedPage
    let list: RecordList
    let hints: PaginationHints
    let ask: (String) async throws -> ProbeAnswer
    let identity: RecordIdentity
    /// The records of the first page.
    let records: [JSONValue]

    /// The second page, where one came.
    private(set) var second: ProbedPage?
    /// Whether none of the second page's records is in the first one.
    private(set) var isSecondApart = false
    /// The records of further answers, for types and keys.
    var others: [[JSONValue]] = []
    var notes: [ProbeNote] = []
    /// Query parameters that the server ignores.
    private var ignored: [String] = []
    /// Whether the first answer holds all records.
    private var isWhole = false
    /// Whether other records came because others come each time.
    private var isRandomAfterAll = false

    init(
        url: String, first: ProbedPage, list: RecordList, ask: @escaping (String) async throws -> ProbeAnswer
    ) {
        self.url = url
        self.first = first
        self.list = list
        self.ask = ask
        hints = PaginationHints(first, list: list)
        records = list.records(in: first.body)
        identity = RecordIdentity(records)
    }

    /// Finds the style.
    mutating func style() async throws -> Style {
        if list.isSingle { return try await isRandom() ? .random : .whole }
        if let style = try await followAddress() { return style }
        if let style = try await followCursor() { return style }
        if let style = try await followLastRecord() { return style }
        if let style = try await count() { return style }
        if hints.hasListOfLinks {
            notes.append(.doubt("The next page stands in a list of links, which a source file cannot name."))
        }
        guard ignored.isEmpty else { return .whole }
        return try await isRandom() ? .random : .whole
    }

    // MARK: What the answer names

    private mutating func followAddress() async throws -> Style? {
        guard let next = hints.address else { return nil }
        guard let reference = next.value, let asked = HTTPURL(first.url) else {
            notes.append(
                .doubt("\(next.shown.capitalizedFirst) names no next address, so that this one page says too little."))
            return .link(next.place)
        }
        let endpoint = Endpoint(kind: .live, Filling.Text(sent: url, shown: url))
        let address: String
        do throws(NextAddress.Refusal) {
            address = try NextAddress(endpoint: endpoint, home: url).resolve(reference, from: asked)
        } catch {
            notes.append(.doubt("\(next.shown.capitalizedFirst) is not followed: \(error.evidence)."))
            return nil
        }
        switch try await relation(at: endpoint.addingSecretItems(to: address)) {
        case .different, .overlapping, .empty:
            notes.append(.found("Pages: \(next.shown) names the next address."))
            return .link(next.place)
        default:
            notes.append(.doubt("\(next.shown.capitalizedFirst) names a next address that brought nothing new."))
            return nil
        }
    }

    private mutating func followCursor() async throws -> Style? {
        for next in hints.cursors.prefix(3) {
            guard let value = next.value else { continue }
            let given = URLText.items(in: url).map(\.name).filter { next.parameters.contains($0) }
            let parameters = given + next.parameters.filter { !given.contains($0) }
            for parameter in parameters.prefix(3) {
                switch try await relation(parameter, value) {
                case .different, .overlapping:
                    notes.append(.found("Pages: \(next.shown) names a cursor, which '\(parameter)' takes."))
                    return .cursor(parameter: parameter, next: next.place)
                default: continue
                }
            }
            notes.append(
                .doubt(
                    "\(next.shown.capitalizedFirst) looks like a cursor, but none of "
                        + "\(parameters.prefix(3).joined(separator: ", ")) takes it."))
        }
        return nil
    }

    private mutating func followLastRecord() async throws -> Style? {
        guard let more = hints.more, more.value, let path = identity.path,
            let last = records.last?[path], let value = AnswerValues.cursor(last)
        else { return nil }
        for parameter in ["starting_after", "after", "after_id", "last_id"] {
            switch try await relation(parameter, value) {
            case .different, .overlapping:
                notes.append(
                    .found("Pages: \(more.shown) says whether there are more; '\(parameter)' takes the last key."))
                return .lastRecord(parameter: parameter, path: path)
            default: continue
            }
        }
        return nil
    }

    // MARK: Numbers

    /// A query parameter that may count pages or records.
    private struct Counter {
        var parameter: String
        var countsPages: Bool
        /// Its value for the first answer, where that is known.
        var value: Int?
        /// Whether that stands in the address, which may name any page.
        var isInAddress = false
    }

    private mutating func count() async throws -> Style? {
        let total = hints.totals.first?.value
        let hasMore = hints.more?.value == true || (total ?? 0) > records.count || (hints.pages?.value ?? 0) > 1
        let counters = counters()
        let known = counters.count { $0.value != nil }
        for counter in counters.prefix(max(hasMore ? 6 : 2, known)) {
            guard let start = try await start(of: counter) else {
                if isWhole { return .whole }
                if isRandomAfterAll { return .random }
                continue
            }
            notes.append(
                .found(
                    counter.countsPages
                        ? "Pages: '\(counter.parameter)' numbers them, the first one \(start)."
                        : "Pages: '\(counter.parameter)' is the number of the first record, from \(start)."))
            return counter.countsPages
                ? .page(parameter: counter.parameter, first: start)
                : .offset(parameter: counter.parameter, first: start)
        }
        if hasMore {
            let amount = total.map { " \($0) records" } ?? ""
            notes.append(
                .doubt(
                    "There are more\(amount), but none of \(counters.prefix(6).map(\.parameter).joined(separator: ", ")) "
                        + "brings them; name the parameter under \"pagination\"."))
        }
        return nil
    }

    /// The number of the first page or record, where the counter brings other records; nil where it does not.
    private mutating func start(of counter: Counter) async throws -> Int? {
        let step = counter.countsPages ? 1 : records.count
        let usual = counter.countsPages ? 1 : 0
        let following = (counter.value ?? usual) + step
        switch try await relation(counter.parameter, String(following)) {
        case .same:
            // Many servers take page 0 for page 1.
            if counter.isInAddress, counter.countsPages, counter.value == 0,
                [.different, .overlapping].contains(try await relation(counter.parameter, "2"))
            {
                return 1
            }
            ignored.append(counter.parameter)
            return nil
        case .part:
            // The parameter works, but without it everything comes.
            isWhole = true
            return nil
        case .empty:
            notes.append(.doubt("\(counter.parameter)=\(following) is empty; the first page seems to hold all."))
            return counter.value == nil ? usual : try await beginning(of: counter)
        case .different, .overlapping: break
        case nil: return nil
        }
        // Totals make sense for a collection only, never for random records.
        if hints.totals.isEmpty, hints.pages == nil, counter.value != nil || !counter.countsPages {
            isRandomAfterAll = try await isRandom()
            if isRandomAfterAll { return nil }
        }
        if counter.value != nil { return try await beginning(of: counter) }
        guard counter.countsPages else { return usual }
        switch try await relation(counter.parameter, "1", isSecondPage: false) {
        case .different:
            isRandomAfterAll = try await isRandom()
            return isRandomAfterAll ? nil : 0
        default: return 1
        }
    }

    /// The number of the first page or record, of a counter whose value is known; an address may name a later one.
    private mutating func beginning(of counter: Counter) async throws -> Int {
        let value = counter.value ?? 0
        guard counter.isInAddress, value > 0 else { return min(value, 1) }
        guard let zero = try await records(counter.parameter, "0"), !zero.isEmpty else { return 1 }
        // Where records count from 1, nothing is missed from 0 on.
        if !counter.countsPages, value > 1 { return 0 }
        let one = value == 1 ? records : try await records(counter.parameter, "1")
        return [.different, .overlapping].contains(one.map { identity.relation(of: zero, to: $0) }) ? 0 : 1
    }

    private func counters() -> [Counter] {
        var counters: [Counter] = []
        func add(_ parameter: String, _ countsPages: Bool, _ value: Int? = nil, isInAddress: Bool = false) {
            if !counters.contains(where: { $0.parameter == parameter }) {
                counters.append(
                    Counter(parameter: parameter, countsPages: countsPages, value: value, isInAddress: isInAddress))
            }
        }
        for (name, value) in URLText.items(in: url) {
            let folded = name.folded.filter { $0 != "[" && $0 != "]" }
            if Self.pageNames.contains(folded) { add(name, true, Int(value), isInAddress: true) }
            if Self.offsetNames.contains(folded) { add(name, false, Int(value), isInAddress: true) }
        }
        if hints.isElasticsearch { add("from", false) }
        if hints.isOData { add("$skip", false) }
        if let page = hints.currentPage { add(page.name, true, page.value) }
        if let offset = hints.currentOffset { add(offset.name, false, offset.value) }
        for (name, countsPages) in Self.usualCounters { add(name, countsPages) }
        return counters
    }

    private static let usualCounters = [
        ("page", true), ("offset", false), ("skip", false), ("start", false), ("_page", true), ("p", true),
    ]
    private static let pageNames: Set = [
        "page", "pagenumber", "pageno", "pageindex", "currentpage", "p", "pg", "pagenum", "currentpage",
    ]
    private static let offsetNames: Set = [
        "offset", "start", "skip", "from", "startindex", "pageoffset", "startat", "sysparmoffset",
    ]

    // MARK: Asking

    /// Whether the same request again brings other records.
    private mutating func isRandom() async throws -> Bool {
        guard case .page(let page) = try await ask(url) else { return false }
        let again = list.records(in: page.body)
        guard identity.relation(of: again, to: records) == .different else { return false }
        others.append(again)
        second = nil
        isSecondApart = false
        return true
    }

    /// The records that a parameter brings; nil where none can be found.
    private mutating func records(_ parameter: String, _ value: String) async throws -> [JSONValue]? {
        try await page(at: URLText.setting([(parameter, value)], in: url)).map { list.records(in: $0.body) }
    }

    /// The page at an address, nil where it has no list of records.
    private mutating func page(at address: String) async throws -> ProbedPage? {
        guard case .page(let page) = try await ask(address), list.isThere(in: page.body) else { return nil }
        return page
    }

    /// How the records that a parameter brings relate to those of the first page; nil where none came.
    private mutating func relation(
        _ parameter: String, _ value: String, isSecondPage: Bool = true
    ) async throws -> RecordIdentity.Relation? {
        try await relation(at: URLText.setting([(parameter, value)], in: url), isSecondPage: isSecondPage)
    }

    private mutating func relation(
        at address: String, isSecondPage: Bool = true
    ) async throws -> RecordIdentity.Relation? {
        guard let page = try await page(at: address) else { return nil }
        let found = list.records(in: page.body)
        let relation = identity.relation(of: found, to: records)
        guard isSecondPage else { return relation }
        switch relation {
        case .different, .overlapping:
            second = page
            isSecondApart = relation == .different
            others.insert(found, at: 0)
        case .empty: second = page
        case .same, .part: break
        }
        return relation
    }
}

extension String {
    /// The text with its first letter in upper case, for the beginning of a sentence.
    var capitalizedFirst: String {
        prefix(1).uppercased() + dropFirst()
    }
}
