// The library: `import CrawlKit` is all that a program needs.
//
// Public are the things that a program handles: `Crawl`, `BulkLoad` and `Watch` with their `CrawlOptions`; `Source`
// and `BuiltInSources`; `CrawlEvent` and `CrawlError`; `CrawlDatabase` with `CrawledRecord` and the four record types.
// The rooms below (HTTP, JSON, the store) are the package's own and may change in any release.
//
// Stable are the names here, the source file format and the tables. What may grow: `CrawlEvent` gets further cases and
// its values further properties, as the `--json` events get further fields; a `switch` over events therefore needs a
// `default`. A source is made from a source file, so that a new key breaks no program.

// The values of CrawlCore stand in the signatures of CrawlKit. Type aliases would not do: their members would still be
// out of reach without an import of CrawlCore.
@_exported import CrawlCore
