/// A part of the program that reads what others wrote, with the properties that hold for any bytes.
///
/// The same functions serve the fuzzer, which makes up bytes, and the tests, which replay those that are kept.
enum Subject: String, CaseIterable {
    /// Pages of records, in several shapes of sources.
    case page
    /// Any JSON text.
    case json
    /// Source files.
    case sourceFile = "source-file"
    /// The words of a command line.
    case commandLine = "command-line"
    /// Header fields: Retry-After, dates, Link, Cache-Control.
    case field
    /// Bodies in gzip, deflate and brotli.
    case body
    /// Addresses and templates.
    case address

    /// Reads the bytes and checks all that must hold.
    ///
    /// - Throws: `BrokenProperty`; whatever the subject itself throws for wrong input is caught.
    func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        switch self {
        case .page: try PageProperties.check(bytes)
        case .json: try JSONProperties.check(bytes)
        case .sourceFile: try SourceFileProperties.check(bytes)
        case .commandLine: try CommandLineProperties.check(bytes)
        case .field: try FieldProperties.check(bytes)
        case .body: try BodyProperties.check(bytes)
        case .address: try AddressProperties.check(bytes)
        }
    }
}

/// A property that did not hold.
struct BrokenProperty: Error, CustomStringConvertible {
    let description: String
}

/// Checks a property.
///
/// - Throws: `BrokenProperty` with the sentence where it does not hold.
func require(_ isTrue: Bool, _ sentence: @autoclosure () -> String) throws(BrokenProperty) {
    if !isTrue { throw BrokenProperty(description: sentence()) }
}

/// Whether a text may be printed: no control characters but the line break.
func isPrintable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control }
}
