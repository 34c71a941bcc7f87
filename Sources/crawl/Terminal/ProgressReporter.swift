import CrawlCore

/// Tells people, or programs, how a crawl goes.
///
/// Standard output gets the results: the summary line, or with `--json` every event. Standard error gets progress and
/// notices: on a terminal a live line a source, drawn at most ten times a second; elsewhere a line at the start and
/// every ten seconds. It has a thread of its own, so that a slow terminal holds up nobody.
actor ProgressReporter {
    /// How to report.
    struct Configuration: Sendable {
        /// Events as JSON instead of text.
        var isJSON = false
        /// Nothing but errors.
        var isQuiet = false
        /// A line for each request and retry as well.
        var isVerbose = false
        /// Whether loads come again and again, so that the summary of each is no news.
        var isWatching = false
        /// When to use colour.
        var color = ColorChoice.auto
        /// The command that goes on after a stop.
        var continueCommand = "crawl resume"
        /// The environment.
        var environment: [String: String] = [:]
        /// The descriptor for results.
        var output: Int32 = 1
        /// The descriptor for progress and notices.
        var errors: Int32 = 2
        /// Seconds of a clock that never goes back.
        var clock: @Sendable () -> Double = Platform.monotonicSeconds
    }

    private static let shortestFrame = 0.1
    private static let plainInterval = 10.0
    private static let longWait = 10.0

    private nonisolated let configuration: Configuration
    private nonisolated let inbox = EventInbox()
    private let executor = ThreadExecutor(label: "crawl.progress")
    private let isLive: Bool
    private let style: Style
    private let outputStyle: Style
    private let line: ProgressLine
    private var output: TextOutput
    private var errors: TextOutput
    private var live = LiveArea()
    private var trackers: [(source: String, tracker: ProgressTracker)] = []
    /// The sources whose start was told, when loads come again and again.
    private var watched: Set<String> = []
    private var lastFrame = -Double.infinity
    private var lastPlainLine: Double

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(_ configuration: Configuration) {
        self.configuration = configuration
        output = TextOutput(configuration.output)
        errors = TextOutput(configuration.errors)
        let isTerminal = Platform.isTerminal(configuration.errors)
        let isText = !configuration.isJSON && !configuration.isQuiet
        isLive = isText && isTerminal && configuration.environment["TERM"] != "dumb"
        style = Style(configuration.color, isTerminal: isTerminal, environment: configuration.environment)
        outputStyle = Style(
            configuration.color, isTerminal: Platform.isTerminal(configuration.output),
            environment: configuration.environment)
        line = ProgressLine(isUnicode: Platform.isUTF8(configuration.environment), style: style)
        lastPlainLine = configuration.clock()
    }

    /// Whether the reader of standard output has gone.
    var isOutputClosed: Bool {
        output.isClosed
    }

    /// Gives the first sign of life, before anything is opened or asked.
    func announce(_ source: String) {
        let now = configuration.clock()
        track(source, at: now)
        if isLive {
            drawLive(at: now)
        } else if isText {
            errors.writeLine("Starting with \(SafeText.visible(source))")
        }
    }

    /// Takes an event; callable from every thread.
    ///
    /// - Returns: Whether `handlePosted()` is to be called now; else the next `tick()` is soon enough.
    nonisolated func post(_ event: CrawlEvent) -> Bool {
        let tellsRequests = configuration.isJSON || configuration.isVerbose
        if case .request = event, !tellsRequests { return false }
        let isFull = inbox.add(event, at: configuration.clock())
        if case .page = event { return isFull || configuration.isJSON }
        return true
    }

    /// Takes in what was posted and tells what is to be told; true where the reader of standard output has gone.
    func handlePosted() -> Bool {
        for (event, time) in inbox.takeAll() { handle(event, at: time) }
        return isOutputClosed
    }

    /// Takes an event in and tells what is to be told at once.
    func handle(_ event: CrawlEvent) {
        handle(event, at: configuration.clock())
    }

    private func handle(_ event: CrawlEvent, at now: Double) {
        if configuration.isJSON {
            output.writeLine(EventJSON.object(event).text)
            tellNextStep(event)
        }
        let source = event.source
        let index = track(source, at: now)
        trackers[index].tracker.note(event, at: now)
        let (lines, result) = texts(for: event)
        if case .finished = event {
            trackers.remove(at: index)
        }
        print(lines, result: result)
        if isLive, !trackers.isEmpty {
            drawLive(at: now)
        }
    }

    /// Moves the live line on, or prints a plain one when it is time; to be called about ten times a second.
    func tick() {
        _ = handlePosted()
        let now = configuration.clock()
        guard !trackers.isEmpty else { return }
        if isLive {
            return drawLive(at: now)
        }
        guard isText, now - lastPlainLine >= Self.plainInterval else { return }
        lastPlainLine = now
        for (source, tracker) in trackers {
            let parts = ProgressLine.logParts(of: tracker.state(at: now))
            errors.writeLine("\(SafeText.visible(source)): \(parts.joined(separator: ", "))")
        }
    }

    /// Prints a notice, above the live line where there is one; not with `--quiet` or `--json`.
    func notice(_ message: String) {
        print([noticeLine(message)], result: nil)
    }

    /// Removes the live line and shows the cursor.
    ///
    /// To be called on every way out, before an error is printed; further events begin anew.
    func finish() {
        trackers = []
        errors.write(live.clear() + CursorGuard.show())
    }

    /// Shows the cursor at once; callable from every thread, the one that takes signals included.
    nonisolated func restore() {
        CursorGuard.restore()
    }

    private var isText: Bool {
        !configuration.isJSON && !configuration.isQuiet
    }

    @discardableResult
    private func track(_ source: String, at time: Double) -> Int {
        if let index = trackers.firstIndex(where: { $0.source == source }) { return index }
        trackers.append((source, ProgressTracker(source: source, at: time)))
        return trackers.count - 1
    }
}

