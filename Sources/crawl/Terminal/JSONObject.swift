import CrawlCore
import CrawlJSON

/// A JSON object on one line, its fields in the order in which they are added.
struct JSONObject: Sendable {
    private var fields = ""

    /// The object as JSON.
    var text: String {
        "{\(fields)}"
    }

    /// Adds a text.
    mutating func add(_ name: String, _ value: String?) {
        add(name, json: value.map(Self.quoted) ?? "null")
    }

    /// Adds a whole number.
    mutating func add(_ name: String, _ value: (some BinaryInteger)?) {
        add(name, json: value.map { "\($0)" } ?? "null")
    }

    /// Adds a number with at most three decimals; what is no number becomes null.
    mutating func add(_ name: String, _ value: Double?) {
        let number = value.flatMap { $0.isFinite ? "\(($0 * 1000).rounded() / 1000)" : nil }
        add(name, json: number ?? "null")
    }

    /// Adds true or false.
    mutating func add(_ name: String, _ value: Bool) {
        add(name, json: value ? "true" : "false")
    }

    /// Adds an object, or null.
    mutating func add(_ name: String, _ value: JSONObject?) {
        add(name, json: value?.text ?? "null")
    }

    /// Adds a list of objects.
    mutating func add(_ name: String, _ values: [JSONObject]) {
        add(name, json: "[\(values.map(\.text).joined(separator: ","))]")
    }

    /// Adds a stored value.
    mutating func add(_ name: String, value: RecordValue) {
        add(name, json: Self.json(value))
    }

    /// Adds a list of stored values.
    mutating func add(_ name: String, values: [RecordValue]) {
        add(name, json: "[\(values.map(Self.json).joined(separator: ","))]")
    }

    private static func json(_ value: RecordValue) -> String {
        switch value {
        case .null: "null"
        case .integer(let number): String(number)
        case .real(let number): number.isFinite ? String(number) : "null"
        case .text(let text): quoted(text)
        }
    }

    /// Adds a list of texts.
    mutating func add(_ name: String, texts: [String]) {
        add(name, json: "[\(texts.map(Self.quoted).joined(separator: ","))]")
    }

    private mutating func add(_ name: String, json: String) {
        fields += (fields.isEmpty ? "" : ",") + Self.quoted(name) + ":" + json
    }

    /// A JSON string ([RFC 8259](https://www.rfc-editor.org/rfc/rfc8259#section-7)).
    ///
    /// Control characters are escaped, the C1 range, DEL and the marks that turn the direction of writing too, so that a
    /// line is safe on a terminal.
    static func quoted(_ text: String) -> String {
        JSONValue.text(text).text
    }
}
