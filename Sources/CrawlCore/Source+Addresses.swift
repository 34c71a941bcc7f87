extension Source {
    /// The source as its fallback's answers have to be read; nil without one.
    package var asFallback: Source? {
        guard let fallback else { return nil }
        var source = self
        source.url = fallback.url
        source.pagination = .single
        source.records = fallback.records
        for index in source.columns.indices {
            if let path = fallback.paths[source.columns[index].name] { source.columns[index].path = path }
        }
        return source
    }

    /// The names of the source's addresses, as `--endpoint` uses them; its own name comes first.
    package var addressNames: [String] {
        let further = (authentication?.addresses.map(\.name) ?? []) + (fallback == nil ? [] : ["fallback"])
        return [name] + further.map { "\(name).\($0)" }
    }

    /// The placeholders that `--set` may fill.
    package var placeholders: [String] {
        var names = (try? Template(parsing: url, hasPlaceholders: true).placeholders) ?? []
        if let fallback, let others = try? Template(parsing: fallback.url, hasPlaceholders: true).placeholders {
            names += others.filter { $0 != fallback.placeholder && !names.contains($0) }
        }
        return names
    }
}
