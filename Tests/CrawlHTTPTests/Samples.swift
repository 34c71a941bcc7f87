import Foundation

/// Encoded bodies, made with zlib and brotli.
enum Samples {
    /// What the encoded samples hold.
    static let text = #"[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]"# + "\n"

    static let gzip = bytes(
        "H4sIAAAAAAACA4uuVspMUbIy1FHKS8xNVbJSckxJVKrVgYgawUXdixKTU5VqY7kA+IZCCzAAAAA=")
    static let deflate = bytes("eJyLrlbKTFGyMtRRykvMTVWyUnJMSVSq1YGIGsFF3YsSk1OVamO5AFLjDd4=")
    /// As some servers send it: without zlib's frame.
    static let bareDeflate = bytes("i65WykxRsjLUUcpLzE1VslJyTElUqtWBiBrBRd2LEpNTlWpjuQA=")
    static let brotli = bytes("ixeAW3siaWQiOjEsIm5hbWUiOiJBZGEifSx7ImlkIjoyLCJuYW1lIjoiR3JhY2UifV0KAw==")
    /// 200,000 blanks as gzip.
    static let bomb = bytes(
        "H4sIAAAAAAACA+3BMQEAAADCoCrrn9IM/kABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            + "AAAAAAAAAAAAAAAAAAAAAAAK8BMWFiEEANAwA="
    )

    private static func bytes(_ base64: String) -> [UInt8] {
        Data(base64Encoded: base64).map(Array.init) ?? []
    }
}
