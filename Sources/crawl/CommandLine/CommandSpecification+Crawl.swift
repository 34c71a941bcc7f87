extension CommandSpecification {
    /// The whole command line of the program; a further command is one more entry of `subcommands`.
    ///
    /// - Parameter faultKinds: The names of the faults that `mock-api` knows.
    static func crawl(version: String, faultKinds: [String] = []) -> CommandSpecification {
        CommandSpecification(
            name: "crawl",
            abstract: "Collect an exact number of records from a paginated JSON API into a SQLite database.",
            discussion: """
                crawl asks the source for one page after another until the database holds so many distinct records. \
                Each page is stored with its place in the source in one transaction, so that a crawl may be stopped \
                or killed at any moment: the same command goes on from there, and when the records are there it says \
                so at once.

                EXAMPLES:
                  crawl --count 50                50 distinct users in output/crawl.db
                  crawl --count 50 --csv u.csv    and then in a CSV file
                  crawl --count 50 --offline      from the built-in stand-in, without a network
                  crawl export users -o -         the stored users as CSV on standard output
                  crawl status                    what was crawled, and how to go on
                """,
            usage: "crawl [--count <count>] [--source <source>] [<options>]\ncrawl <subcommand>",
            version: version,
            arguments: [.source, .count] + ArgumentSpecification.crawling(canReplace: true),
            exclusiveFlags: [["offline", "live"], ["quiet", "verbose"]],
            subcommands: [
                .resume, .load, .watch, .list, .export, .status, .verify, .sources, .probe,
                .mockAPI(faultKinds: faultKinds),
            ])
    }

    static let resume = CommandSpecification(
        name: "resume",
        abstract: "Go on with every unfinished crawl.",
        discussion: """
            Each crawl of the database that was stopped, killed or given up goes on from its last stored page, with \
            the options that it was started with; options given here take their place. Nothing that is stored is \
            asked for again, nothing is stored twice.

            EXAMPLES:
              crawl resume
              crawl resume --db people.db --max-wait 10m
            """,
        usage: "crawl resume [<options>]",
        // Without a default of their own: what is not given stays as the crawl was started.
        arguments: ArgumentSpecification.crawling(canReplace: false).map { argument in
            var argument = argument
            if argument.section == "Request options" { argument.defaultValue = nil }
            return argument
        },
        exclusiveFlags: [["offline", "live"], ["quiet", "verbose"]])

    static let load = CommandSpecification(
        name: "load",
        abstract: "Load whole sources together.",
        discussion: """
            All named sources are loaded side by side. Repeating a load takes over what has changed: records are new, \
            updated or unchanged, never doubled. markets is the group of tickers and quotes, which appear together: \
            either both are stored or both stay as they were. Ends with 0 only when all are whole.

            EXAMPLES:
              crawl load posts markets
              crawl load posts --retries 5 --csv posts.csv
              crawl load markets --partial
            """,
        arguments: [
            .positional(
                "names", suggestions: ["posts", "tickers", "quotes", "markets", "randomuser"], isRepeating: true,
                help: "The sources and groups to load.")
        ] + ArgumentSpecification.crawling(canReplace: true) + [
            .flag(
                "partial", section: "Storage options",
                help: "Of a group, store what arrived although another of its sources failed.")
        ],
        exclusiveFlags: [["offline", "live"], ["quiet", "verbose"]])

    static let watch = CommandSpecification(
        name: "watch",
        abstract: "Keep whole sources fresh, and tell what has changed.",
        discussion: """
            Loads the named sources again and again at the given pace, asking the server only for what has changed, \
            and prints a line for each record that did. While a server fails, the next look comes later and later. \
            Other programs can read the database all the time. Ctrl-C ends it.

            EXAMPLES:
              crawl watch markets --every 60s
              crawl watch posts --every 10m --json
            """,
        arguments: [
            .positional(
                "names", suggestions: ["posts", "tickers", "quotes", "markets"], isRepeating: true,
                help: "The sources and groups to keep fresh."),
            .option(
                "every", value: "time", .duration(.seconds(1)...(.seconds(30 * 86_400))), default: "60s",
                help: "The time from one load to the next: 60s, 10m or 1h."),
            .option(
                "rounds", .wholeNumber(1...Int.max), describedAs: "no end", help: "Stop after so many loads."),
        ] + ArgumentSpecification.watching,
        exclusiveFlags: [["offline", "live"], ["quiet", "verbose"]])

    static let export = CommandSpecification(
        name: "export",
        abstract: "Write the stored records of a source to a file.",
        discussion: """
            Without -o the file is output/NAME.FORMAT. It appears whole or not at all: an earlier file stays as it \
            was until the new one is complete. An empty table still gives the header.

            EXAMPLES:
              crawl export users                          output/users.csv
              crawl export users --format ndjson -o -     one JSON object a line on standard output
              crawl export users --columns uid,email      two columns, in that order
              crawl export users --excel -o users.csv     for a spreadsheet
            """,
        arguments: [
            .positional("name", suggestions: ["users"], help: "The name of the source."),
            .option(
                "format", .choice(["csv", "tsv", "json", "ndjson"]), default: "csv", help: "The format of the file."),
            .option(
                "output", short: "o", value: "file", .file, describedAs: "output/NAME.FORMAT",
                help: "The file to write, - for standard output."),
            .option("columns", .list, describedAs: "all", help: "The columns to write, separated by commas."),
            .flag(
                "excel",
                help: "For spreadsheets: begin with a byte order mark, and keep text from being taken for a formula."),
            .database(),
        ])

    static let status = CommandSpecification(
        name: "status",
        abstract: "Show what was crawled, and how to go on.",
        discussion: """
            One line for each run: its source, state, records, pages, pace and times; for a run that did not \
            complete the reason and the command that goes on.

            EXAMPLES:
              crawl status
              crawl status --json | python3 -m json.tool
            """,
        arguments: [.flag("json", help: "Print one JSON object instead of a table."), .database()])

    static let verify = CommandSpecification(
        name: "verify",
        abstract: "Check the ledger and the database.",
        discussion: """
            For each page and each run the records received must be the new, duplicate, updated, rejected and \
            surplus ones together; the table must hold as many as the ledger says; SQLite must find its file whole. \
            Ends with exit code 0, or 74 and a list of what is wrong. Changes nothing.

            EXAMPLES:
              crawl verify
              crawl verify --db people.db --json
            """,
        arguments: [.flag("json", help: "Print one JSON object instead of text."), .database()])

    static func mockAPI(faultKinds: [String]) -> CommandSpecification {
        CommandSpecification(
            name: "mock-api",
            abstract: "Serve made-up data as the public APIs do, for tests and demonstrations.",
            discussion: """
                Speaks HTTP on 127.0.0.1 until it is stopped, and prints its address first. The same seed gives the same \
                people. A fault is a kind and how often it happens: 503:5 refuses every fifth request.

                EXAMPLES:
                  crawl mock-api --people 1000
                  crawl --count 500 --endpoint users=http://127.0.0.1:8090/api/v2/users
                  crawl mock-api --latency 50 --fault 503:5 --fault truncated:7
                """ + (faultKinds.isEmpty ? "" : "\n\nFAULTS:\n\(faultKinds.joined(separator: ", "))"),
            arguments: [
                .option("port", .wholeNumber(0...65535), default: "8090", help: "The port; 0 chooses a free one."),
                .option(
                    "seed", .wholeNumber(0...Int.max), describedAs: "random", help: "The seed of the made-up data."),
                .option(
                    "people", .wholeNumber(1...100_000_000), describedAs: "no end",
                    help: "How many different people there are; the fewer, the more duplicates."),
                .option(
                    "latency", value: "ms", .wholeNumber(0...600_000), default: "0",
                    help: "Milliseconds to wait before each answer."),
                .option(
                    "fault", value: "kind:every", isRepeating: true,
                    help: "Answer each so many requests with a fault; may be repeated."),
            ])
    }
}

