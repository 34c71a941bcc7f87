import Foundation
import Testing

/// The sanitizer that the tests and the program were built for, as `.ci/sanitize` says.
package enum Sanitizer {
    private static let name = ProcessInfo.processInfo.environment["CRAWL_SANITIZER"]

    /// Whether there is one: everything takes several times as long, and the memory of a process is not the program's
    /// alone.
    package static let isWatching = name != nil
    /// Whether it is the one for threads, which writes a file of its own as the program starts, so that no limit for
    /// files can be set before.
    package static let isWatchingThreads = name == "thread"

    /// The seconds after which a program, or what a test waits for, counts as hung: a machine that has much else to do
    /// needs many, and who does not hang never waits so long.
    package static let patience: Double = isWatching ? 900 : 240

    /// The limit of time after which a test counts as hung.
    package static func limit(minutes: Int) -> TimeLimitTrait.Duration {
        .minutes(isWatching ? 4 * minutes : minutes)
    }

    /// What a program that was built for it needs in its environment, so that no report is lost.
    ///
    /// The program looks for leaks, the tests do not: they use parts of Foundation that have some.
    static let options: [String: String] = {
        let environment = ProcessInfo.processInfo.environment
        var options: [String: String] = [:]
        for name in ["TSAN_OPTIONS", "ASAN_OPTIONS", "LSAN_OPTIONS"] {
            options[name] = environment["CRAWL_" + name] ?? environment[name]
        }
        return options
    }()
}
