/// A text with `{placeholders}`, which options fill, and `${VARIABLES}`, which the environment fills and which are secret.
package struct Template: Sendable, Equatable {
    /// A piece of the text.
    package enum Part: Sendable, Equatable {
        /// Text that stays as it is.
        case text(String)
        /// `{name}`.
        case placeholder(String)
        /// `${NAME}`.
        case variable(String)
    }

    /// Why a text cannot be read as a template, as a part of a sentence.
    package struct Problem: Error, Equatable {
        /// How it has to be written.
        package var rule: String
    }

    /// The pieces in their order.
    package let parts: [Part]

    /// Reads a text.
    ///
    /// - Parameter hasPlaceholders: Whether `{name}` means a placeholder; otherwise braces of their own are text.
    /// - Throws: `Problem` where a brace or a `${` stands alone.
    package init(parsing text: String, hasPlaceholders: Bool) throws(Problem) {
        var parts: [Part] = []
        var literal = ""
        func flush() {
            if !literal.isEmpty { parts.append(.text(literal)) }
            literal = ""
        }
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "$", rest.first == "{" {
                guard let name = Self.name(in: &rest) else {
                    throw Problem(rule: "a variable of the environment is written ${NAME}, with letters, digits and _")
                }
                flush()
                parts.append(.variable(name))
            } else if hasPlaceholders, character == "{" || character == "}" {
                rest = text[text.index(before: rest.startIndex)...]
                guard let name = Self.name(in: &rest) else {
                    throw Problem(rule: "a placeholder is written {name}, with letters, digits and _")
                }
                flush()
                parts.append(.placeholder(name))
            } else {
                literal.append(character)
            }
        }
        flush()
        self.parts = parts
    }

    /// The names of the placeholders, each once, in the order in which they stand.
    package var placeholders: [String] {
        names { if case .placeholder(let name) = $0 { name } else { nil } }
    }

    /// The names of the variables, each once, in the order in which they stand.
    package var variables: [String] {
        names { if case .variable(let name) = $0 { name } else { nil } }
    }

    /// The text with what `value` gives for each placeholder and variable.
    package func filled(_ value: (Part) -> String) -> String {
        parts.map { if case .text(let text) = $0 { text } else { value($0) } }.joined()
    }

    private func names(_ name: (Part) -> String?) -> [String] {
        var names: [String] = []
        for part in parts {
            if let name = name(part), !names.contains(name) { names.append(name) }
        }
        return names
    }

    /// Takes `{name}` from the beginning; nil where something else stands there.
    private static func name(in rest: inout Substring) -> String? {
        guard rest.first == "{" else { return nil }
        let name = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard let first = name.first, !first.isNumber, name.endIndex < rest.endIndex, rest[name.endIndex] == "}" else {
            return nil
        }
        rest = rest[rest.index(after: name.endIndex)...]
        return String(name)
    }
}
