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
