import Glibc

/// Finds the process that holds a flock(2) lock.
enum LockHolder {
    /// The process, nil where the system does not tell; used in messages only.
    ///
    /// https://man7.org/linux/man-pages/man5/proc_locks.5.html
    static func process(device: UInt, inode: UInt) -> Int32? {
        guard let table = contents(of: "/proc/locks") else { return nil }
        return process(in: table, device: device, inode: inode)
    }

    /// Reads lines such as `1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF`.
    static func process(in table: String, device: UInt, inode: UInt) -> Int32? {
        // The encoding of makedev(3), which is a macro in C.
        let number = UInt64(device)
        let major = (number >> 8) & 0xfff | (number >> 32) & ~0xfff
        let minor = number & 0xff | (number >> 12) & ~0xff
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK", fields[3] == "WRITE" else { continue }
            let file = fields[5].split(separator: ":")
            guard file.count == 3, UInt64(file[0], radix: 16) == major,
                UInt64(file[1], radix: 16) == minor, UInt(file[2]) == inode,
                let process = Int32(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }

    private static func contents(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count > 0, bytes.count < 4_000_000 else { break }
            bytes += part.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
