import CrawlCore

extension ChainRunner {
    /// Lets the source's fallback serve, where there is one and the failure is of the kind that it is for.
    ///
    /// - Returns: Whether it does.
    mutating func askFallback(after failure: Fetcher.Failure) -> Bool {
        guard fallback == nil, failure.reason.isForFallback, let plan = beginning.access.fallback else { return false }
        fallback = FallbackChain(
            values: plan.values, sequence: failure.request.sequence, target: crawler.options.count,
            stored: chain.stored, lanes: governor.lanes)
        let count = plan.values.count == 1 ? "one request" : "one request for each of \(plan.values.count) values"
        crawler.report(
            .notice(
                CrawlEvent.Notice(
                    source: crawler.source.name,
                    message: """
                        \(failure.reason.sentence(about: crawler.source.name)); the fallback of the source file serves \
                        instead, with \(count).
                        """)))
        return true
    }

    /// What the end of the chain means once it is known which values were answered and which pages are missing.
    func ending(_ ending: Chain.Ending) -> Ending {
        let isWholeSource = crawler.options.count == nil || ending == .exhausted
        if isWholeSource, chain.pager.misses, let missingPage { return .fetchFailed(missingPage) }
        if isWholeSource { noteGap() }
        let missing = expected.missing
        guard isWholeSource, !missing.isEmpty, let expectation = crawler.source.expectation else {
            return .chain(ending)
        }
        return .unanswered(missing, placeholder: expectation.placeholder)
    }

    /// Says so where the source has ended before it has sent what it says it holds.
    private func noteGap() {
        guard fallback == nil, let total = chain.pager.announcedTotal, chain.stored < total else { return }
        crawler.report(
            .notice(
                CrawlEvent.Notice(
                    source: crawler.source.name,
                    message: """
                        The answers say that there are \(total) records, and \(chain.stored) distinct ones are stored. A page \
                        that held fewer records than asked for may have left a gap: --fresh with a smaller --page-size \
                        asks for all of them anew.
                        """)))
    }
}

extension Requester.Failure {
    /// Whether a fallback may serve after this failure.
    ///
    /// After a refusal, and after a handshake that came to nothing in any other way; but not where the server asked to
    /// wait, nor where not even names resolve.
    fileprivate var isForFallback: Bool {
        guard postponedUntil == nil else { return false }
        switch cause {
        case .network(.cancelled, _), .network(.nameNotResolved, _), .network(.proxy, _): return false
        default: return purpose != nil || cause.isRefusal
        }
    }

    /// What happened, for a notice.
    fileprivate func sentence(about source: String) -> String {
        (purpose.map { "\(source): asked for \($0), " } ?? "\(source): ") + cause.reason(host: host)
    }
}
