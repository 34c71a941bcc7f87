/// A complete answer, whatever its status.
package struct HTTPResponse: Sendable {
    /// The status code; a redirect's only where it names no place to go.
    package var status: Int
    /// The fields of the last answer, without those of the redirects before it.
    package var headers: HTTPHeaders
    /// The decoded body.
    package var body: ResponseBody
    /// Bytes of the body as they came over the wire, before decoding.
    package var wireBytes: Int
    /// The address that answered, after redirects; it may hold secrets.
    package var finalURL: String
    /// Seconds from the start of the request to the end of the answer.
    package var seconds: Double

    package init(
        status: Int, headers: HTTPHeaders, body: ResponseBody, wireBytes: Int, finalURL: String, seconds: Double
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.wireBytes = wireBytes
        self.finalURL = finalURL
        self.seconds = seconds
    }
}
