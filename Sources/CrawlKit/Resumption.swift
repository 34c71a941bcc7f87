import CrawlCore

/// Decides how a crawl begins: what an unfinished run of the same source means for it.
///
/// A count is a wanted state, not an amount of work: whatever stopped an earlier run, the same command goes on.
package enum Resumption {
    /// What the store knows of a source before the crawl.
    package struct Situation: Sendable {
        /// Records of the source that are stored.
        package var stored: Int
        /// The latest run of the source that did not complete.
        package var unfinished: UnfinishedRun?

        package init(stored: Int, unfinished: UnfinishedRun? = nil) {
            self.stored = stored
            self.unfinished = unfinished
        }
    }

    /// A run that did not complete.
    package struct UnfinishedRun: Sendable {
        /// The ledger's number.
        package var id: Int64
        /// The address it asked, without secrets, or `stand-in`.
        package var endpoint: String
        /// The records that it was to reach, nil for the whole source.
        package var target: Int?
        /// Whether it replaces the records of the source.
        package var isFresh: Bool
        /// Its pages in the ledger.
        package var pages: Int
        /// Records that it left out beyond its target; behind them its cursor must not go on.
        package var surplus: Int
        /// Where its pager stands.
        package var state: PagerState?

        package init(
            id: Int64, endpoint: String, target: Int? = nil, isFresh: Bool = false, pages: Int = 0, surplus: Int = 0,
            state: PagerState? = nil
        ) {
            self.id = id
            self.endpoint = endpoint
            self.target = target
            self.isFresh = isFresh
            self.pages = pages
            self.surplus = surplus
            self.state = state
        }
    }

    /// How the crawl begins.
    package enum Decision: Sendable, Equatable {
        /// The target stands; an unfinished run that it belongs to is complete.
        case nothingToDo(completing: Int64?)
        /// The unfinished run goes on behind `state`, or from the first page where nil.
        ///
        /// `replacing`: its first page has still to replace the stored records.
        case goOn(run: Int64, state: PagerState?, replacing: Bool)
        /// A new run begins; `superseding` is an unfinished one that nobody will go on with.
        case begin(replacing: Bool, superseding: Int64?)
    }

    /// Decides.
    ///
    /// A higher or lower count moves the target of the unfinished run. Another address begins a run of its own where
    /// the unfinished one has pages: the ledger keeps where they came from.
    ///
    /// - Parameters:
    ///   - target: The number of records wanted, nil for the whole source.
    ///   - startsFresh: Whether the stored records are to be replaced.
    ///   - endpoint: The address to be asked, without secrets, or `stand-in`.
    package static func decide(
        _ situation: Situation, target: Int?, startsFresh: Bool, endpoint: String, pagination: Pagination
    ) -> Decision {
        let isReached = target.map { situation.stored >= $0 } ?? false
        guard let run = situation.unfinished else {
            return isReached && !startsFresh
                ? .nothingToDo(completing: nil) : .begin(replacing: startsFresh, superseding: nil)
        }
        if startsFresh, !run.isFresh {
            return .begin(replacing: true, superseding: run.id)
        }
        // A fresh run without a page has replaced nothing yet, so that what is stored does not count for it.
        let hasToReplace = run.isFresh && run.pages == 0
        if isReached, !hasToReplace {
            // Whoever asks for less than the run was to reach takes nothing away from it.
            let isRunReached = run.target.map { situation.stored >= $0 } ?? false
            return .nothingToDo(completing: isRunReached ? run.id : nil)
        }
        if run.pages > 0, run.endpoint != endpoint {
            return .begin(replacing: startsFresh, superseding: run.id)
        }
        return .goOn(run: run.id, state: place(of: run, pagination), replacing: hasToReplace)
    }

    /// Where a run goes on: its pager's state, unless that means nothing any more.
    private static func place(of run: UnfinishedRun, _ pagination: Pagination) -> PagerState? {
        if case .repeat = pagination { return nil }
        guard run.surplus == 0, run.state?.ended != true else { return nil }
        return run.state
    }
}
