import Foundation
import TestSupport
import Testing

@Suite(
    "A server that cannot prove who it is", .fewAtOnce,
    .enabled(if: SecureServers.isAvailable, "needs openssl and python3"))
struct HostileCertificateTests {
    private struct Refusal {
        var kind: SecureServers.Kind
        var says: [String]
        /// Whether the authority of the certificates is trusted.
        var trusts = true
    }

    private static let refusals = [
        Refusal(kind: .expired, says: ["certificate has expired", "has to renew its certificate"]),
        Refusal(kind: .future, says: ["certificate is not yet valid", "clock"]),
        Refusal(kind: .wrongName, says: ["localhost", "answers for another one"]),
        Refusal(kind: .selfSigned, says: ["self-signed certificate", "SSL_CERT_FILE"]),
        Refusal(kind: .good, says: ["unable to get local issuer certificate", "SSL_CERT_FILE"], trusts: false),
        Refusal(kind: .oldTLS, says: ["no secure connection", "TLS 1.2"]),
        Refusal(kind: .redirectWithoutTLS, says: ["redirects from https to http"]),
    ]

    @Test("is refused at once, with what is wrong and what to do; a good one is let in")
    func certificates() async throws {
        let servers = try await SecureServers()
        for refusal in Self.refusals {
            let scene = try HostileScene { _ in [.close] }
            try scene.writeSource(at: servers.url(refusal.kind))
            let result = try await scene.crawl(
                ["--source", "things.json", "--count", "1", "-v"],
                environment: refusal.trusts ? ["SSL_CERT_FILE": servers.authority] : [:])
            #expect(result.exitCode == 69, "\(refusal.kind): \(result)")
            for part in refusal.says {
                #expect(result.errors.contains(part), "\(refusal.kind) does not say '\(part)': \(result)")
            }
            #expect(!result.errors.contains("trying again"), "\(result)")
            #expect(try await scene.query("SELECT count(*) FROM crawl_pages") == "0")
        }
        let scene = try HostileScene { _ in [.close] }
        try scene.writeSource(at: servers.url(.good))
        let result = try await scene.crawl(
            ["--source", "things.json", "--count", "1"], environment: ["SSL_CERT_FILE": servers.authority])
        #expect(result.exitCode == 0, "\(result)")
    }

    @Test("A next link that gives up TLS is followed with TLS")
    func nextLink() async throws {
        let servers = try await SecureServers()
        let scene = try HostileScene { _ in [.close] }
        try scene.writeSource(at: servers.url(.nextWithoutTLS), pagination: #"{ "style": "link" }"#)
        let result = try await scene.crawl(
            ["--source", "things.json", "-v"], environment: ["SSL_CERT_FILE": servers.authority])
        #expect(result.exitCode == 0, "\(result)")
        #expect(!result.errors.contains("http://"), "\(result)")
        #expect(try await scene.query("SELECT group_concat(id) FROM things") == "1,2")
    }

    @Test("A server without TLS is named as such")
    func plainServer() async throws {
        let scene = try HostileScene { _ in [.answer(text: "[]")] }
        // It answers what it cannot read, as web servers do.
        let plain = try ScriptedServer(readingRequests: false) { _ in
            [.text("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .pause(.milliseconds(200))]
        }
        defer { plain.stop() }
        try scene.writeSource(at: plain.url("/things").replacing("http:", with: "https:"))
        let result = try await scene.crawl(["--source", "things.json", "--count", "1"])
        #expect(result.exitCode == 69, "\(result)")
        #expect(result.errors.contains("speaks no TLS at that port"), "\(result)")
        #expect(result.errors.contains("http:// instead of https://"), "\(result)")
        #expect(!result.errors.contains("SSL_CERT_FILE"), "\(result)")
    }
}
