import CrawlCore

/// A fault with the requests that it falls on.
package struct Fault: Sendable, Equatable {
    /// What goes wrong.
    package let kind: FaultKind
    /// The text after `=`, or nil for the kind's default.
    package let parameter: String?
    /// Falls on each request whose number is divisible by this.
    package let every: Int
    /// The numbers of the first and the last request that it may fall on.
    package let range: ClosedRange<Int>
    /// The source whose requests alone are counted and spoilt, or nil for all requests to the server.
    package let source: String?

    package init(
        _ kind: FaultKind, parameter: String? = nil, every: Int = 1, in range: ClosedRange<Int> = 1...Int.max,
        source: String? = nil
    ) {
        self.kind = kind
        self.parameter = parameter
        self.every = max(1, every)
        self.range = range
        self.source = source
    }

    /// Reads `[SOURCE/]KIND[=PARAMETER]:EVERY[@FIRST[-LAST]]`.
    ///
    /// `500:5` spoils each 5th request, `reset:1@10` every one from the 10th on, `tickers/503:1@1-3` the first three
    /// for tickers. `EVERY` stands after the last colon and may be left out, which means every request.
    ///
    /// - Throws: exit code 64 with a suggestion for a misspelt kind.
    package init(parsing text: String) throws(CrawlError) {
        var rest = Substring(text)
        var source: String?
        // A slash after the equals sign belongs to the parameter.
        if let slash = rest.firstIndex(of: "/"), !rest[..<slash].contains("=") {
            let name = String(rest[..<slash])
            guard Self.sources.contains(name) else {
                throw Self.unknown("source", name, among: Self.sources)
            }
            source = name
            rest = rest[rest.index(after: slash)...]
        }
        var schedule = Substring("1")
        if let colon = rest.lastIndex(of: ":") {
            schedule = rest[rest.index(after: colon)...]
            rest = rest[..<colon]
        }
        var parameter: String?
        if let equals = rest.firstIndex(of: "=") {
            parameter = String(rest[rest.index(after: equals)...])
            rest = rest[..<equals]
        }
        guard let kind = FaultKind(rawValue: String(rest)) else {
            throw Self.unknown("fault", String(rest), among: FaultKind.allCases.map(\.rawValue))
        }
        guard kind.parameter != nil || parameter == nil else {
            throw CrawlError(.usage, "The fault '\(kind.rawValue)' takes no '=\(parameter ?? "")'")
        }
        if let parameter, kind != .retryAfter, Int(parameter) == nil {
            throw CrawlError(
                .usage, "The fault '\(kind.rawValue)' cannot take '\(parameter)'",
                remedy: "Give \(kind.parameter?.meaning ?? "a value") as a whole number.")
        }
        guard let (every, range) = Self.schedule(schedule) else {
            throw CrawlError(
                .usage, "The fault '\(text)' does not say which requests it falls on",
                remedy: "Write it as KIND:EVERY, for example '\(kind.rawValue):5' for each 5th request.")
        }
        self.init(kind, parameter: parameter, every: every, in: range, source: source)
    }

    private static let sources = StandInAPI.paths.map(\.name) + ["pages"]

    private static func unknown(_ what: String, _ word: String, among names: [String]) -> CrawlError {
        let remedy =
            NearMiss.suggestion(for: word, among: names).map { "Did you mean '\($0)'?" }
            ?? "The \(what)s are \(names.joined(separator: ", "))."
        return CrawlError(.usage, "There is no \(what) '\(word)'", remedy: remedy)
    }

    private static func schedule(_ text: Substring) -> (every: Int, range: ClosedRange<Int>)? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count <= 2, let every = Int(parts[0]), every >= 1 else { return nil }
        guard parts.count == 2 else { return (every, 1...Int.max) }
        let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count <= 2, let first = Int(ends[0]), first >= 1 else { return nil }
        guard ends.count == 2 else { return (every, first...Int.max) }
        guard let last = Int(ends[1]), last >= first else { return nil }
        return (every, first...last)
    }

    /// Whether the fault falls on a request with these numbers, counted over the server and over the request's source.
    func falls(on number: Int, ofSource sourceNumber: Int, source requested: String) -> Bool {
        if let source, source != requested { return false }
        let number = source == nil ? number : sourceNumber
        return range.contains(number) && number.isMultiple(of: every)
    }

    /// The parameter as a whole number, or the kind's default.
    var amount: Int {
        parameter.flatMap { Int($0) } ?? kind.parameter.flatMap { Int($0.standard) } ?? 0
    }

    /// The fault as `init(parsing:)` reads it.
    package var text: String {
        var text = source.map { $0 + "/" } ?? ""
        text += kind.rawValue
        if let parameter { text += "=" + parameter }
        text += ":\(every)"
        if range.upperBound != Int.max {
            text += "@\(range.lowerBound)-\(range.upperBound)"
        } else if range.lowerBound != 1 {
            text += "@\(range.lowerBound)"
        }
        return text
    }
}
