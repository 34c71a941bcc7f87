import CrawlCore
import CrawlStore

/// Why a run is over.
enum Ending: Sendable {
    /// The chain came to its end.
    case chain(Chain.Ending)
    /// The source leads in a circle, or to a page that cannot be asked for.
    case misled(PaginationFault)
    /// Everything arrived but what some of the values of a placeholder stand for.
    case unanswered([String], placeholder: String)
    /// A page could not be fetched.
    case fetchFailed(Fetcher.Failure)
    /// The database or something else on this side failed.
    case failed(CrawlError)
    /// The task was cancelled.
    case interrupted

    /// Whether every page that the source has arrived.
    var isWhole: Bool {
        switch self {
        case .chain(.complete), .unanswered: true
        default: false
        }
    }

    /// Whether something on this side failed, which is to be told in any case.
    var isOurFailure: Bool {
        if case .failed = self { true } else { false }
    }

    /// What is entered in the ledger and told to the user.
    struct Conclusion: Sendable {
        var outcome: CrawlEvent.Summary.Outcome
        var state: RunState
        var reason: String?
        var error: CrawlError?
    }

    /// Puts the ending into words.
    ///
    /// - Parameter figures: The records that are stored now, and what became of those received.
    func conclusion(source: String, target: Int?, figures: Tally.Figures, maxWait: Duration) -> Conclusion {
        let stored = figures.stored
        switch self {
        case .chain(.complete) where target == nil && figures.isMostlyRejected,
            .chain(.exhausted) where figures.isMostlyRejected:
            return Self.fewer(
                """
                \(figures.counts.rejected) of \(figures.counts.received) records of \(source) were rejected, \
                \(stored) are stored; the first: \(figures.firstRejection ?? "unknown")
                """,
                remedy: """
                    Compare the columns of the source file with what was sent: SELECT reason, payload FROM crawl_rejects.
                    """)
        case .chain(.complete):
            return Conclusion(outcome: .complete, state: .complete)
        case .interrupted:
            return Conclusion(outcome: .interrupted, state: .interrupted, reason: StopReason.text)
        case .chain(.exhausted):
            return Self.fewer(
                "The source has ended: \(stored) \(source) of \(target.map(String.init) ?? "all") are stored",
                remedy: stored == 0
                    ? "Check the address; the source answers, but holds nothing."
                    : "Ask for fewer with --count \(stored), or again once the source holds more.")
        case .chain(.stalled(let pages, let records, let rejected)):
            if rejected * 2 >= records, rejected > 0 {
                return Self.fewer(
                    """
                    \(stored) of \(target.map(String.init) ?? "all") \(source) are stored, but the last \(pages) \
                    pages brought only records that the source file does not allow (\(rejected) of \(records) rejected)
                    """,
                    remedy: "See why in the table crawl_rejects: SELECT reason, payload FROM crawl_rejects.")
            }
            return Self.fewer(
                """
                The source seems to hold no more than \(stored) distinct \(source), \
                \(target.map(String.init) ?? "all") were asked for: the last \(pages) pages (\(records) records) \
                brought nothing new
                """,
                remedy: stored == 0
                    ? "Check the address; the source answers, but sends no records."
                    : "Ask for fewer with --count \(stored), or again later: the crawl goes on.")
        case .misled(let fault):
            return Self.failed(fault.crawlError(source: source))
        case .unanswered(let values, let placeholder):
            let names = values.prefix(20).joined(separator: ", ")
            let rest = values.count > 20 ? " and \(values.count - 20) more" : ""
            return Self.fewer(
                "\(source): \(names)\(rest) \(values.count == 1 ? "was" : "were") asked for and not answered",
                remedy: "What was answered is stored. Check these names; --set \(placeholder)=… chooses others.")
        case .fetchFailed(let failure):
            let error = failure.reason.crawlError(source: source, maxWait: maxWait)
            var conclusion: Conclusion = Self.failed(error)
            if failure.reason.purpose == nil, let url = failure.reason.url {
                let place = "It was page \(failure.request.sequence): \(url)"
                conclusion.error = CrawlError(
                    error.exitCode, error.message,
                    remedy: [place, error.remedy].compactMap(\.self).joined(separator: "\n"))
            }
            return conclusion
        case .failed(let error):
            return Self.failed(error)
        }
    }

    private static func fewer(_ message: String, remedy: String) -> Conclusion {
        failed(CrawlError(.fewer, message, remedy: remedy))
    }

    private static func failed(_ error: CrawlError) -> Conclusion {
        Conclusion(outcome: .failed, state: .failed, reason: error.message, error: error)
    }
}

extension PaginationFault {
    /// The error that a person sees.
    fileprivate func crawlError(source: String) -> CrawlError {
        switch kind {
        case .circle:
            CrawlError(
                .paginationLoop, "The pages of \(source) run in a circle: on page \(sequence) \(evidence)",
                remedy: "What came before is stored. Check \"pagination\" in the source file.")
        case .deadEnd:
            CrawlError(
                .unreadable, "The pages of \(source) cannot be followed: on page \(sequence) \(evidence)",
                remedy: "What came up to there is stored. Check \"pagination\" in the source file.")
        }
    }
}

extension Requester.Failure {
    /// The error that a person sees.
    func crawlError(source: String, maxWait: Duration) -> CrawlError {
        let place = FetchFailure.Place(source: source, host: host, attempts: attempts, purpose: purpose)
        if let postponedUntil {
            return cause.stoppedForNow(at: place, until: postponedUntil, maxWait: maxWait)
        }
        return cause.crawlError(at: place)
    }
}

extension Tally.Figures {
    /// Whether more records were rejected than taken: the source file and the source do not fit each other.
    fileprivate var isMostlyRejected: Bool {
        counts.rejected * 2 > counts.received
    }
}
