import StandInAPI
import Testing

@testable import CrawlStore

/// A command that is killed at each step that it takes, and what it begins with.
struct KillScenario: Sendable, CustomTestStringConvertible {
    /// What stands in the folder before the command.
    enum Preparation: Sendable {
        case nothing
        /// A database filled by these commands, from a server that is set up so.
        case filled([[String]], @Sendable (inout StandInConfiguration) -> Void = { _ in })
        /// The same, then brought back to the form that it had after so many migrations.
        case older(version: Int, [[String]])
    }

    /// What must be true of the records after a kill, besides that each is an old one or a new one.
    enum Promise: Sendable {
        /// Nothing but that.
        case pages
        /// All records are the old ones, or all tables have the new ones.
        case together
        /// None of the old records stands beside a new one.
        case replaced
    }

    var name: String
    /// The command that is killed, and repeated after it.
    var command: [String]
    /// The tables that it fills.
    var tables = ["users"]
    /// The server that it asks.
    var server: @Sendable (inout StandInConfiguration) -> Void = { _ in }
    var preparation = Preparation.nothing
    var promise = Promise.pages
    /// The exit code of the command while its server has faults.
    var exitCode: Int32 = 0
    /// The file that it exports.
    var output: String?
    /// Whether a file stands there before.
    var hasOutput = false
    /// The steps at which it is killed; each is taken, or the test fails.
    var points: [KillPoint]
    /// At how many passages of each step, at most.
    var passages = 4
    /// How many kills there are at least, so that `Kills.total` can be counted.
    var kills: Int

    var testDescription: String { name }

    private static let everyTransaction: [KillPoint] = [.transactionBegun, .beforeCommit, .afterCommit]
    private static let opening: [KillPoint] = [.fileOpened, .lockTaken, .markSet, .logTurnedOn]
    private static let page: [KillPoint] = [
        .pagesBegun, .recordsStored, .ledgerRowStored, .cacheStored,
    ]
    private static let ending: [KillPoint] = [.runEnded, .closing, .closed]
    private static let output: [KillPoint] = [.outputOpened, .outputPartWritten, .outputWritten, .outputSynced]

    /// Twenty-four people, all of whom are wanted.
    private static let people: @Sendable (inout StandInConfiguration) -> Void = { $0.people = 24 }
    private static let users = ["--count", "24", "--page-size", "2", "--concurrency", "1"]

