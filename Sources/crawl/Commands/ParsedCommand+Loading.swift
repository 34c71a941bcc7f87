import CrawlCore
import CrawlKit

extension ParsedCommand {
    /// What is to be loaded, each source once.
    func loadItems() throws -> [BulkLoad.Item] {
        var items: [BulkLoad.Item] = []
        var seen: Set<String> = []
        for name in texts("names") {
            guard let item = try BuiltInSources.item(named: name) else {
                throw unknownSource(name, among: BuiltInSources.names + BuiltInSources.groups.keys.sorted())
            }
            for source in item.sources where !seen.insert(source.name).inserted {
                throw usageError("The source '\(source.name)' is named twice.")
            }
            for source in item.sources {
                if case .repeat = source.pagination {
                    throw usageError(
                        "The source '\(source.name)' has no end, so that it cannot be loaded whole. "
                            + "Say how many with: crawl --source \(source.name) --count 50")
                }
            }
            items.append(item)
        }
        return items
    }

    /// The options of a load of sources.
    func loadOptions(for sources: [Source]) throws -> CrawlOptions {
        var options = CrawlOptions()
        options.startsFresh = declares("fresh") && flag("fresh")
        for source in sources { try apply(to: &options, source: source.name, onlyGiven: false) }
        return options
    }
}
