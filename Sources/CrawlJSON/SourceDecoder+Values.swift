import CrawlCore

extension SourceDecoder {
    /// The members of an object whose keys are known; reports unknown and repeated ones.
    mutating func object(_ value: JSONValue, at place: String, keys: [String]) -> [String: JSONValue]? {
        guard let members = members(value, at: place) else { return nil }
        for member in members where !keys.contains(member.key) {
            note(place, "unknown key '\(member.key.shown)'" + hint(member.key, keys, else: keys))
        }
        return Dictionary(members.map { ($0.key, $0.value) }) { $1 }
    }

    /// The members of any object; reports repeated keys.
    mutating func members(_ value: JSONValue, at place: String) -> [JSONMember]? {
        guard case .object(let members) = value else {
            note(place, "expected an object, got \(value.kind.withArticle)")
            return nil
        }
        var seen: Set<String> = []
        for member in members where !seen.insert(member.key).inserted {
            note(place, "the key '\(member.key.shown)' is there twice")
        }
        return members
    }

    mutating func text(
        _ members: [String: JSONValue], _ key: String, at place: String, isRequired: Bool = true
    ) -> String? {
        switch members[key] {
        case .text(let text)? where !text.isEmpty: return text
        case .text?: note(place.within(key), "is empty")
        case nil: if isRequired { note(place, "the key '\(key)' is missing") }
        case let value?: note(place.within(key), "expected a text, got \(value.kind.withArticle)")
        }
        return nil
    }

    mutating func bool(_ members: [String: JSONValue], _ key: String, at place: String) -> Bool? {
        switch members[key] {
        case .bool(let bool)?: return bool
        case nil: return nil
        case let value?:
            note(place.within(key), "expected true or false, got \(value.kind.withArticle)")
            return nil
        }
    }

    mutating func integer(
        _ members: [String: JSONValue], _ key: String, at place: String, least: Int, isRequired: Bool = false
    ) -> Int? {
        switch members[key] {
        case .integer(let integer)? where integer >= least && integer <= Int32.max: return Int(integer)
        case nil:
            if isRequired { note(place, "the key '\(key)' is missing") }
        case let value?:
            note(place.within(key), "expected a whole number from \(least) to \(Int32.max), got \(value.text.shown)")
        }
        return nil
    }

    mutating func choice<Choice: RawRepresentable<String>>(
        _ members: [String: JSONValue], _ key: String, at place: String, _ choices: [Choice]
    ) -> Choice? {
        guard members[key] != nil, let word = text(members, key, at: place) else { return nil }
        if let choice = Choice(rawValue: word) { return choice }
        let words = choices.map(\.rawValue)
        note(place.within(key), "unknown value '\(word.shown)'" + hint(word, words, else: words))
        return nil
    }

    /// An object of texts, such as headers.
    mutating func texts(
        _ value: JSONValue?, at place: String, check: (String) -> String?
    ) -> [String: String] {
        guard let value, let members = members(value, at: place) else { return [:] }
        var texts: [String: String] = [:]
        for member in members {
            if let problem = check(member.key) { note(place.within(member.key.shown), problem) }
            switch member.value {
            case .text(let text): texts[member.key] = text
            case .integer, .real, .number, .bool: texts[member.key] = member.value.text
            default: note(place.within(member.key.shown), "expected a text, got \(member.value.kind.withArticle)")
            }
        }
        return texts
    }

    /// A path, written as keys joined by dots or, where a key has a dot itself, as a list of keys.
    mutating func path(_ value: JSONValue, at place: String) -> JSONPath? {
        switch value {
        case .text("$"): return JSONPath([])
        case .text(let text):
            let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            if text.hasPrefix("$.") {
                note(place, "write '\(text.dropFirst(2).description.shown)' instead of '\(text.shown)'")
            } else if parts.contains("") {
                note(place, "the path '\(text.shown)' has an empty part")
            } else if parts.contains(where: { $0.hasSuffix("]") && $0.contains("[") }) {
                note(place, "write the number of a list's element like a key, as in 'results.0', not '\(text.shown)'")
            } else {
                return JSONPath(parts)
            }
        case .array(let elements):
            let keys = elements.compactMap { if case .text(let key) = $0 { key } else { nil } }
            if keys.count == elements.count { return JSONPath(keys) }
            note(place, "expected a list of keys")
        default: note(place, "expected a path such as 'results', got \(value.kind.withArticle)")
        }
        return nil
    }

    mutating func check(name: String, at place: String) {
        if !name.isIdentifier {
            note(place, "'\(name.shown)' must have letters, digits and _ only, and not begin with a digit")
        } else if let prefix = ["crawl_", "sqlite_"].first(where: { name.lowercased().hasPrefix($0) }) {
            note(place, "'\(name)' must not begin with \(prefix)")
        } else if name.utf8.count > 60 {
            note(place, "'\(name.shown)' is longer than 60 characters")
        }
    }

    /// The end of a message about a misspelt word: the word that was meant, or all words that are allowed.
    func hint(_ word: String, _ candidates: [String], else all: [String] = []) -> String {
        if let meant = NearMiss.suggestion(for: word, among: candidates) { return ", did you mean '\(meant)'?" }
        return all.isEmpty ? "" : ", allowed are " + all.joined(separator: ", ")
    }
}

extension String {
    /// The text made fit for a message.
    var shown: String { Printable.text(utf8) }

    /// The place of a key within this place.
    func within(_ key: String) -> String { isEmpty ? key : "\(self).\(key)" }

    /// ASCII letters, digits and `_`, not beginning with a digit.
    var isIdentifier: Bool {
        guard let first = utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
        return unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0.isDigit || $0 == "_") }
    }

    /// A token of RFC 9110, section 5.6.2.
    var isHeaderName: Bool {
        !isEmpty
            && unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || $0.isDigit || "!#$%&'*+-.^_`|~".unicodeScalars.contains($0))
            }
    }

    /// No control characters but the tab.
    var isHeaderValue: Bool {
        unicodeScalars.allSatisfy { $0 == "\t" || ($0.value >= 0x20 && $0.value != 0x7F) }
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
