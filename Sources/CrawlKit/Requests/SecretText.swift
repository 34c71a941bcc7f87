import CrawlHTTP

/// What a person typed, without the secrets in it.
package enum SecretText {
    /// A word of a command line with `***` for user and password in an address, and for values that sound secret.
    package static func hidden(inArgument word: String) -> String {
        guard let slashes = word.firstRange(of: "://") else {
            let (name, value) = URLText.sides(of: word)
            let isSecret = !name.hasPrefix("-") && value != nil && URLText.isSecret(String(name))
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
        let (beginning, items) = URLText.beginningAndItems(of: address)
        let afterScheme = beginning.firstRange(of: "//").map { beginning[$0.upperBound...] } ?? beginning[...]
        if afterScheme.prefix(while: { $0 != "/" && $0 != "#" }).contains("@") { return true }
        return items.contains { item in
            let sides = URLText.sides(of: item)
            let value = sides.value ?? ""
            let isReference = value.hasSuffix("}") && (value.hasPrefix("{") || value.hasPrefix("${"))
            return !value.isEmpty && !isReference && isSecret(decoded(sides.name))
        }
    }
}
