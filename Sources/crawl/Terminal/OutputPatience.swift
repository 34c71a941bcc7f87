import CrawlCore

/// Decides, time and again after a stop, whether the program is to end although its output is not written.
///
/// Counts the times that it is asked and not seconds, so that a program that is suspended, or gets no turn, loses none.
struct OutputPatience: Sendable {
    /// What the program was at when it was to stop.
    enum Work: Sendable {
        /// What is fetched is being stored, which nothing may cut short.
        case saving
        /// It only reads the database: there is nothing to lose.
        case reading
        /// It tells what it has done.
        case telling
    }

    /// The milliseconds from one question to the next.
    static let interval: Int32 = 50

    private var asked = 0
    private var sinceProgress = 0
    private var last: OutputCall.Progress?

    /// Whether it has waited long enough; to be asked every `interval`.
    ///
    /// Who reads slowly gets the last words of a crawl, as long as something is read every second.
    mutating func isOver(_ work: Work, _ progress: OutputCall.Progress) -> Bool {
        guard work != .saving else {
            self = OutputPatience()
            return false
        }
        asked += 1
        sinceProgress = progress == last ? sinceProgress + 1 : 0
        last = progress
        return switch work {
        case .saving: false
        case .reading: asked >= (progress.isWaiting ? 4 : 40)
        case .telling: sinceProgress >= (progress.isWaiting ? 20 : 100)
        }
    }
}
