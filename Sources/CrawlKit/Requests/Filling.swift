import CrawlCore
import CrawlHTTP

/// What fills the placeholders and variables of a source's addresses and headers.
struct Filling: Sendable {
    /// A text as it is sent, and as it may be seen.
    struct Text: Sendable, Equatable {
        var sent: String
        var shown: String
    }

    let source: Source
    private let set: [String: String]
    private let environment: [String: String]

    init(_ source: Source, _ options: CrawlOptions) {
        self.source = source
        set = source.set.merging(options.set) { $1 }
        environment = options.variables
    }

    /// The value of a placeholder as it is written, with variables filled.
    ///
    /// - Throws: `CrawlError` (64) where it has none, (78) where a variable is not set.
    func value(of placeholder: String) throws(CrawlError) -> Text {
        let written = try written(placeholder)
        let what = "the value of {\(placeholder)}"
        let value = try fill(template(written, of: what, hasPlaceholders: false), what: what)
        return Text(sent: value.sent, shown: Self.isSecret(placeholder, written) ? URLText.mask : value.sent)
    }

    private func written(_ placeholder: String) throws(CrawlError) -> String {
        if let written = set[placeholder] {
            // In a list of values a blank behind a comma and a value twice are slips.
            let isList = placeholder == source.expectation?.placeholder || placeholder == source.fallback?.each
            return isList ? ValueList.values(in: written).joined(separator: ",") : written
        }
        throw CrawlError(
            .usage, "The source '\(source.name)' needs a value for {\(placeholder)}",
            remedy: "Give it with --set \(placeholder)=VALUE, or a default under \"set\" in the source file.")
    }

    /// Whether the value of a placeholder is secret, by its name or because of a variable in it.
    static func isSecret(_ placeholder: String, _ written: String) -> Bool {
        written.contains("${") || URLText.isSecret(placeholder)
    }

    /// An address with everything filled in.
    ///
    /// - Parameter what: What the address is, for messages.
    /// - Throws: `CrawlError` (64, 78) for values that are missing or an address that cannot be read.
    func address(
        _ text: String, of what: String, with values: [String: String] = [:]
    ) throws(CrawlError) -> Text {
        let template = try template(text, of: what, hasPlaceholders: true)
        var filled: [String: Text] = [:]
        for name in template.placeholders {
            if let value = values[name] {
                filled[name] = Text(sent: value, shown: value)
            } else {
                filled[name] = try self.value(of: name)
            }
        }
        return try fill(template, what: what, encode: Self.encoded) { filled[$0] }
    }

    /// An address with its placeholders filled and everything secret masked; no variable is looked up.
    ///
    /// - Throws: `CrawlError` (64) for placeholders without a value.
    func shownAddress(_ text: String, of what: String) throws(CrawlError) -> String {
        let template = try template(text, of: what, hasPlaceholders: true)
        var filled: [String: String] = [:]
        for name in template.placeholders {
            let written = try written(name)
            filled[name] = Self.isSecret(name, written) ? URLText.mask : Self.encoded(written)
        }
        return template.filled { part in
            if case .placeholder(let name) = part { filled[name] ?? "" } else { URLText.mask }
        }
    }

    /// The value of a header.
    ///
    /// - Throws: `CrawlError` (78) where a variable is not set or holds what no header may.
    func header(_ name: String, _ text: String) throws(CrawlError) -> String {
        let template = try template(text, of: "the header \(name)", hasPlaceholders: false)
        return try fill(template, what: "the header \(name)").sent
    }

    /// The values of the variables that stand in a placeholder's value.
    func variables(ofPlaceholder name: String) -> [String] {
        set[name].map { variables(in: $0) } ?? []
    }

    /// The values of the variables that stand in a text.
    func variables(in text: String) -> [String] {
        let template = try? Template(parsing: text, hasPlaceholders: false)
        return template?.variables.compactMap { environment[$0] } ?? []
    }

    /// A value as it stands in an address: outside the unreserved set percent-encoded, but for the comma, which
    /// separates the values of a list (a reserved character that the query and a path may hold, RFC 3986, 2.2).
    static func encoded(_ value: String) -> String {
        value.split(separator: ",", omittingEmptySubsequences: false).map { URLText.encoded(String($0)) }
            .joined(separator: ",")
    }

    private func template(
        _ text: String, of what: String, hasPlaceholders: Bool
    ) throws(CrawlError) -> Template {
        do throws(Template.Problem) {
            return try Template(parsing: text, hasPlaceholders: hasPlaceholders)
        } catch {
            throw CrawlError(
                .usage, "\(source.name): \(what) cannot be read: \(error.rule)",
                remedy: "Write other braces percent-encoded, %7B and %7D.")
        }
    }

    private func fill(
        _ template: Template, what: String, encode: (String) -> String = { $0 },
        placeholder: (String) -> Text? = { _ in nil }
    ) throws(CrawlError) -> Text {
        for name in template.variables { try check(name, what: what) }
        let sent = template.filled { part in
            switch part {
            case .text(let text): text
            case .placeholder(let name): encode(placeholder(name)?.sent ?? "")
            case .variable(let name): encode(environment[name] ?? "")
            }
        }
        let shown = template.filled { part in
            switch part {
            case .text(let text): text
            case .placeholder(let name):
                placeholder(name).map { $0.sent == $0.shown ? encode($0.sent) : $0.shown } ?? ""
            case .variable: URLText.mask
            }
        }
        return Text(sent: sent, shown: shown)
    }

    private func check(_ variable: String, what: String) throws(CrawlError) {
        let value = environment[variable] ?? ""
        guard !value.isEmpty else {
            throw CrawlError(
                .badSource,
                "The source '\(source.name)' takes \(what) from the environment variable \(variable), which is not set",
                remedy: "Set it and repeat the command: export \(variable)=…")
        }
        guard value.unicodeScalars.allSatisfy({ $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) }) else {
            throw CrawlError(
                .badSource,
                "The source '\(source.name)' takes \(what) from the environment variable \(variable), "
                    + "which holds a line break or another control character",
                remedy: "Set it to the bare value.")
        }
    }
}
