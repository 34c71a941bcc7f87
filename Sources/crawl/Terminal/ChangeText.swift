import CrawlCore

/// The line about a record that changed: `TSLA 244.60 → 245.10 (+0.20 %)`.
enum ChangeText {
    private static let longest = 40

    /// The line, nil where nothing changed that is worth one.
    static func line(_ change: CrawlEvent.Change, style: Style = .plain) -> String? {
        let record = change.record
        let columns = record.columns.filter { column in
            change.headline.isEmpty ? !record.isNew : change.headline.contains(column.name)
        }
        let key = record.key.map { SafeText.visible($0.description) }.joined(separator: "/")
        if record.isNew {
            let values = columns.map { text($0.after) }.joined(separator: ", ")
            return [key, values, "(new)"].filter { !$0.isEmpty }.joined(separator: " ")
        }
        guard !columns.isEmpty else { return nil }
        let isNamed = change.headline.count != 1
        let parts = columns.map { column in
            (isNamed ? SafeText.visible(column.name) + " " : "") + difference(column, style: style)
        }
        return "\(key) \(parts.joined(separator: ", "))"
    }

    private static func difference(_ column: RecordChange.Column, style: Style) -> String {
        let line = "\(text(column.before)) → \(text(column.after))"
        guard let before = column.before.number, let after = column.after.number, before != 0 else { return line }
        let percent = (after - before) / abs(before) * 100
        let sign = percent < 0 ? "−" : "+"
        let share = " (\(sign)\(Quantity.decimals(abs(percent), 2)) %)"
        return line + style(percent < 0 ? .red : .green, share)
    }

    /// A value for people: a number with at least two decimals, a text in quotes and cut.
    private static func text(_ value: RecordValue) -> String {
        switch value {
        case .null: "nothing"
        case .integer(let number): String(number)
        case .real(let number): decimal(number)
        case .text(let text): "\"\(DisplayWidth.cut(SafeText.visible(text), to: longest, sign: "…"))\""
        }
    }

    private static func decimal(_ number: Double) -> String {
        let text = String(number)
        guard !text.contains("e"), let point = text.firstIndex(of: ".") else { return text }
        let decimals = text.distance(from: point, to: text.endIndex) - 1
        return text + String(repeating: "0", count: max(0, 2 - decimals))
    }
}
