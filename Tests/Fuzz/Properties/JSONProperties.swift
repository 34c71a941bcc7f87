import CrawlJSON
import Foundation

/// JSON texts: what is read can be written and read again, and Foundation takes it too.
enum JSONProperties {
    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        let read: Result<JSONValue, JSONSyntaxError> = bytes.withUnsafeBytes { bytes in
            do throws(JSONSyntaxError) {
                return .success(try JSONValue(parsing: bytes))
            } catch {
                return .failure(error)
            }
        }
        let value: JSONValue
        switch read {
        case .success(let success): value = success
        case .failure(let error):
            return try require(isPrintable("\(error)"), "the message cannot be printed: \(error)")
        }
        try require(String(validating: bytes, as: UTF8.self) != nil, "bytes that are not UTF-8 were accepted")
        let text = value.text
        try require(!text.contains(where: \.isNewline), "written on several lines: \(text)")
        guard let again = try? JSONValue(parsing: text) else {
            throw BrokenProperty(description: "what was written cannot be read: \(text)")
        }
        try require(again == value, "written as \(text), read as \(again)")
        guard isWithinFoundation(value) else { return }
        let data = Data(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...])
        try require(
            (try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)) != nil,
            "Foundation refuses \(text)")
    }

    /// Foundation takes numbers only as far as a decimal number reaches.
    private static func isWithinFoundation(_ value: JSONValue) -> Bool {
        switch value {
        case .number: false
        case .real(let real): real == 0 || (1e-120...1e120).contains(real.magnitude)
        case .array(let elements): elements.allSatisfy(isWithinFoundation)
        case .object(let members): members.allSatisfy { isWithinFoundation($0.value) }
        default: true
        }
    }
}