// MARK: Text
extension ProgressReporter {
    /// The lines for standard error and the one for standard output.
    private func texts(for event: CrawlEvent) -> (lines: [String], result: String?) {
        switch event {
        case .started(let started):
            guard !configuration.isWatching || watched.insert(started.source).inserted else { return ([], nil) }
            return (isLive && !configuration.isVerbose ? [] : [Self.startLine(started)], nil)
        case .notice(let notice):
            return ([noticeLine(notice.message)], nil)
        case .request(let request):
            return (configuration.isVerbose ? [Self.requestLine(request)] : [], nil)
        case .retry(let retry):
            let isWorthTelling = configuration.isVerbose || (!isLive && retry.wait >= Self.longWait)
            return (isWorthTelling ? [Self.retryLine(retry)] : [], nil)
        case .page:
            return ([], nil)
        case .change(let change):
            return ([], ChangeText.line(change, style: outputStyle))
        case .finished where configuration.isWatching:
            return ([], nil)
        case .finished(let summary):
            return ([nextStep(after: summary)].compactMap(\.self), SummaryText.result(summary))
        }
    }

    /// What a stopped crawl tells, nil for every other end, and where the reader going away was what stopped it.
    private func nextStep(after summary: CrawlEvent.Summary) -> String? {
        guard summary.outcome == .interrupted, !output.isClosed else { return nil }
        return SummaryText.stopped(summary, continueWith: configuration.continueCommand)
    }

    /// Prints the next step where standard output is for programs.
    private func tellNextStep(_ event: CrawlEvent) {
        guard !configuration.isQuiet, case .finished(let summary) = event, let step = nextStep(after: summary) else {
            return
        }
        errors.writeLine(step)
    }

    private static func startLine(_ started: CrawlEvent.Started) -> String {
        let stored = started.target.map { "\(started.stored) of \($0) stored" } ?? "\(started.stored) stored"
        let verb = started.resumed ? "Going on with" : "Crawling"
        return SafeText.visible(
            "\(verb) \(started.source) from \(started.endpoint): \(stored) (\(started.database))")
    }

    private static func requestLine(_ request: CrawlEvent.Request) -> String {
        let status = request.status.map(String.init) ?? "no answer"
        return SafeText.visible("GET \(request.url): \(status), ")
            + "\(Quantity.bytes(request.bytes)), \(Quantity.decimals(request.seconds, 3)) s"
    }

    private static func retryLine(_ retry: CrawlEvent.Retry) -> String {
        SafeText.visible("Attempt \(retry.attempt) for \(retry.url) failed: \(retry.reason); ")
            + "trying again in \(Quantity.duration(retry.wait))"
    }

    private func noticeLine(_ message: String) -> String {
        style(.yellow, "Note:") + " " + SafeText.visible(message, keepsLineBreaks: true)
    }

    /// Prints lines above the live ones and the result on standard output.
    private func print(_ lines: [String], result: String?) {
        guard isText, !lines.isEmpty || result != nil else { return }
        errors.write(live.clear())
        if trackers.isEmpty {
            errors.write(CursorGuard.show())
        }
        if let result {
            output.writeLine(result)
        }
        for line in lines {
            errors.writeLine(line)
        }
        lastFrame = -Double.infinity
    }

    private func drawLive(at now: Double) {
        guard now - lastFrame >= Self.shortestFrame else { return }
        lastFrame = now
        let size = Platform.size(of: configuration.errors, environment: configuration.environment)
        let lines = trackers.prefix(max(1, size.rows - 1)).map { source, tracker in
            line.text(tracker.state(at: now), columns: size.columns)
        }
        errors.write(live.draw(lines, on: configuration.errors))
    }
}

extension CrawlEvent {
    /// The source that the event is about.
    var source: String {
        switch self {
        case .started(let started): started.source
        case .notice(let notice): notice.source
        case .request(let request): request.source
        case .retry(let retry): retry.source
        case .page(let page): page.source
        case .change(let change): change.source
        case .finished(let summary): summary.source
        }
    }
}
