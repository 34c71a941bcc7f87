import Foundation

/// A JSON Schema (draft 2020-12), as far as the schema of source files needs it.
///
/// A keyword that it does not know is a problem: what is not checked here must not stand in the schema.
struct JSONSchema {
    /// The whole document, for references.
    let root: [String: Any]

    init(_ text: String) throws {
        root = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    }

    /// What is wrong with a JSON text; empty where it is valid.
    func problems(of text: String) throws -> [String] {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        return problems(value, root, "")
    }

    private func problems(_ value: Any, _ schema: Any, _ place: String) -> [String] {
        guard let schema = schema as? [String: Any] else {
            return schema as? Bool == true ? [] : ["\(place): not allowed"]
        }
        return schema.flatMap { problems(value, schema, $0.key, $0.value, place) }
    }

    private func isValid(_ value: Any, _ schema: Any) -> Bool { problems(value, schema, "").isEmpty }

    private func problems(
        _ value: Any, _ schema: [String: Any], _ keyword: String, _ argument: Any, _ place: String
    ) -> [String] {
        func need(_ holds: Bool) -> [String] { holds ? [] : ["\(place): \(keyword) \(argument)"] }
        let (object, list, text) = (value as? [String: Any], value as? [Any], value as? String)
        let all = argument as? [Any] ?? []
        switch keyword {
        case "$schema", "$defs", "title", "description", "default", "examples", "then": return []
        case "$ref":
            let name = (argument as? String)?.split(separator: "/").last.map(String.init) ?? ""
            guard let target = (root["$defs"] as? [String: Any])?[name] else { return ["no definition \(name)"] }
            return problems(value, target, place)
        case "type":
            let types = (argument as? [String]) ?? [argument as? String ?? ""]
            return need(
                types.contains(Self.type(of: value)) || types.contains("number") && Self.type(of: value) == "integer")
        case "const": return need(Self.areEqual(value, argument))
        case "enum": return need(all.contains { Self.areEqual(value, $0) })
        case "not": return need(!isValid(value, argument))
        case "anyOf": return need(all.contains { isValid(value, $0) })
        case "oneOf": return need(all.count { isValid(value, $0) } == 1)
        case "if": return isValid(value, argument) ? problems(value, schema["then"] ?? true, place) : []
        case "pattern":
            return need(
                text.map { $0.range(of: argument as? String ?? "", options: .regularExpression) != nil } ?? true)
        case "minLength": return need(text.map { $0.count >= argument as? Int ?? 0 } ?? true)
        case "maxLength": return need(text.map { $0.count <= argument as? Int ?? 0 } ?? true)
        case "minimum": return need((value as? Double).map { $0 >= argument as? Double ?? 0 } ?? true)
        case "maximum": return need((value as? Double).map { $0 <= argument as? Double ?? 0 } ?? true)
        case "minItems": return need(list.map { $0.count >= argument as? Int ?? 0 } ?? true)
        case "uniqueItems": return need(list.map { Set($0.map { "\($0)" }).count == $0.count } ?? true)
        case "items": return (list ?? []).flatMap { problems($0, argument, place + "[]") }
        case "contains": return need(list.map { $0.contains { isValid($0, argument) } } ?? true)
        case "minProperties": return need(object.map { $0.count >= argument as? Int ?? 0 } ?? true)
        case "maxProperties": return need(object.map { $0.count <= argument as? Int ?? 0 } ?? true)
        case "required":
            return need(object.map { object in all.allSatisfy { object[$0 as? String ?? ""] != nil } } ?? true)
        case "dependentRequired":
            let rules = argument as? [String: [String]] ?? [:]
            return need(
                rules.allSatisfy { key, needed in object?[key] == nil || needed.allSatisfy { object?[$0] != nil } })
        case "propertyNames": return (object ?? [:]).flatMap { problems($0.key, argument, "\(place).\($0.key)") }
        case "properties":
            let rules = argument as? [String: Any] ?? [:]
            return (object ?? [:]).flatMap { key, value in
                rules[key].map { problems(value, $0, "\(place).\(key)") } ?? []
            }
        case "additionalProperties":
            let known = schema["properties"] as? [String: Any] ?? [:]
            return (object ?? [:]).filter { known[$0.key] == nil }
                .flatMap { problems($0.value, argument, "\(place).\($0.key)") }
        default: return ["the keyword \(keyword) is not known to the tests"]
        }
    }

    private static func type(of value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case is [Any]: "array"
        case is [String: Any]: "object"
        case is String: "string"
        case let number as NSNumber where number.objCType.pointee == 0x63: "boolean"
        case let number as NSNumber: number.doubleValue == number.doubleValue.rounded() ? "integer" : "number"
        default: "?"
        }
    }

    private static func areEqual(_ first: Any, _ second: Any) -> Bool {
        type(of: first) == type(of: second) && "\(first)" == "\(second)"
    }
}
