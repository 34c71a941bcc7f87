import CrawlCore
import CrawlKit
import CrawlStore

extension ParsedCommand {
    /// Whether results and notices are unwanted.
    var isQuiet: Bool { flag("quiet") }

    /// The source that `--source` names, or whose file it names.
    ///
    /// - Throws: `UsageError` for an unknown name, `CrawlError` for a wrong source file.
    func source() throws -> Source {
        let name = text("source") ?? "users"
        if SourceFiles.isPath(name) { return try SourceFiles.source(at: name) }
        if let source = try BuiltInSources.source(named: name) { return source }
        throw unknownSource(name)
    }

    /// The error for a name that no source has.
    func unknownSource(_ name: String, among names: [String] = BuiltInSources.names) -> UsageError {
        let near = NearMiss.suggestion(for: name, among: names)
        return usageError(
            "There is no source '\(name)'." + (near.map { " Did you mean '\($0)'?" } ?? "")
                + " Built in: \(names.joined(separator: ", ")); a source file ends in .json.")
    }

    /// The options of a new crawl of a source.
    func crawlOptions(for source: Source) throws -> CrawlOptions {
        var options = CrawlOptions(count: wholeNumber("count"))
        if options.count == nil, BuiltInSources.isEndless(source) { options.count = 50 }
        options.startsFresh = flag("fresh")
        try apply(to: &options, source: source, onlyGiven: false)
        return options
    }

    /// Puts the options of the command line into a crawl's.
    ///
    /// - Parameters:
    ///   - others: Further sources of the same command, for which endpoints may be named.
    ///   - onlyGiven: Whether defaults of the command line leave the crawl's own options alone.
    func apply(
        to options: inout CrawlOptions, source: Source, among others: [Source] = [], onlyGiven: Bool
    ) throws {
        func isWanted(_ name: String) -> Bool { !onlyGiven || isGiven(name) }
        options.userAgent = Version.userAgent
        options.database = text("db") ?? options.database
        if isWanted("page-size") {
            options.pageSize = automaticNumber("page-size").map { .records($0) } ?? .automatic
        }
        if isWanted("concurrency") { options.lanes = automaticNumber("concurrency") }
        if isGiven("rate") { options.rate = text("rate") }
        if isWanted("retries"), let retries = wholeNumber("retries") { options.retries = retries }
        if isWanted("timeout"), let timeout = duration("timeout") { options.timeout = timeout }
        if isWanted("max-wait"), let wait = duration("max-wait") { options.maxWait = wait }
        if declares("refresh"), flag("refresh") { options.caching = .refresh }
        if flag("offline") { options.origin = .offline }
        if flag("live") { options.origin = .live }
        options.set.merge(assignments("set")) { $1 }
        try applyEndpoints(to: &options, of: source, among: others)
        do {
            try options.validate()
        } catch {
            throw usageError(error.message + "." + (error.remedy.map { " " + $0 } ?? ""))
        }
    }

    /// The reporter that the output options ask for.
    ///
    /// - Parameter isWatching: Whether the summaries of single loads are left out.
    func reporter(continueWith line: String, isWatching: Bool = false) -> ProgressReporter {
        var configuration = ProgressReporter.Configuration()
        configuration.isWatching = isWatching
        configuration.isJSON = flag("json")
        // Standard output is for the records then.
        if declares("csv"), text("csv") == "-" { configuration.output = 2 }
        configuration.isQuiet = flag("quiet")
        configuration.isVerbose = flag("verbose")
        configuration.color = choice("color") ?? .auto
        configuration.continueCommand = line
        configuration.environment = environment
        return ProgressReporter(configuration)
    }

    /// Where `--csv` wants the records, nil where it is not given.
    ///
    /// - Throws: `UsageError` where events and records would both go to standard output, `CrawlError` where the records
    ///   would take the place of the database or of the source's file.
    func csvDestination(of source: Source, in database: String) throws -> ExportDestination? {
        guard declares("csv"), let file = text("csv") else { return nil }
        guard file == "-" else {
            try FilesInUse(database: database, others: [source.file?.path].compactMap { $0 }).check(.file(file))
            return .file(file)
        }
        if flag("json") {
            throw usageError(
                "--csv - and --json both write to standard output; name a file for one of them.", about: "csv")
        }
        return .descriptor(1)
    }

    /// A notice for each address in the environment that `--offline` passes over.
    func unusedEndpoints(of sources: [Source]) -> [String] {
        guard declares("offline"), declares("endpoint"), flag("offline") else { return [] }
        return sources.flatMap(\.addressNames).filter { assignment("endpoint", for: $0) != nil }.map { name in
            "--offline asks the built-in stand-in; the address for \(name) in the environment (CRAWL_ENDPOINT_…) "
                + "is not used."
        }
    }

    /// Checks that every `--set` fills a placeholder of one of the sources.
    ///
    /// - Throws: `UsageError` for one that does not.
    func checkSet(for sources: [Source]) throws {
        var options = CrawlOptions()
        options.set = assignments("set")
        do {
            try options.validate(for: sources)
        } catch {
            throw usageError(error.message + "." + (error.remedy.map { " " + $0 } ?? ""), about: "set")
        }
    }

    /// Puts the addresses of a source and of its handshake and fallback into a crawl's options.
    private func applyEndpoints(to options: inout CrawlOptions, of source: Source, among others: [Source]) throws {
        let builtIn = try BuiltInSources.names.flatMap { try BuiltInSources.source(named: $0)?.addressNames ?? [] }
        let known = builtIn + (others + [source]).flatMap(\.addressNames)
        for name in assignments("endpoint").keys.sorted() where !known.contains(name) {
            let near = NearMiss.suggestion(for: name, among: known)
            throw usageError(
                "There is no source '\(name)' to name an endpoint for."
                    + (near.map { " Did you mean '\($0)'?" } ?? ""), about: "endpoint")
        }
        for name in source.addressNames {
            // A fragment is for whoever asks, and never sent.
            if let url = assignment("endpoint", for: name) {
                options.endpoints[name] = String(url.unicodeScalars.prefix { $0 != "#" })
            }
            if options.origin == .offline, assignments("endpoint")[name] != nil {
                throw usageError("--offline and --endpoint name different servers; give one of them.")
            }
        }
    }
}
