import Glibc

/// An IPv4 or IPv6 address.
package struct NetworkAddress: Sendable, Equatable {
    /// Four or sixteen bytes, in network order; an IPv4 address within IPv6 as its four.
    package let bytes: [UInt8]

    /// Reads `192.0.2.1` or `2001:db8::1`, also with a zone (`fe80::1%eth0`); nil for names.
    package init?(_ text: String) {
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: &four) { Array($0) }
            return
        }
        var sixteen = in6_addr()
        let withoutZone = String(text.prefix { $0 != "%" })
        guard inet_pton(AF_INET6, withoutZone, &sixteen) == 1 else { return nil }
        let all = withUnsafeBytes(of: &sixteen) { Array($0) }
        if all.starts(with: [0x20, 0x02]) {
            // 6to4 has the IPv4 address of the router that is reached behind its prefix.
            bytes = Array(all[2..<6])
        } else if Self.embeddedPrefixes.contains(where: { all.starts(with: $0) }),
            !all.dropLast().allSatisfy({ $0 == 0 })
        {
            bytes = Array(all.suffix(4))
        } else {
            bytes = all
        }
    }

    /// IPv4-mapped and IPv4-compatible addresses, and those of the well-known NAT64 prefix, end in the IPv4 address that
    /// is reached.
    private static let embeddedPrefixes: [[UInt8]] = [
        [UInt8](repeating: 0, count: 10) + [0xff, 0xff],
        [UInt8](repeating: 0, count: 12),
        [0x00, 0x64, 0xff, 0x9b] + [UInt8](repeating: 0, count: 8),
    ]

    /// Whether the address is this machine's own: 127.0.0.0/8, 0.0.0.0/8, `::1` or `::`.
    package var isLoopback: Bool {
        if bytes.count == 4 {
            return bytes[0] == 127 || bytes[0] == 0
        }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] <= 1
    }

    /// Whether the address is no place on the public internet, by the
    /// [special-purpose registries](https://www.iana.org/assignments/iana-ipv4-special-registry): loopback, private,
    /// link-local, shared, benchmarking, multicast or reserved.
    package var isPrivate: Bool {
        if isLoopback { return true }
        if bytes.count == 4 {
            switch (bytes[0], bytes[1]) {
            case (10, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19), (224..., _):
                return true
            case (192, 0): return bytes[2] == 0
            default: return false
            }
        }
        // Unique local, link-local and site-local, multicast, the local NAT64 prefix and that which discards.
        return bytes[0] & 0xfe == 0xfc || (bytes[0] == 0xfe && bytes[1] & 0x80 == 0x80) || bytes[0] == 0xff
            || bytes.starts(with: [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01])
            || bytes.starts(with: [0x01, 0x00, 0, 0, 0, 0, 0, 0])
    }

    /// Whether the first `bits` bits of both addresses are equal.
    package func matches(_ network: NetworkAddress, bits: Int) -> Bool {
        guard bytes.count == network.bytes.count, bits >= 0, bits <= bytes.count * 8 else { return false }
        return zip(bytes, network.bytes).enumerated().allSatisfy { index, pair in
            let kept = min(8, max(0, bits - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xff00 >> kept)
            return pair.0 & mask == pair.1 & mask
        }
    }
}
