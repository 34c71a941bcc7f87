/// The help text of a command, in swift-argument-parser's layout.
struct HelpGenerator {
    let command: CommandSpecification
    /// The names from the program's to the command's.
    let path: [String]
    /// Whether `--version` is offered.
    let hasVersion: Bool

    /// The column at which the explanations begin.
    static let explanationColumn = 26

    /// The whole text, without a closing line break.
    func text(columns: Int) -> String {
        var overview = "OVERVIEW: \(command.abstract)"
        if !command.discussion.isEmpty {
            overview += "\n\n\(command.discussion)"
        }
        let usage = "USAGE: \(UsageGenerator(command: command, path: path).synopsis)"
        let sections = sections.map { section in
            "\(section.title.uppercased()):\n"
                + section.entries.map { Self.line($0, columns: columns) }.joined(separator: "\n")
        }
        var text = ([Self.wrap(overview, columns: columns, indent: 0), usage] + sections).joined(separator: "\n\n")
        if !command.subcommands.isEmpty {
            text += "\n\n  See '\(path.joined(separator: " ")) help <subcommand>' for detailed help."
        }
        return text
    }

    private struct Entry {
        let label: String
        let explanation: String
    }

    private var sections: [(title: String, entries: [Entry])] {
        func entries(_ arguments: [ArgumentSpecification]) -> [Entry] {
            arguments.map { Entry(label: $0.label, explanation: $0.helpWithDetails) }
        }
        var titles: [String] = []
        for case let title? in command.options.map(\.section) where !titles.contains(title) {
            titles.append(title)
        }
        var sections = [("Arguments", entries(command.positionals))]
        sections += titles.map { title in (title, entries(command.options.filter { $0.section == title })) }
        var common = entries(command.options.filter { $0.section == nil })
        if hasVersion {
            common.append(Entry(label: "--version", explanation: "Show the version."))
        }
        common.append(Entry(label: "-h, --help", explanation: "Show help information."))
        sections.append(("Options", common))
        let subcommands = command.subcommands.map { Entry(label: $0.name, explanation: $0.abstract) }
        sections.append(("Subcommands", subcommands))
        return sections.filter { !$0.1.isEmpty }.map { (title: $0.0, entries: $0.1) }
    }

    private static func line(_ entry: Entry, columns: Int) -> String {
        let label = "  " + entry.label
        let explanation = wrap(entry.explanation, columns: columns, indent: explanationColumn)
        guard !entry.explanation.isEmpty else { return label }
        guard label.count < explanationColumn else { return label + "\n" + explanation }
        return label + explanation.dropFirst(label.count)
    }

    /// The text in lines shorter than the columns, each after the indent; line breaks are kept, long words not cut.
    static func wrap(_ text: String, columns: Int, indent: Int) -> String {
        // A terminal too narrow for anything readable wraps by itself.
        let width = max(columns - indent, 20)
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard paragraph.count >= width else {
                lines.append(paragraph.isEmpty ? "" : margin + paragraph)
                continue
            }
            var line = paragraph.prefix { $0 == " " }
            var isEmpty = true
            for word in paragraph.split(separator: " ") {
                if !isEmpty, line.count + 1 + word.count >= width {
                    lines.append(margin + line)
                    line = ""
                    isEmpty = true
                }
                line += isEmpty ? word : " " + word
                isEmpty = false
            }
            lines.append(isEmpty ? "" : margin + line)
        }
        return lines.joined(separator: "\n")
    }
}
