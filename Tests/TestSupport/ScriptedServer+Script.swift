import Foundation

extension ScriptedServer {
    /// One thing that the server does on a connection.
    package enum Step: Sendable {
        /// Sends the bytes.
        case bytes([UInt8])
        /// Sends the bytes one by one, with a pause before each but the first.
        case drip([UInt8], every: Duration)
        /// Sends the bytes again and again until the other side has enough.
        case endless([UInt8])
        /// Waits, or less long where the other side closes.
        case pause(Duration)
        /// Does nothing until the other side closes or the server stops.
        case hang
        /// Closes the connection in the ordinary way.
        case close
        /// Breaks the connection off (RST).
        case reset
        /// Waits for `release()`.
        case waitForRelease
    }

    /// A request as it came.
    package struct Request: Sendable {
        /// Its number on this server, from 1.
        package let number: Int
        /// The number of its connection, from 1.
        package let connection: Int
        /// The request line and the fields, with CRLF, without the empty line; what came of them, if it broke off.
        package let head: String

        /// The method and the target, for example `GET /users?size=2`.
        package var line: String {
            head.prefix { $0 != "\r\n" }.split(separator: " ").prefix(2).joined(separator: " ")
        }

        /// The target, for example `/users?size=2`.
        package var target: String {
            line.split(separator: " ").last.map(String.init) ?? ""
        }

        /// The number that a parameter of the query has; nil without one.
        package func number(_ parameter: String) -> Int? {
            target.split { "?&".contains($0) }.lazy.filter { $0.hasPrefix(parameter + "=") }
                .compactMap { Int($0.dropFirst(parameter.count + 1)) }.first
        }

        /// The value of a field, whose name is compared without regard to case.
        package func field(_ name: String) -> String? {
            head.split(separator: "\r\n").dropFirst().lazy.compactMap { line -> String? in
                let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { return nil }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }.first
        }
    }
}

extension ScriptedServer.Step {
    /// Sends the text, in UTF-8.
    package static func text(_ text: String) -> Self {
        .bytes(Array(text.utf8))
    }

    /// Sends a whole answer with `Content-Length`.
    package static func answer(
        _ status: String = "200 OK", fields: [String] = [], body: some Collection<UInt8> = [UInt8]()
    ) -> Self {
        let head = ["HTTP/1.1 \(status)", "Content-Length: \(body.count)"] + fields
        return .bytes(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    }

    /// Sends a whole answer with `Content-Length` and a text.
    package static func answer(_ status: String = "200 OK", fields: [String] = [], text: String) -> Self {
        answer(status, fields: fields, body: Array(text.utf8))
    }
}
