/// One GET request.
package struct HTTPRequest: Sendable, Equatable {
    /// The address, `http` or `https`, complete with its query.
    package var url: String
    /// Fields sent besides those that every request has (Host, User-Agent, Accept, Accept-Encoding).
    package var headers: HTTPHeaders
    /// Lower-cased names of fields in `headers` that hold secrets.
    ///
    /// They are not sent to another host, port or scheme when a redirect leads there; nor are `Authorization` and
    /// `Cookie`, which need not be named.
    package var secretHeaderNames: Set<String>
    /// The time that the whole request may take, redirects included.
    package var timeout: Duration
    /// The most bytes that the decoded body may have.
    package var maxBodyBytes: Int
    /// The most bytes that the status line and the fields of one answer may have.
    package var maxHeaderBytes: Int

    package init(
        url: String, headers: HTTPHeaders = [:], secretHeaderNames: Set<String> = [], timeout: Duration = .seconds(30),
        maxBodyBytes: Int = 64 << 20, maxHeaderBytes: Int = 256 << 10
    ) {
        self.url = url
        self.headers = headers
        self.secretHeaderNames = secretHeaderNames
        self.timeout = timeout
        self.maxBodyBytes = maxBodyBytes
        self.maxHeaderBytes = maxHeaderBytes
    }
}
