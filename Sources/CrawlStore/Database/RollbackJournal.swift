import Glibc

/// The file in which SQLite keeps what a transaction changes, beside a database without a write-ahead log.
///
/// https://www.sqlite.org/fileformat2.html#the_rollback_journal
enum RollbackJournal {
    private static let magic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
    /// The magic, the count of records, a salt, and the size of the database before, each of the latter 4 bytes.
    private static let byteCount = 20

    /// Whether SQLite will make the database a file without a byte again when it opens it.
    ///
    /// So it is where the power went during a database's first transaction; the file itself may hold anything then.
    static func undoesEverything(in path: String) -> Bool {
        let descriptor = open(path + "-journal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: byteCount)
        guard read(descriptor, &bytes, byteCount) == byteCount else { return false }
        return bytes.starts(with: magic) && bytes.suffix(4).allSatisfy { $0 == 0 }
    }
}
