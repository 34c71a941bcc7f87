/// What the value of an option or argument looks like.
enum ValueKind: Sendable, Equatable {
    /// Any text.
    case text
    /// The path of a file, `-` included; completed from the file system.
    case file
    /// A whole number within bounds.
    case wholeNumber(ClosedRange<Int>)
    /// A whole number within bounds, or the word `auto`.
    case automaticNumber(ClosedRange<Int>)
    /// A number with `ms`, `s` (the default), `m` or `h`, within bounds.
    case duration(ClosedRange<Duration>)
    /// `NAME=VALUE`.
    case assignment
    /// One of these words.
    case choice([String])
    /// Words separated by commas.
    case list

    /// Why a value is not one of the kind.
    enum Fault: Error, Equatable {
        /// It has another form.
        case form
        /// It has the right form and breaks this rule, which reads on from the option's name.
        case rule(String)
    }

    /// Checks a value.
    ///
    /// - Throws: `Fault` where the value is not of the kind.
    func check(_ value: String) throws(Fault) {
        switch self {
        case .text:
            return
        case .file:
            guard !value.isEmpty else { throw .rule("must not be empty") }
        case .wholeNumber(let bounds):
            _ = try Self.wholeNumber(value, in: bounds)
        case .automaticNumber(let bounds):
            guard value != "auto" else { return }
            do {
                _ = try Self.wholeNumber(value, in: bounds)
            } catch .rule(let rule) {
                throw .rule(rule + ", or auto")
            }
        case .duration(let bounds):
            _ = try Self.duration(value, in: bounds)
        case .assignment:
            _ = try Self.assignment(value)
        case .choice(let choices):
            guard choices.contains(value) else { throw .form }
        case .list:
            guard Self.list(value).allSatisfy({ !$0.isEmpty }) else {
                throw .rule("must be names separated by commas")
            }
        }
    }

    /// The whole number that a text names.
    ///
    /// - Throws: `Fault.form` for anything but digits with a sign, `Fault.rule` beyond the bounds, however long.
    static func wholeNumber(_ text: String, in bounds: ClosedRange<Int>) throws(Fault) -> Int {
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { throw .form }
        guard let number = Int(text), bounds.contains(number) else {
            throw .rule("must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// The duration that a text such as `30`, `30s`, `1.5m`, `1h` or `500ms` names.
    ///
    /// - Throws: `Fault.form` for anything else, `Fault.rule` beyond the bounds.
    static func duration(_ text: String, in bounds: ClosedRange<Duration>) throws(Fault) -> Duration {
        let number = text.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
        let unit: Double
        switch text[number.endIndex...] {
        case "ms": unit = 0.001
        case "", "s": unit = 1
        case "m": unit = 60
        case "h": unit = 3600
        default: throw .form
        }
        guard number.contains(where: \.isNumber), let amount = Double(number) else { throw .form }
        let seconds = amount * unit
        // A Duration cannot hold every Double; beyond a thousand years it is out of bounds in any case.
        guard seconds.magnitude < 3e10, bounds.contains(.seconds(seconds)) else {
            throw .rule("must be from \(Self.text(bounds.lowerBound)) to \(Self.text(bounds.upperBound))")
        }
        return .seconds(seconds)
    }

    /// The two sides of `NAME=VALUE`; the value may hold further equals signs.
    ///
    /// - Throws: `Fault.rule` where a side is missing.
    static func assignment(_ text: String) throws(Fault) -> (name: String, value: String) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex, text.index(after: sign) != text.endIndex
        else { throw .rule("must have the form NAME=VALUE") }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }

    /// The words of a list, without the blanks around them.
    static func list(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map { word in
            String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The sentence that names the words of a choice, for a value that is none of them.
    var invitation: String {
        guard case .choice(let choices) = self else { return "" }
        guard choices.count < 6 else {
            return ". Please provide one of the following:\n" + choices.map { "  - \($0)" }.joined(separator: "\n")
        }
        let quoted = choices.map { "'\($0)'" }
        guard quoted.count > 2, let last = quoted.last else {
            return ". Please provide one of \(quoted.joined(separator: " and "))."
        }
        return ". Please provide one of \(quoted.dropLast().joined(separator: ", ")) or \(last)."
    }

    private static func text(_ duration: Duration) -> String {
        let milliseconds = duration.components.seconds * 1000 + duration.components.attoseconds / 1_000_000_000_000_000
        guard milliseconds > 0 else { return "0s" }
        for (unit, length) in [("h", Int64(3_600_000)), ("m", 60_000), ("s", 1000)]
        where milliseconds >= length && milliseconds % length == 0 {
            return "\(milliseconds / length)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