    static let all: [KillScenario] = [
        KillScenario(
            name: "the first crawl, which makes the database", command: users + ["--json"], server: people,
            points: [.folderMade] + opening + [
                .migrationApplied, .migrationNumbered, .abandonedRunsMarked, .tableMade, .runBegun,
            ] + everyTransaction, passages: 8, kills: 26),
        KillScenario(
            name: "users through four lanes, with records that are rejected",
            command: ["--count", "24", "--page-size", "1", "--concurrency", "4", "--json"],
            server: { configuration in
                configuration.people = 24
                configuration.latency = .milliseconds(2)
                configuration.faults = [Fault(.wrongColumn, every: 5)]
            },
            preparation: .filled([["--count", "4", "--page-size", "2"]], people),
            points: [.tableMade, .runBegun, .rejectStored] + page + ending + everyTransaction, kills: 24),
        KillScenario(
            name: "a fresh crawl over old records", command: ["--fresh"] + users + ["--json"],
            server: people,
            preparation: .filled([users]) { configuration in
                configuration.people = 24
                configuration.seed = 5
            }, promise: .replaced, points: [.recordsReplaced, .runBegun] + page + ending + everyTransaction, kills: 26),
        KillScenario(
            name: "a source that follows a cursor", command: ["load", "./things.json", "--json"], tables: ["things"],
            server: { configuration in
                configuration.collection.size = 60
                configuration.collection.pageSize = 10
            }, points: [.runBegun, .oldPagesForgotten] + page + ending + everyTransaction, kills: 26),
        KillScenario(
            name: "load posts, page by page over older ones",
            command: ["load", "posts", "--page-size", "20", "--concurrency", "1", "--json"], tables: ["posts"],
            preparation: .filled([["load", "posts", "--page-size", "20"]]) { $0.seed = 5 },
            points: [.runBegun, .oldPagesForgotten] + page + ending + everyTransaction, kills: 26),
        KillScenario(
            name: "load markets, in one transaction", command: ["load", "markets", "--json"],
            tables: ["tickers", "quotes"], server: { $0.coins = 40 },
            preparation: .filled([["load", "markets"], ["load", "markets"]]) { configuration in
                configuration.coins = 40
                configuration.pricesMove = true
            }, promise: .together, points: [.runBegun] + page + ending + everyTransaction, passages: 8, kills: 34),
        KillScenario(
            name: "load posts and markets side by side", command: ["load", "posts", "markets", "--json"],
            tables: ["posts", "tickers", "quotes"], server: { $0.coins = 20 }, promise: .together,
            points: page + [.beforeCommit, .afterCommit], kills: 9),
        KillScenario(
            name: "watch", command: ["watch", "tickers", "--every", "1s", "--rounds", "2", "--json"],
            tables: ["tickers"], server: { $0.coins = 20 },
            preparation: .filled([["load", "tickers"], ["load", "tickers"]]) { configuration in
                configuration.coins = 20
                configuration.pricesMove = true
            }, points: [.recordsStored, .ledgerRowStored, .runEnded], passages: 2, kills: 5),
        KillScenario(
            name: "a crawl that fails", command: users + ["--json"],
            server: { configuration in
                configuration.people = 24
                configuration.faults = [Fault(.notFound, in: 4...Int.max)]
            }, exitCode: 69, points: [.recordsStored, .runEnded, .closing, .closed, .afterCommit], kills: 9),
        KillScenario(
            name: "a crawl that goes on with a failed one", command: users + ["--json"], server: people,
            preparation: .filled([users + ["--retries", "0"]]) { configuration in
                configuration.people = 24
                // A run with pages would not go on at the address of another server.
                configuration.faults = [Fault(.notFound)]
            }, points: [.runReopened, .recordsStored, .runEnded], kills: 5),
        KillScenario(
            name: "a server that asks to wait", command: ["load", "tickers", "--json"], tables: ["tickers"],
            server: { configuration in
                configuration.coins = 20
                configuration.faults = [Fault(.tooManySeconds, in: 1...1)]
            }, points: [.hostClockStored], kills: 1),
        KillScenario(
            name: "an export over an earlier file", command: export,
            server: { $0.people = 700 }, preparation: .filled([many]) { $0.people = 700 },
            output: "users.ndjson", hasOutput: true, points: output + [.outputNamed, .outputRenamed], kills: 8),
        KillScenario(
            name: "an export to a new file", command: export, server: { $0.people = 700 },
            preparation: .filled([many]) { $0.people = 700 },
            output: "users.ndjson", points: output + [.outputRenamed], kills: 7),
        KillScenario(
            name: "a crawl that exports when done", command: users + ["--csv", "users.csv", "--json"], server: people,
            output: "users.csv", hasOutput: true,
            points: [.recordsStored, .afterCommit, .closed] + output + [.outputNamed, .outputRenamed], kills: 9),
        KillScenario(
            name: "a crawl that migrates a database of format 1", command: users + ["--json"], server: people,
            preparation: .older(version: 1, [["--count", "6", "--page-size", "2"]]),
            points: opening + [.migrationApplied, .migrationNumbered, .abandonedRunsMarked] + everyTransaction,
            kills: 14),
        KillScenario(
            name: "a crawl that migrates a database of format 0", command: users + ["--json"], server: people,
            preparation: .older(version: 0, []), points: opening + [.migrationApplied, .migrationNumbered], kills: 8),
        KillScenario(
            name: "a look that migrates a database of format 1", command: ["status"], server: people,
            preparation: .older(version: 1, [["--count", "6", "--page-size", "2"]]),
            points: opening + [.migrationApplied, .migrationNumbered] + everyTransaction, kills: 9),
    ]

    private static let export = ["export", "users", "--format", "ndjson", "-o", "users.ndjson"]
    private static let many = ["--count", "600", "--page-size", "100"]

    /// Those that are killed at random instants as well, for what happens within a step.
    static let atInstants = all.filter {
        [
            "a fresh crawl over old records", "load markets, in one transaction", "an export over an earlier file",
            "a crawl that migrates a database of format 1",
        ].contains($0.name)
    }
}
