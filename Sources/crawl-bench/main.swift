import Glibc

exit(CrawlBench.run(Array(CommandLine.arguments.dropFirst())))