extension ArgumentSpecification {
    static let source = ArgumentSpecification.option(
        "source", .file, suggestions: ["users"], default: "users", section: "Source options",
        help: "The name of a built-in source, or the path of a source file.")

    static let count = ArgumentSpecification.option(
        "count", .wholeNumber(1...Int.max), describedAs: "50; for a source that ends, all", section: "Source options",
        help: "How many distinct records shall be stored.")

    static func database(section: String? = nil) -> ArgumentSpecification {
        .option(
            "db", value: "path", .file, default: "output/crawl.db", environment: .variable("CRAWL_DB"),
            section: section, help: "The database.")
    }

    /// The options of every command that crawls.
    ///
    /// - Parameter canReplace: Whether `--fresh` is offered, which makes no sense for going on.
    static func crawling(canReplace: Bool) -> [ArgumentSpecification] {
        let source = "Source options"
        let request = "Request options"
        let storage = "Storage options"
        let fresh = ArgumentSpecification.flag(
            "fresh", section: storage,
            help: "Replace the stored records of the source; the old ones go when the first page comes.")
        return [
            .option(
                "endpoint", value: "name=url", .assignment, isRepeating: true,
                environment: .prefix("CRAWL_ENDPOINT_"), section: source,
                help: "Ask another address for a source; may be repeated."),
            .option(
                "set", value: "name=value", .assignment, isRepeating: true, section: source,
                help: "Fill a {placeholder} of a source's address, such as symbols=AAPL,SAP.DE; may be repeated."),
            .flag(
                "offline", section: source, help: "Use the built-in stand-in; its data are made up."),
            .flag("live", section: source, help: "Never use the stand-in, whatever happens to the public service."),
            .flag("dry-run", section: source, help: "Say what would be done; request and store nothing."),
            .option(
                "page-size", value: "n|auto", .automaticNumber(1...1_000_000), default: "auto", section: request,
                help: "Records a request; auto is a tenth of the count within the source's limit."),
            .option(
                "concurrency", value: "n|auto", .automaticNumber(1...64), default: "auto", section: request,
                help: "Requests at the same time; auto finds what the server allows, up to 8."),
            .option("rate", section: request, help: "At most so many requests in a time, such as 5/s or 100/m."),
            .option(
                "retries", .wholeNumber(0...1000), default: "3", section: request,
                help: "How often a failed request is repeated."),
            .option(
                "timeout", value: "time", .duration(.milliseconds(1)...(.seconds(86_400))), default: "30s",
                section: request, help: "How long one request may take: 30, 30s, 2m or 500ms."),
            .option(
                "max-wait", value: "time", .duration(.zero...(.seconds(30 * 86_400))), default: "2m",
                section: request, help: "The longest pause asked for by a server that is waited for."),
            .database(section: storage),
        ] + (canReplace ? [fresh] : []) + [
            .flag(
                "refresh", section: storage,
                help: "Ask for whole sources again although the server promised no change."),
            .option(
                "csv", value: "file", .file, section: storage, help: "Export as CSV when done, - for standard output."),
        ] + output
    }

    /// The options of a command that crawls again and again: those of one crawl that make sense for many.
    static let watching =
        crawling(canReplace: false).filter { !["csv", "dry-run", "refresh"].contains($0.name) } + [
            .flag(
                "partial", section: "Storage options",
                help: "Of a group, store what arrived although another of its sources failed.")
        ]

    static let output: [ArgumentSpecification] = [
        .flag(
            "json", section: "Output options",
            help: "Print events on standard output, one JSON object a line, instead of text."),
        .flag("quiet", short: "q", section: "Output options", help: "Print errors only."),
        .flag("verbose", short: "v", section: "Output options", help: "Print a line for each request and retry."),
        .color(section: "Output options"),
    ]

    static func color(section: String? = nil) -> ArgumentSpecification {
        .option(
            "color", value: "when", .choice(["auto", "always", "never"]), default: "auto", section: section,
            help: "Whether to use colour; NO_COLOR turns it off too.")
    }
}
