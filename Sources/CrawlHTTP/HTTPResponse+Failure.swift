import CrawlCore

extension HTTPResponse {
    /// Why the answer cannot be a page: nil for the status 200, else the status, the wait that it asks for and the first
    /// characters of the body.
    ///
    /// `secrets` are hidden where the body repeats them.
    package func failure(hiding secrets: some Sequence<String> = [String]()) -> FetchFailure? {
        guard status != 200 else { return nil }
        return .status(status, retryAfter: headers["Retry-After"], body: beginning(hiding: secrets))
    }

    /// The first characters of the body on one line, for people to read.
    package func beginning(hiding secrets: some Sequence<String> = [String]()) -> String {
        // More than is shown, so that a secret at the edge is hidden as a whole.
        let bytes = body.withUnsafeBytes { Array($0.prefix(4096)) }
        let text = URLText.hiding(secrets, in: String(decoding: bytes, as: UTF8.self))
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        let line = words.joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }
}
