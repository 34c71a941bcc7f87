import CrawlCore
import CrawlHTTP

/// The texts of a crawl that nobody may see: values from the environment, passwords, the cookie, the crumb.
///
/// Whatever leaves a crawl as a message goes through `hide`. A text of fewer than four characters is no secret, and
/// hiding it would spoil every sentence; where it stands in an address it is left out all the same.
final class SecretValues: Sendable {
    private static let shortest = 4

    /// The forms in which the secrets may be repeated, the longest first.
    private let forms: Locked<[String]>

    init(_ values: some Sequence<String> = [String]()) {
        forms = Locked([])
        add(values)
    }

    /// Adds secrets that came up while the crawl was running.
    func add(_ values: some Sequence<String>) {
        let added = values.filter { $0.count >= Self.shortest }.flatMap(Self.forms)
        guard !added.isEmpty else { return }
        forms.withLock { forms in
            forms = Set(forms + added).sorted { ($0.utf8.count, $0) > ($1.utf8.count, $1) }
        }
    }

    /// The text with `***` for each secret, also for the beginning of one before an ellipsis.
    func hide(in text: String) -> String {
        let forms = forms.withLock { $0 }
        guard !forms.isEmpty else { return text }
        return Self.hideCut(forms, in: URLText.hiding(forms, in: text))
    }

    /// The failure without secrets.
    func hide(in failure: FetchFailure) -> FetchFailure {
        switch failure {
        case .network(let fault, let detail): .network(fault, detail: hide(in: detail))
        case .status(let status, let retryAfter, let body):
            .status(status, retryAfter: retryAfter, body: hide(in: body))
        case .unreadable(let kind, let detail): .unreadable(kind, detail: hide(in: detail))
        case .handshake(let problem, let detail): .handshake(problem, detail: hide(in: detail))
        }
    }

    /// How a server may repeat a secret: as it is, in an address, in JSON, in HTML.
    private static func forms(of secret: String) -> [String] {
        let encoded = URLText.encoded(secret)
        let inJSON = secret.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        let inHTML = secret.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return [
            secret, encoded, encoded.replacing("%20", with: "+"), lowerCasedEscapes(encoded), inJSON,
            inJSON.replacing("/", with: "\\/"), inHTML, inHTML.replacing("\"", with: "&quot;"),
        ]
    }

    /// `%2f` for `%2F`.
    private static func lowerCasedEscapes(_ encoded: String) -> String {
        var isEscape = 0
        return String(
            encoded.map { character in
                if character == "%" {
                    isEscape = 2
                    return character
                }
                defer { isEscape = max(0, isEscape - 1) }
                return isEscape > 0 ? Character(character.lowercased()) : character
            })
    }

    /// Hides what an ellipsis left of a secret.
    private static func hideCut(_ forms: [String], in text: String) -> String {
        guard text.contains("…") else { return text }
        let pieces = text.split(separator: "…", omittingEmptySubsequences: false)
        let shown = pieces.dropLast().map { piece -> Substring in
            for form in forms {
                for length in stride(from: min(form.count, piece.count), through: shortest, by: -1)
                where piece.hasSuffix(form.prefix(length)) {
                    return piece.dropLast(length) + URLText.mask
                }
            }
            return piece
        }
        return (shown + pieces.suffix(1)).joined(separator: "…")
    }
}
