import CrawlHTTP

/// What a person typed, without the secrets in it.
package enum SecretText {
    /// A word of a command line with `***` for user and password in an address, and for values that sound secret.
    package static func hidden(inArgument word: String) -> String {
        guard let slashes = word.firstRange(of: "://") else {
            let name = word.prefix { $0 != "=" }
            let isSecret = !name.hasPrefix("-") && name.endIndex < word.endIndex && URLText.isSecret(String(name))
            return isSecret ? name + "=" + URLText.mask : word
        }
        let hasUser = word[slashes.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains("@")
        let shown = URLText.display(word)
        return hasUser ? shown.replacing("://", with: "://\(URLText.mask)@", maxReplacements: 1) : shown
    }
}

extension URLText {
    /// Whether an address holds a secret of its own: a user or password, or a value that sounds secret by its name.
    ///
    /// A placeholder and a variable of the environment are no secrets, they only lead to one.
    static func holdsSecret(_ address: String) -> Bool {
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let afterScheme = parts[0].firstRange(of: "//").map { parts[0][$0.upperBound...] } ?? parts[0]
        if afterScheme.prefix(while: { $0 != "/" && $0 != "#" }).contains("@") { return true }
        guard parts.count > 1 else { return false }
        return parts[1].prefix { $0 != "#" }.split(separator: "&").contains { item in
            let name = item.prefix { $0 != "=" }
            let value = item[name.endIndex...].dropFirst()
            let isReference = value.hasSuffix("}") && (value.hasPrefix("{") || value.hasPrefix("${"))
            return !value.isEmpty && !isReference && isSecret(decoded(name))
        }
    }
}
