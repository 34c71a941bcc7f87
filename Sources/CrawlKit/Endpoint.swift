import CrawlCore
import CrawlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
    /// The address of the first request, complete but for what the pager adds; holds secrets, but no user and password.
    package var url: String
    /// The address without secrets.
    package var shown: String
    /// The address as the ledger and messages show it: without secrets, `stand-in` for the stand-in.
    package var label: String
    /// The `Authorization` field that the address's user and password amount to; a secret.
    package var authorization: String?

    /// Takes an address whose placeholders and variables are filled in.
    init(kind: Kind, _ address: Filling.Text) {
        self.kind = kind
        shown = URLText.display(address.shown)
        label = kind == .standIn ? Self.standInLabel : shown
        url = address.sent
        guard let parsed = HTTPURL(address.sent), parsed.user != nil || parsed.password != nil else { return }
        // As a field it goes with every page of the same origin, also where the server names the next address.
        let pair = "\(parsed.user ?? ""):\(parsed.password ?? "")"
        authorization = "Basic " + Data(pair.utf8).base64EncodedString()
        url = parsed.text
    }
}
