import Glibc

/// A CSV file, counted: as RFC 4180 has it, line ends within quotes belong to the value.
struct CSVTable {
    /// The names in the first record; plain ones, as the columns of the sources are.
    let header: [String]
    /// The records, the first one included.
    let records: Int

    /// - Throws: `BenchFailure` where the file cannot be read.
    init(_ path: String) throws {
        let line = try TextFile.beginning(of: path).split(whereSeparator: \.isNewline).first ?? ""
        header = line.split(separator: ",").map { $0.filter { $0 != "\"" } }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchFailure("\(path) cannot be read", errno: errno) }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var isQuoted = false
        var records = 0
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw BenchFailure("\(path) cannot be read", errno: errno) }
            if count == 0 { break }
            for byte in buffer[..<count] {
                if byte == 0x22 { isQuoted.toggle() }
                if byte == 0x0A, !isQuoted { records += 1 }
            }
        }
        self.records = records
    }
}
