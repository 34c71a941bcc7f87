import CSimdJSON
import CrawlCore

/// Any JSON value, with the members of objects in the order in which they were written.
///
/// For small things: source files, events, cursors. Records of a page are read by `PageReader`.
package enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    /// A number that neither a 64-bit integer nor a double holds without loss, in the digits that were written.
    case number(String)
    case text(String)
    case array([JSONValue])
    case object([JSONMember])

    /// Reads a whole JSON text.
    ///
    /// - Throws: `JSONSyntaxError` with the place of the first mistake.
    package init(parsing text: UnsafeRawBufferPointer) throws(JSONSyntaxError) {
        guard let tree = csj_tree_create() else { preconditionFailure("no memory for a JSON tree") }
        defer { csj_tree_destroy(tree) }
        let status = csj_tree_read(tree, text.baseAddress?.assumingMemoryBound(to: UInt8.self), text.count)
        guard Int(status) == CSJ_OK else { throw JSONSyntaxError(status: Int(status), text: text) }
        var count = 0
        let nodes = UnsafeBufferPointer(start: csj_tree_nodes(tree, &count), count: count)
        var next = 0
        self = Self.value(nodes, &next)
    }

    /// Reads a whole JSON text.
    ///
    /// - Throws: `JSONSyntaxError` with the place of the first mistake.
    package init(parsing text: String) throws(JSONSyntaxError) {
        var text = text
        let result: Result<JSONValue, JSONSyntaxError> = text.withUTF8 { bytes in
            do throws(JSONSyntaxError) {
                return .success(try JSONValue(parsing: UnsafeRawBufferPointer(bytes)))
            } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    /// The member of an object; where a key is written twice, its last value.
    package subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.value
    }

    /// The value at a path; components of digits also select elements of an array.
    package subscript(path: JSONPath) -> JSONValue? {
        var value: JSONValue? = self
        for component in path.components {
            if case .array(let elements) = value {
                value = Int(component).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                value = value?[component]
            }
        }
        return value
    }

    /// The kind of the value, for a message.
    var kind: JSONKind {
        switch self {
        case .null: .null
        case .bool: .boolean
        case .integer, .real, .number: .number
        case .text: .text
        case .array: .list
        case .object: .object
        }
    }

    private static func value(_ nodes: UnsafeBufferPointer<csj_node>, _ next: inout Int) -> JSONValue {
        let node = nodes[next]
        next += 1
        switch Int(node.kind) {
        case CSJ_NODE_TRUE: return .bool(true)
        case CSJ_NODE_FALSE: return .bool(false)
        case CSJ_NODE_NUMBER: return numeric(string(node))
        case CSJ_NODE_STRING: return .text(string(node))
        case CSJ_NODE_ARRAY: return .array((0..<node.count).map { _ in value(nodes, &next) })
        case CSJ_NODE_OBJECT:
            return .object(
                (0..<node.count).map { _ in
                    let key = nodes[next]
                    next += 1
                    return JSONMember(string(key), value(nodes, &next), offset: key.offset)
                })
        default: return .null
        }
    }

    private static func string(_ node: csj_node) -> String {
        String(decoding: UnsafeRawBufferPointer(start: node.text.bytes, count: node.text.length), as: UTF8.self)
    }

    private static func numeric(_ digits: String) -> JSONValue {
        if let integer = Int64(digits), digits != "-0" { return .integer(integer) }
        let isWhole = digits.allSatisfy { $0.isNumber || $0 == "-" }
        if let real = Double(digits), real.isFinite, !isWhole || digits == "-0" { return .real(real) }
        return .number(digits)
    }
}

/// A key and its value.
package struct JSONMember: Sendable, Equatable {
    package var key: String
    package var value: JSONValue
    /// Where the key stands in the text that was read, in bytes; 0 for a value made in Swift.
    package var offset: Int

    package init(_ key: String, _ value: JSONValue, offset: Int = 0) {
        self.key = key
        self.value = value
        self.offset = offset
    }

    /// Equal where key and value are, wherever they stand.
    package static func == (first: JSONMember, second: JSONMember) -> Bool {
        first.key == second.key && first.value == second.value
    }
}
