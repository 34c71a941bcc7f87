/// The fields of a request or an answer, in the order in which they stand; repeated fields are kept.
///
/// Names are compared without regard to case ([RFC 9110, 5.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.1)).
package struct HTTPHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// One field line.
    package struct Field: Sendable, Equatable {
        /// The name as it was sent.
        package var name: String
        /// The value without blanks around it.
        package var value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The field lines in order.
    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) {
        self.fields = fields
    }

    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of the first field of that name.
    package subscript(name: String) -> String? {
        fields.first { Self.areEqual($0.name, name) }?.value
    }

    /// The values of all fields of that name, in order.
    package func values(of name: String) -> [String] {
        fields.filter { Self.areEqual($0.name, name) }.map(\.value)
    }

    /// Adds a field after those that are there.
    package mutating func add(name: String, value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields whose lower-cased names `isUnwanted` names.
    package mutating func removeAll(where isUnwanted: (_ lowerCasedName: String) -> Bool) {
        fields.removeAll { isUnwanted($0.name.lowercased()) }
    }

    package mutating func removeAll(keepingCapacity: Bool) {
        fields.removeAll(keepingCapacity: keepingCapacity)
    }

    /// Compares ASCII without regard to case; without `lowercased()`, which allocates.
    private static func areEqual(_ first: String, _ second: String) -> Bool {
        let a = first.utf8
        let b = second.utf8
        return a.count == b.count && zip(a, b).allSatisfy { lowerCased($0) == lowerCased($1) }
    }

    private static func lowerCased(_ byte: UInt8) -> UInt8 {
        byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
    }
}
