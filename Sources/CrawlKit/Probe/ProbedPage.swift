import CrawlCore
import CrawlHTTP
import CrawlJSON

/// An answer of an API that nothing is known of yet.
package struct ProbedPage: Sendable {
    /// The address that answered.
    package var url: String
    package var headers: HTTPHeaders
    package var body: JSONValue

    package init(url: String, headers: HTTPHeaders = [:], body: JSONValue) {
        self.url = url
        self.headers = headers
        self.body = body
    }
}

/// What comes of a request that is made to find something out.
package enum ProbeAnswer: Sendable {
    case page(ProbedPage)
    /// The server refuses the request, or answers with no JSON; in words.
    case refused(String)
    /// Enough requests were made.
    case spent
}

/// Something that a probe found out, or could not.
package struct ProbeNote: Sendable, Equatable {
    /// A whole sentence.
    package var text: String
    /// Whether it is a guess that a person should look at.
    package var isDoubt: Bool

    static func found(_ text: String) -> ProbeNote { ProbeNote(text: text, isDoubt: false) }
    static func doubt(_ text: String) -> ProbeNote { ProbeNote(text: text, isDoubt: true) }
}
