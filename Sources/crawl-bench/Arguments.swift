import Glibc

/// What follows the subcommand; each benchmark takes its own options out.
struct Arguments {
    private var words: [String]

    init(_ words: some Sequence<String>) {
        self.words = Array(words)
    }

    /// Takes `name` out and tells whether it was there.
    mutating func flag(_ name: String) -> Bool {
        let count = words.count
        words.removeAll { $0 == name }
        return words.count < count
    }

    /// Takes `name VALUE` or `name=VALUE` out.
    ///
    /// - Throws: `UsageError` where the value is missing.
    mutating func text(_ name: String) throws -> String? {
        guard let place = words.firstIndex(where: { $0 == name || $0.hasPrefix(name + "=") }) else { return nil }
        let word = words.remove(at: place)
        guard word == name else { return String(word.dropFirst(name.count + 1)) }
        guard place < words.count else { throw UsageError("missing value for '\(name)'") }
        return words.remove(at: place)
    }

    /// Takes a whole number above 0 out.
    ///
    /// - Throws: `UsageError` where the value is missing or no such number.
    mutating func number(_ name: String, default standard: Int) throws -> Int {
        guard let text = try text(name) else { return standard }
        guard let number = Int(text), number > 0 else {
            throw UsageError("the value '\(text)' is invalid for '\(name)': give a whole number above 0")
        }
        return number
    }

    /// Ends the parsing.
    ///
    /// - Throws: `UsageError` where something is left that nobody took.
    func finish() throws {
        if let word = words.first { throw UsageError("unexpected argument '\(word)'") }
    }
}

/// A command line that cannot be read.
struct UsageError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}

/// A measurement that could not be made, or whose result is wrong.
struct BenchFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }

    /// A failed system call, with the reason that the system gives.
    init(_ what: String, errno code: Int32) {
        description = "\(what): \(String(cString: strerror(code)))"
    }
}
