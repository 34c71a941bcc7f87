/// The commands that show what there is: sources and stored records.
extension CommandSpecification {
    static let list = CommandSpecification(
        name: "list",
        abstract: "Show the stored records of a source as a table.",
        discussion: """
            On a terminal the columns are chosen and cut to its width: the key first, then as many short, filled ones \
            as fit. Columns that hold passwords and the like are shown only when they are named, extra and page \
            likewise. Off a terminal each record is a line of tab-separated, uncut values, in all columns of the \
            source. Line breaks and other control characters are written out.

            EXAMPLES:
              crawl list users
              crawl list users --columns first_name,last_name,email --limit 50
              crawl list posts --limit 0 | cut -f 3
            """,
        arguments: [
            .positional(
                "name", suggestions: ["users", "posts", "tickers", "quotes", "randomuser"],
                help: "The name of the source."),
            .option(
                "columns", .list, describedAs: "chosen to fit", help: "The columns to show, separated by commas."),
            .option(
                "limit", short: "n", .wholeNumber(0...Int.max), default: "20", help: "The most records; 0 for all."),
            .database(),
            .color(),
        ])

    static let sources = CommandSpecification(
        name: "sources",
        abstract: "List the built-in sources, or print a source file.",
        discussion: """
            A source is a short JSON file that describes an API: where it is asked, how its pages follow each other, \
            which columns its table has. Print one, save it, change it, and crawl with --source ./mine.json. The schema \
            lets an editor complete and check such a file.

            EXAMPLES:
              crawl sources
              crawl sources posts > mine.json
              crawl sources markets
              crawl sources --schema > source.schema.json
            """,
        arguments: [
            .positional(
                "name", suggestions: ["users", "posts", "tickers", "quotes", "randomuser", "markets"], isOptional: true,
                help: "The source whose file is printed, or the group that is explained."),
            .flag("schema", help: "Print the JSON Schema of source files."),
            .flag("json", help: "Print one JSON object instead of a table."),
            .color(),
        ])
}
