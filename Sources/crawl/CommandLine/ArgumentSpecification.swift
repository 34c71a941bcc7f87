/// A flag, an option with a value, or a positional argument, declared as data.
struct ArgumentSpecification: Sendable {
    /// The ways in which an argument stands on the command line.
    enum Kind: Sendable {
        /// A name alone.
        case flag
        /// A name and a value.
        case option
        /// A value alone, known by its place.
        case positional
    }

    /// Where a value comes from when the command line does not name it.
    enum EnvironmentFallback: Sendable, Equatable {
        /// One variable.
        case variable(String)
        /// For `NAME=VALUE` options, a variable a name: the prefix, then the name in capitals with `_` for `.`.
        case prefix(String)
    }

    var kind: Kind
    /// The long name without dashes, or the positional argument's name; how the parsed value is asked for.
    var name: String
    /// The one-letter name.
    var short: Character?
    /// The word between `<` and `>`.
    var valueName: String
    /// One sentence.
    var help: String
    /// What the values look like; every value is checked while parsing.
    var values: ValueKind
    /// Words that completion offers, where the value is not limited to them.
    var suggestions: [String] = []
    /// The value where none is given.
    var defaultValue: String?
    /// The default as the help text tells it; `defaultValue` where nil.
    var defaultDescription: String?
    /// Whether it may stand more than once and all values count; else the last one wins.
    var isRepeating = false
    /// Whether a positional argument may be left out.
    var isOptional = true
    /// The fallback in the environment.
    var environment: EnvironmentFallback?
    /// The title of its section of the help text; nil for the common one.
    var section: String?

    /// A flag.
    static func flag(_ name: String, short: Character? = nil, section: String? = nil, help: String) -> Self {
        Self(kind: .flag, name: name, short: short, valueName: "", help: help, values: .text, section: section)
    }

    /// An option with a value.
    static func option(
        _ name: String, short: Character? = nil, value: String? = nil, _ values: ValueKind = .text,
        suggestions: [String] = [],
        default defaultValue: String? = nil, describedAs defaultDescription: String? = nil, isRepeating: Bool = false,
        environment: EnvironmentFallback? = nil, section: String? = nil, help: String
    ) -> Self {
        Self(
            kind: .option, name: name, short: short, valueName: value ?? name, help: help, values: values,
            suggestions: suggestions, defaultValue: defaultValue, defaultDescription: defaultDescription,
            isRepeating: isRepeating,
            environment: environment, section: section)
    }

    /// A positional argument; a repeating one takes all that are left and must come last.
    static func positional(
        _ name: String, _ values: ValueKind = .text, suggestions: [String] = [], isOptional: Bool = false,
        isRepeating: Bool = false, help: String
    ) -> Self {
        Self(
            kind: .positional, name: name, valueName: name, help: help, values: values, suggestions: suggestions,
            isRepeating: isRepeating, isOptional: isOptional)
    }

    /// The names with their dashes, the short one first; empty for a positional argument.
    var spellings: [String] {
        guard kind != .positional else { return [] }
        return (short.map { ["-\($0)"] } ?? []) + ["--\(name)"]
    }

    /// The long name with its dashes, or the positional argument's `<name>`.
    var preferredSpelling: String {
        kind == .positional ? "<\(valueName)>" : "--\(name)"
    }

    /// A spelling with the value's name, as messages quote it.
    func spelled(_ spelling: String) -> String {
        kind == .option ? "\(spelling) <\(valueName)>" : spelling
    }

    /// The label in a help text.
    var label: String {
        kind == .positional ? preferredSpelling : spelled(spellings.joined(separator: ", "))
    }

    /// Its part of a usage line.
    var synopsis: String {
        let name = spelled(preferredSpelling) + (isRepeating ? " ..." : "")
        return isOptional ? "[\(name)]" : name
    }

    /// Its sentence with values, default and environment variable.
    var helpWithDetails: String {
        var details: [String] = []
        if case .choice(let choices) = values {
            details.append("values: \(choices.joined(separator: ", "))")
        }
        if let text = defaultDescription ?? defaultValue {
            details.append("default: \(text)")
        }
        switch environment {
        case .variable(let name): details.append("env: \(name)")
        case .prefix(let prefix): details.append("env: \(prefix)<NAME>")
        case nil: break
        }
        guard !details.isEmpty else { return help }
        return "\(help) (\(details.joined(separator: "; ")))"
    }
}
