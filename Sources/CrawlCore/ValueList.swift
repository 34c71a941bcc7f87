/// Values in one text, separated by commas.
package enum ValueList {
    /// The values without blanks around them, each once, in their order; empty ones are left out.
    package static func values(in text: String) -> [String] {
        var values: [String] = []
        for part in text.split(separator: ",") {
            let value = String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            if !value.isEmpty, !values.contains(value) { values.append(value) }
        }
        return values
    }
}
