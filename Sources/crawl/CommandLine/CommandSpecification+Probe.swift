extension CommandSpecification {
    static let probe = CommandSpecification(
        name: "probe",
        abstract: "Write the source file of an API that is not known yet.",
        discussion: """
            Asks the address and a few pages more, politely, and finds out where the records are, what tells them \
            apart, what their columns hold and how one page leads to the next. The source file goes to standard \
            output or to a file; what was found, and what could not be decided, goes to standard error.

            EXAMPLES:
              crawl probe https://api.example.com/things -o things.json
              crawl --source things.json
              crawl probe https://api.example.com/things --run --count 200
              crawl probe https://api.example.com/mine --header 'X-Api-Key: ${KEY}'
            """,
        arguments: [
            .positional("url", help: "The address of the first page; ${NAME} in it is taken from the environment."),
            .option("name", help: "The name of the source and its table; made from the address by default."),
            .option(
                "output", short: "o", value: "file", .file, describedAs: "standard output",
                help: "The source file to write; a file that says something else already is left alone."),
            .option(
                "key", value: "columns", .list,
                help: "The columns that together identify a record, separated by commas; found by default."),
            .option(
                "header", value: "name: value", isRepeating: true,
                help: "A header to ask with, also in the source file; ${NAME} is taken from the environment."),
            .option(
                "timeout", value: "time", .duration(.milliseconds(1)...(.seconds(86_400))), default: "30s",
                help: "How long one request may take: 30, 30s, 2m or 500ms."),
            .flag("run", section: "Crawling at once", help: "Crawl with the source file that was written."),
            .option(
                "count", .wholeNumber(1...Int.max), describedAs: "50; for a source that ends, all",
                section: "Crawling at once", help: "How many distinct records shall be stored; with --run."),
            .database(section: "Crawling at once"),
        ] + ArgumentSpecification.output,
        exclusiveFlags: [["quiet", "verbose"]])
}
