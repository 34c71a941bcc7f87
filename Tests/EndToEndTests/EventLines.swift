import Foundation
import Testing

/// The events that `--json` printed, each line parsed by itself.
struct EventLines {
    /// The lines as they came.
    let lines: [String]
    /// The objects, in order.
    let objects: [[String: Any]]

    /// Parses the output.
    ///
    /// - Throws: Where a line is no JSON object, or the output does not end with a line break.
    init(_ output: String) throws {
        lines = output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(output.isEmpty || output.hasSuffix("\n"))
        objects = try lines.map { line in
            try #require(
                JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "no JSON object: \(line)")
        }
    }

    var types: [String] {
        objects.map { $0["type"] as? String ?? "none" }
    }

    /// The objects of one type.
    func all(_ type: String) -> [[String: Any]] {
        objects.filter { $0["type"] as? String == type }
    }

    /// The last object of one type, empty where there is none.
    func last(_ type: String) -> [String: Any] {
        all(type).last ?? [:]
    }

    /// The names of the fields of a line, in their order; for objects without a nested one.
    static func fields(_ line: String) -> [String] {
        line.split(separator: ",").compactMap { part in
            part.split(separator: "\"", maxSplits: 2).dropFirst().first.map(String.init)
        }
    }
}
