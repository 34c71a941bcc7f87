import CrawlCore

extension SourceFile {
    /// The lines of the keys that say how a source lets itself be asked; none where it has nothing of the kind.
    static func accessMembers(of source: Source) -> [String] {
        var lines: [String] = []
        switch source.authentication {
        case .cookieCrumb(let handshake)?:
            var members = [
                JSONMember("style", .text("cookie-crumb")), JSONMember("cookie", .text(handshake.cookie)),
                JSONMember("crumb", .text(handshake.crumb)), JSONMember("parameter", .text(handshake.parameter)),
            ]
            if let userAgent = handshake.userAgent { members.append(JSONMember("userAgent", .text(userAgent))) }
            lines.append(block("auth", members))
        case nil: break
        }
        if let fallback = source.fallback {
            var members = [JSONMember("url", .text(fallback.url)), JSONMember("each", .text(fallback.each))]
            if fallback.placeholder != fallback.each { members.append(JSONMember("as", .text(fallback.placeholder))) }
            members.append(JSONMember("records", value(fallback.records)))
            if !fallback.paths.isEmpty {
                let paths = source.columns.compactMap { column in
                    fallback.paths[column.name].map { JSONMember(column.name, value($0)) }
                }
                members.append(JSONMember("columns", .object(paths)))
            }
            lines.append(block("fallback", members))
        }
        if let expectation = source.expectation {
            let members = [
                JSONMember("column", .text(expectation.column)), JSONMember("from", .text(expectation.placeholder)),
            ]
            lines.append(member("expect", .object(members)))
        }
        return lines
    }

    /// A key whose object takes a line a member.
    private static func block(_ key: String, _ members: [JSONMember]) -> String {
        let lines = members.map { "  " + member($0.key, $0.value) }
        return "  \(JSONValue.text(key).text): {\n" + lines.joined(separator: ",\n") + "\n  }"
    }
}
