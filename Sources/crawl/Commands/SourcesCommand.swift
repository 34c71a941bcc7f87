import CrawlCore
import CrawlKit

/// `crawl sources [NAME]`: lists the built-in sources, prints one's file, explains a group, or prints the schema.
struct SourcesCommand: Sendable {
    let parsed: ParsedCommand

    init(_ parsed: ParsedCommand) {
        self.parsed = parsed
    }

    func run() throws -> Int32 {
        let output = TextOutput(1)
        guard let name = parsed.text("name") else {
            try output.writeAll(parsed.flag("schema") ? BuiltInSources.schema : list())
            return ExitCode.success.rawValue
        }
        if parsed.flag("schema") {
            throw parsed.usageError("There is one schema for all source files; give --schema or a name.")
        }
        if let file = BuiltInSources.file(of: name) {
            try output.writeAll(file)
        } else if let members = BuiltInSources.groups[name] {
            try output.writeAll(group(name, members))
        } else {
            throw parsed.unknownSource(name, among: BuiltInSources.itemNames)
        }
        return ExitCode.success.rawValue
    }

    // MARK: Text

    private func list() throws -> String {
        if parsed.flag("json") {
            var object = JSONObject()
            object.add("version", EventJSON.version)
            object.add("sources", try BuiltInSources.names.map(json))
            object.add("groups", BuiltInSources.groups.sorted { $0.key < $1.key }.map(json))
            return object.text + "\n"
        }
        return try table(BuiltInSources.itemNames) + hint("Print one with: crawl sources \(BuiltInSources.names[0])")
    }

    private func group(_ name: String, _ members: [String]) throws -> String {
        if parsed.flag("json") { return json(name, members).text + "\n" }
        let sentence =
            "\(name) is a group: \(members.joined(separator: " and ")) are stored together, or none of them.\n\n"
        return try sentence + table(members) + hint("Load them with: crawl load \(name)")
    }

    /// A line behind a table, for people only.
    private func hint(_ text: String) -> String {
        Platform.isTerminal(1) ? "\n\(text)\n" : ""
    }

    /// A table of sources and groups, as wide as the terminal.
    private func table(_ names: [String]) throws -> String {
        var table = TextTable(columns: [
            .init(title: "NAME"), .init(title: "STYLE"), .init(title: "KEY"), .init(title: "ASKS"),
            .init(title: "WHAT"),
        ])
        table.rows = try names.map { name in
            let summary = BuiltInSources.summary(of: name) ?? ""
            guard let source = try BuiltInSources.source(named: name) else {
                return [name, "group", "", BuiltInSources.groups[name]?.joined(separator: ", ") ?? "", summary]
            }
            let host = source.url.split(separator: "/").dropFirst().first.map(String.init) ?? source.url
            return [name, BuiltInSources.style(of: name) ?? "", source.key.joined(separator: ", "), host, summary]
        }
        let isTerminal = Platform.isTerminal(1)
        let width = isTerminal ? Platform.size(of: 1, environment: parsed.environment).columns : nil
        let style = Style(parsed.choice("color") ?? .auto, isTerminal: isTerminal, environment: parsed.environment)
        let lines = table.lines(width: width, style: style, isUnicode: Platform.isUTF8(parsed.environment))
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: JSON

    private func json(_ name: String) throws -> JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("summary", BuiltInSources.summary(of: name))
        object.add("style", BuiltInSources.style(of: name))
        guard let source = try BuiltInSources.source(named: name) else { return object }
        object.add("key", texts: source.key)
        object.add("url", source.url)
        object.add("columns", texts: source.columns.map(\.name))
        return object
    }

    private func json(_ name: String, _ members: [String]) -> JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("summary", BuiltInSources.summary(of: name))
        object.add("sources", texts: members)
        return object
    }
}
