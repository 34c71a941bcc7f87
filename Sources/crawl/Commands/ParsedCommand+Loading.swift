import CrawlCore
import CrawlKit

extension ParsedCommand {
    /// What is to be loaded, each source once.
    func loadItems() throws -> [BulkLoad.Item] {
        var items: [BulkLoad.Item] = []
        var seen: Set<String> = []
        for name in texts("names") {
            let file = SourceFiles.isPath(name) ? BulkLoad.Item.source(try SourceFiles.source(at: name)) : nil
            guard let item = try file ?? BuiltInSources.item(named: name) else {
                throw unknownSource(name, among: BuiltInSources.names + BuiltInSources.groups.keys.sorted())
            }
            for source in item.sources where !seen.insert(source.name).inserted {
                let group = BuiltInSources.groups[name] == nil ? "" : ": it is a part of '\(name)'"
                throw usageError("The source '\(source.name)' is named twice\(group).")
            }
            for source in item.sources {
                if BuiltInSources.isEndless(source) {
                    throw usageError(
                        "The source '\(source.name)' has no end, so that it cannot be loaded whole. "
                            + "Say how many with: crawl --source \(name) --count 50")
                }
            }
            items.append(item)
        }
        return items
    }

    /// The options of a load of sources.
    func loadOptions(for sources: [Source]) throws -> CrawlOptions {
        try checkSet(for: sources)
        var options = CrawlOptions()
        options.startsFresh = declares("fresh") && flag("fresh")
        for source in sources { try apply(to: &options, source: source, among: sources, onlyGiven: false) }
        return options
    }
}
