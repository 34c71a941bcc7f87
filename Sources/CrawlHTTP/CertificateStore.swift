/// Where the certificates stand that a server's is checked against.
package struct CertificateStore: Sendable, Equatable {
    /// A file of certificates in PEM, nil for the system's.
    package var file: String?
    /// A folder of certificates, or several with colons between them, nil for the system's.
    package var folder: String?

    /// The store that the environment names: `SSL_CERT_FILE`, else `CURL_CA_BUNDLE`, and `SSL_CERT_DIR`.
    ///
    /// libcurl's command reads these, the library does not.
    package init(environment: [String: String]) {
        func value(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        file = value("SSL_CERT_FILE") ?? value("CURL_CA_BUNDLE")
        folder = value("SSL_CERT_DIR")
    }
}
