import CrawlCore
import Foundation
import TestSupport
import Testing

@testable import CrawlHTTP

/// `openssl s_server` on loopback with a certificate of its own for `localhost`.
private final class SecureServer {
    static let program = "/usr/bin/openssl"
    static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: program) }

    let port: Int
    let certificate: String
    private let folder: TemporaryFolder
    private let process = Process()

    /// Serves `answer`, a whole one with its head, at `/answer`.
    init(answer: String) async throws {
        folder = try TemporaryFolder()
        certificate = folder.file("certificate.pem")
        let key = folder.file("key.pem")
        try Data(answer.utf8).write(to: URL(fileURLWithPath: folder.file("answer")))
        let request = Process()
        request.executableURL = URL(fileURLWithPath: Self.program)
        request.arguments =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split(
                separator: " "
            ).map(String.init) + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate]
        request.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            request.terminationHandler = { _ in continuation.resume() }
            do { try request.run() } catch { continuation.resume(throwing: error) }
        }

        process.executableURL = request.executableURL
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        // It names the port that it chose only when its output is full, so the port is chosen for it.
        let free = try ScriptedServer()
        port = free.port
        free.stop()
        process.arguments = ["s_server", "-accept", "127.0.0.1:\(port)", "-cert", certificate, "-key", key, "-HTTP"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Until it listens the connection is refused; afterwards its certificate is.
        try await withClient { client in
            for _ in 0..<200 {
                let request = HTTPRequest(url: "https://localhost:\(port)/")
                guard await fetch(request, with: client).fault == .connectionRefused else { return }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    func stop() {
        // Not SIGTERM: a program inherits that the threads of this one block it.
        kill(process.processIdentifier, SIGKILL)
    }
}

@Suite(
    "TLS", .timeLimit(Sanitizer.limit(minutes: 5)), .enabled(if: SecureServer.isAvailable, "needs the openssl program"))
struct SecureConnectionTests {
    private func withServer(
        answer: String = "HTTP/1.1 200 OK\r\n\r\nsafe", body: (SecureServer) async throws -> Void
    ) async throws {
        let server = try await SecureServer(answer: answer)
        defer { server.stop() }
        try await body(server)
    }

    @Test("A certificate that nobody vouches for is refused")
    func selfSigned() async throws {
        try await withServer { server in
            try await withClient { client in
                let request = HTTPRequest(url: "https://localhost:\(server.port)/answer?key=hunter2")
                let outcome = await fetch(request, with: client)
                #expect(outcome.fault == .certificateAuthority)
                #expect(
                    outcome.detail.hasPrefix(
                        "no secure connection to localhost:\(server.port): SSL certificate problem"))
            }
        }
    }

    @Test(
        "A private authority is trusted where the environment names it", arguments: ["SSL_CERT_FILE", "CURL_CA_BUNDLE"])
    func privateAuthority(variable: String) async throws {
        try await withServer { server in
            try await withClient(environment: [variable: server.certificate]) { client in
                let request = HTTPRequest(url: "https://localhost:\(server.port)/answer")
                let text = try await client.text(request)
                #expect(text == "safe")
            }
        }
    }

    @Test("A certificate for another host is refused")
    func otherHost() async throws {
        try await withServer { server in
            try await withClient(
                environment: ["SSL_CERT_FILE": server.certificate],
                adjust: { $0.fixedAddresses = ["other.example:\(server.port):127.0.0.1"] }
            ) { client in
                let outcome = await fetch(HTTPRequest(url: "https://other.example:\(server.port)/answer"), with: client)
                #expect(outcome.fault == .certificateName)
                #expect(outcome.detail.contains("other.example"))
            }
        }
    }

    @Test("A file of certificates that is not there is named")
    func missingFile() async throws {
        try await withServer { server in
            try await withClient(environment: ["SSL_CERT_FILE": "/nonexistent/ca.pem"]) { client in
                let outcome = await fetch(HTTPRequest(url: "https://localhost:\(server.port)/answer"), with: client)
                #expect(outcome.fault == .tls)
                #expect(outcome.detail.contains("/nonexistent/ca.pem"))
            }
        }
    }

    @Test("A redirect from https to http is refused")
    func downgrade() async throws {
        try await ScriptedServer.run([.answer(text: "plain")]) { plain in
            let answer = "HTTP/1.1 302 Found\r\nLocation: http://localhost:\(plain.port)/\r\nContent-Length: 0\r\n\r\n"
            try await withServer(answer: answer) { server in
                try await withClient(environment: ["SSL_CERT_FILE": server.certificate]) { client in
                    let outcome = await fetch(HTTPRequest(url: "https://localhost:\(server.port)/answer"), with: client)
                    #expect(outcome.fault == .unsafeRedirect)
                    #expect(plain.requests.isEmpty)
                }
            }
        }
    }

    @Test("A server that speaks no TLS is told apart from one that breaks off")
    func plainServer() async throws {
        let plain = try ScriptedServer(readingRequests: false) { _ in
            [.text("HTTP/1.1 400 Bad Request\r\n\r\n"), .pause(.milliseconds(200))]
        }
        defer { plain.stop() }
        let broken = try ScriptedServer(readingRequests: false) { _ in [.pause(.milliseconds(50)), .reset] }
        defer { broken.stop() }
        try await withClient { client in
            let first = await fetch(HTTPRequest(url: "https://127.0.0.1:\(plain.port)/"), with: client)
            #expect(first.fault == .notTLS, "\(first)")
            let second = await fetch(HTTPRequest(url: "https://127.0.0.1:\(broken.port)/"), with: client)
            #expect(second.fault == .connectionClosed, "\(second)")
        }
    }
}
