import Foundation
import TestSupport

/// Servers on loopback that speak TLS, one for each certificate, all of them ended with the last reference.
final class SecureServers: Sendable {
    /// What a server is like.
    enum Kind: String, CaseIterable, Sendable {
        case good, expired, future, wrongName, selfSigned, oldTLS
        /// A good one whose answer names a next page on the same host, without TLS.
        case nextWithoutTLS
        /// A good one that redirects to the same host, without TLS.
        case redirectWithoutTLS
    }

    /// The file of the authority that vouches for all but the self-signed one.
    var authority: String { folder.file("ca.pem") }
    private let folder: TemporaryFolder
    private let program: Program
    private let ports: [String: Int]

    static var isAvailable: Bool {
        ["/usr/bin/openssl", "/usr/bin/python3"].allSatisfy(FileManager.default.isExecutableFile)
    }

    init() async throws {
        folder = try TemporaryFolder()
        try Data(Self.script.utf8).write(to: URL(fileURLWithPath: folder.file("serve.py")))
        program = try Program("/usr/bin/python3", ["serve.py"], workingFolder: folder.path)
        var found: [String: Int] = [:]
        let (program, kinds) = (program, Kind.allCases.count)
        _ = await Program.wait {
            found = (try? JSONDecoder().decode([String: Int].self, from: Data(program.output.utf8))) ?? [:]
            return found.count == kinds || program.isGone
        }
        ports = found
    }

    /// An address on a server; the certificates are for `localhost`.
    func url(_ kind: Kind, _ target: String = "/things") -> String {
        "https://localhost:\(ports[kind.rawValue] ?? 1)\(target)"
    }

    /// Makes certificates, serves, and says at which ports; Python, because its TLS can be asked for old versions.
    private static let script = #"""
        import json, socket, ssl, subprocess, threading
        open("index.txt", "w"); open("serial", "w").write("01\n")
        open("ca.cnf", "w").write("[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\n"
            "certificate=ca.pem\nprivate_key=ca.key\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\n"
            "unique_subject=no\n[p]\ncommonName=supplied\n")
        def openssl(line):
            subprocess.run(["openssl"] + line.split(), check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        new = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
        openssl(f"req -x509 {new} -days 30 -subj /CN=test-authority -keyout ca.key -out ca.pem")
        def certificate(name, host, start, end):
            openssl(f"req {new} -subj /CN={host} -addext subjectAltName=DNS:{host} -keyout {name}.key -out {name}.csr")
            openssl(f"ca -batch -config ca.cnf -in {name}.csr -out {name}.pem -startdate {start} -enddate {end} -notext")
        certificate("good", "localhost", "20200101000000Z", "20490101000000Z")
        certificate("expired", "localhost", "20200101000000Z", "20210101000000Z")
        certificate("future", "localhost", "20480101000000Z", "20490101000000Z")
        certificate("wrongName", "other.example", "20200101000000Z", "20490101000000Z")
        openssl(f"req -x509 {new} -days 30 -subj /CN=localhost -addext subjectAltName=DNS:localhost "
                "-keyout selfSigned.key -out selfSigned.pem")
        def serve(kind, file):
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(file + ".pem", file + ".key")
            if kind == "oldTLS":
                context.set_ciphers("ALL:@SECLEVEL=0")
                context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1
            listener = socket.create_server(("127.0.0.1", 0))
            port = listener.getsockname()[1]
            extra = {"nextWithoutTLS": f"Link: <http://localhost:{port}/things?page=2>; rel=next\r\n",
                     "redirectWithoutTLS": f"Location: http://localhost:{port}/things\r\n"}.get(kind, "")
            status = "302 Found" if kind == "redirectWithoutTLS" else "200 OK"
            def answer(raw):
                try:
                    connection = context.wrap_socket(raw, server_side=True)
                    head = connection.recv(65536).decode()
                    page = 2 if "page=2" in head else 1
                    link = "" if page == 2 else extra
                    body = json.dumps([{"id": f"{page}"}])
                    connection.sendall(f"HTTP/1.1 {status}\r\n{link}Content-Length: {len(body)}\r\n"
                                       f"Connection: close\r\n\r\n{body}".encode())
                    connection.unwrap()
                except OSError:
                    pass
                finally:
                    raw.close()
            def accept():
                while True:
                    raw, _ = listener.accept()
                    threading.Thread(target=answer, args=(raw,), daemon=True).start()
            threading.Thread(target=accept, daemon=True).start()
            return port
        kinds = {"good": "good", "expired": "expired", "future": "future", "wrongName": "wrongName",
                 "selfSigned": "selfSigned", "oldTLS": "good", "nextWithoutTLS": "good", "redirectWithoutTLS": "good"}
        print(json.dumps({kind: serve(kind, file) for kind, file in kinds.items()}), flush=True)
        threading.Event().wait()
        """#
}
