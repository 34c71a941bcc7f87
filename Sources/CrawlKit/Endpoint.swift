import CrawlCore
import CrawlHTTP

/// Where a source is asked.
package struct Endpoint: Sendable, Equatable {
    /// What kind of server answers.
    package enum Kind: Sendable {
        /// The address of the source file.
        case live
        /// An address that the user named instead.
        case named
        /// The built-in stand-in.
        case standIn
    }

    /// How the ledger and messages call the stand-in.
    package static let standInLabel = "stand-in"

    package var kind: Kind
    /// The address of the first request, complete but for what the pager adds.
    package var url: String
    /// The address as the ledger and messages show it: without secrets, `stand-in` for the stand-in.
    package var label: String

    /// An address as the ledger and messages show it: without the secrets that it may hold.
    package static func label(of url: String) -> String {
        URLText.display(url)
    }

    package init(kind: Kind, url: String, label: String) {
        self.kind = kind
        self.url = url
        self.label = label
    }
}
