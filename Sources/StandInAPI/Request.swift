/// What the stand-in reads of one HTTP request.
struct Request: Sendable {
    /// The method as it came.
    let method: String
    /// The target as it came: path and query, still percent-encoded.
    let target: String
    /// The path, percent-decoded.
    let path: String
    /// The query's names and values in order, percent-decoded, `+` read as a blank.
    let query: [(name: String, value: String)]
    /// The values of the few headers that answers depend on, by lower-case name.
    let headers: [String: String]

    /// The headers that answers depend on.
    static let headerNames = ["host", "cookie", "user-agent", "if-none-match"]

    init(method: String, target: String, headers: [String: String] = [:]) {
        self.method = method
        self.target = target
        self.headers = headers
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0], plusIsBlank: false)
        let pairs = parts.count > 1 ? parts[1].split(separator: "&") : []
        query = pairs.map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (Self.decoded(sides[0]), sides.count > 1 ? Self.decoded(sides[1]) : "")
        }
    }

    /// The first value of a query parameter, or nil where it is not given.
    func value(_ name: String) -> String? {
        query.first { $0.name == name }?.value
    }

    /// The first value of a query parameter where it is a whole number.
    func number(_ name: String) -> Int? {
        value(name).flatMap { Int($0) }
    }

    /// The address of this server as the client wrote it, without a closing slash.
    var origin: String { "http://" + (headers["host"] ?? "127.0.0.1") }

    private static func decoded(_ text: Substring, plusIsBlank: Bool = true) -> String {
        guard text.utf8.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == 0x25, let high = rest.first.flatMap(digit), let low = rest.dropFirst().first.flatMap(digit) {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == 0x2B && plusIsBlank ? 0x20 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}
