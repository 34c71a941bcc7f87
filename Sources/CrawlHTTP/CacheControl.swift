/// What an answer says about keeping it.
///
/// See [RFC 9111, 5.2.2](https://www.rfc-editor.org/rfc/rfc9111#section-5.2.2).
package struct CacheControl: Sendable, Equatable {
    /// Seconds for which the answer is fresh, nil where it does not say.
    package private(set) var maxAge: Int?
    /// Whether the answer must not be kept.
    package private(set) var noStore = false
    /// Whether the answer must be asked for again each time.
    package private(set) var noCache = false

    /// Reads the values of all `Cache-Control` fields; what is unknown or wrong is passed over.
    package init(_ fields: [String]) {
        for directive in fields.flatMap({ $0.split(separator: ",") }) {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " && $0 != "\t" } }
            switch parts.first?.lowercased() {
            case "no-store": noStore = true
            case "no-cache": noCache = true
            // The first of several counts.
            case "max-age" where maxAge == nil && parts.count == 2:
                let digits = parts[1].filter { $0 != "\"" }
                guard digits.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { continue }
                maxAge = digits.isEmpty ? nil : Int(digits) ?? .max
            default: continue
            }
        }
    }
}
