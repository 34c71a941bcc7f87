/// When to use colour.
enum ColorChoice: String, Sendable, CaseIterable {
    /// On a terminal, unless the environment says otherwise.
    case auto
    /// Always.
    case always
    /// Never.
    case never
}

/// Colour for one stream, or none.
struct Style: Sendable, Equatable {
    /// Whether text is coloured.
    let isColored: Bool

    /// No colour.
    static let plain = Style(isColored: false)

    init(isColored: Bool) {
        self.isColored = isColored
    }

    /// Decides for a stream.
    ///
    /// `--color` goes before [`NO_COLOR`](https://no-color.org), that before `CLICOLOR_FORCE`, that before `TERM=dumb`.
    init(_ choice: ColorChoice, isTerminal: Bool, environment: [String: String]) {
        func isSet(_ variable: String) -> Bool {
            environment[variable].map { !$0.isEmpty } ?? false
        }
        switch choice {
        case .always: isColored = true
        case .never: isColored = false
        case .auto:
            if isSet("NO_COLOR") {
                isColored = false
            } else if isSet("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" {
                isColored = true
            } else {
                isColored = isTerminal && environment["TERM"] != "dumb"
            }
        }
    }

    /// The colours in use, each with its meaning.
    enum Color: String, Sendable, CaseIterable {
        /// A heading.
        case bold = "1"
        /// Of less weight.
        case dim = "2"
        /// An error.
        case red = "31"
        /// Done, as wanted.
        case green = "32"
        /// A warning or a notice.
        case yellow = "33"
        /// A progress bar.
        case cyan = "36"
    }

    /// The text in that colour, or as it is.
    func callAsFunction(_ color: Color, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
    }
}
