import CrawlCore

@testable import CrawlHTTP

/// Addresses, a reference and a value, a line each.
enum AddressProperties {
    private static let base = HTTPURL("https://api.example.org/v1/items?page=2")
    private static let secret = "s3cr3t/+ value"

    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let url = lines[0]
        let name = lines.count > 1 ? lines[1] : "name"
        let value = lines.count > 2 ? lines[2] : url

        let encoded = URLText.encoded(value)
        try require(URLText.decoded(encoded) == value, "\(value) is encoded as \(encoded)")
        try checkItems(of: url, name, value)
        try checkSecrets(in: url, name)
        try checkURL(url)
        try checkTemplate(url)
        if let address = NetworkAddress(value) {
            try require(!address.isLoopback || address.isPrivate, "\(value) is this machine and public")
        }
    }

    private static func checkItems(of url: String, _ name: String, _ value: String) throws(BrokenProperty) {
        let changed = URLText.setting([(name, value)], in: url)
        let found = URLText.items(in: changed).filter { $0.name == name }.map(\.value)
        try require(found == [value], "\(name)=\(value) set in \(url) gives \(changed), \(found)")
        try require(URLText.setting([(name, value)], in: changed) == changed, "set twice in \(changed)")
        let removed = URLText.removing([name], from: changed)
        try require(!URLText.items(in: removed).contains { $0.name == name }, "\(name) is still in \(removed)")
    }

    /// A secret never shows, whether it is named as one, sounds like one or is in the user information.
    private static func checkSecrets(in url: String, _ name: String) throws(BrokenProperty) {
        let hidden = URLText.display(
            URLText.setting([(name, secret)], in: url), hiding: [secret])
        try require(!hidden.contains(URLText.encoded(secret)), "\(hidden) shows the secret")
        let sounding = URLText.display(URLText.setting([("api_key", secret)], in: url))
        try require(!sounding.contains(URLText.encoded(secret)), "\(sounding) shows the key")
        // One that stands in the path as well is no secret that could be told from it.
        if let password = HTTPURL(url)?.password, password.utf8.count > 8, url.ranges(of: password).count == 1 {
            let shown = URLText.display(url)
            try require(!shown.contains(password), "\(shown) shows the password")
        }
    }

    private static func checkURL(_ text: String) throws(BrokenProperty) {
        for url in [HTTPURL(text), base?.resolving(text)].compactMap({ $0 }) {
            try require(url.scheme == "http" || url.scheme == "https", "the scheme is \(url.scheme)")
            try require(!url.host.isEmpty && (0...65_535).contains(url.port), "\(url.host) port \(url.port)")
            guard let again = HTTPURL(url.text) else {
                throw BrokenProperty(description: "\(url.text) cannot be read again")
            }
            try require(again.text == url.text && again.isSameOrigin(as: url), "\(url.text) becomes \(again.text)")
            try require(again.user == nil && again.password == nil, "\(url.text) holds a password")
            try require(url.pathAndQuery.isEmpty || "/?".contains(url.pathAndQuery.prefix(1)), "\(url.pathAndQuery)")
        }
        guard let base else { return }
        let step = try? RedirectPolicy().follow(text, from: base, connectedAddress: "93.184.216.34", followed: 0)
        if let step {
            try require(step.url.scheme == "https" && !step.url.isPrivate, "a redirect leads to \(step.url.text)")
            try require(!step.keepsSecrets || step.url.host == base.host, "secrets go to \(step.url.host)")
        }
    }

    private static func checkTemplate(_ text: String) throws(BrokenProperty) {
        guard let template = try? Template(parsing: text, hasPlaceholders: true) else { return }
        let written = template.filled { part in
            switch part {
            case .placeholder(let name): "{\(name)}"
            case .variable(let name): "${\(name)}"
            case .text(let text): text
            }
        }
        try require(written == text, "\(text) is written as \(written)")
    }
}
