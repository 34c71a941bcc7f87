import Glibc

/// What the beginning of a file says about whose database it is, before SQLite touches the file.
///
/// https://www.sqlite.org/fileformat2.html#the_database_header
enum DatabaseHeader: Equatable {
    private static let magic = Array("SQLite format 3\0".utf8)
    /// The beginnings of a rollback journal and, in two orders of bytes, of a write-ahead log.
    private static let logMagic: [[UInt8]] = [
        [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
    ]
    /// What SQLite appends to a database's name for the files that it keeps beside it.
    ///
    /// https://www.sqlite.org/tempfiles.html
    static let logEnds = ["-wal", "-shm", "-journal"]
    /// The value of `PRAGMA application_id` in our databases: `Crwl` in ASCII.
    static let applicationID: UInt32 = 0x4372_776C
    /// The bytes that `init(_:)` looks at.
    static let byteCount = 105

    /// A file without a byte: nobody's yet.
    case empty
    /// A database without an owner's mark and without a table: nobody's yet.
    case unclaimed
    /// Ours, with the number of migrations that stood when the header was last written.
    case ours(version: UInt32)
    /// Another program's database; 0 where it has no mark.
    case foreign(applicationID: UInt32)
    /// No SQLite database.
    case notSQLite

    init(_ bytes: [UInt8]) {
        if bytes.isEmpty {
            self = .empty
            return
        }
        guard bytes.count >= Self.byteCount, bytes.starts(with: Self.magic) else {
            self = .notSQLite
            return
        }
        func number(at offset: Int) -> UInt32 {
            bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        let applicationID = number(at: 68)
        // The schema table begins on the first page: a leaf (13) without cells means no table at all.
        let hasTables = bytes[100] != 13 || bytes[103] != 0 || bytes[104] != 0
        if applicationID == Self.applicationID {
            self = .ours(version: number(at: 60))
        } else if applicationID == 0, !hasTables {
            self = .unclaimed
        } else {
            self = .foreign(applicationID: applicationID)
        }
    }

    /// Whether the file is a SQLite database or belongs to one, by its beginning or by its name.
    static func isOfSQLite(_ path: String) -> Bool {
        if begins(path, as: [magic] + logMagic) { return true }
        return logEnds.contains { path.hasSuffix($0) && begins(String(path.dropLast($0.count)), as: [magic]) }
    }

    /// Whether the file begins with one of these; false where it cannot be read.
    private static func begins(_ path: String, as beginnings: [[UInt8]]) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: magic.count)
        let count = read(descriptor, &bytes, bytes.count)
        return beginnings.contains { count >= $0.count && bytes.starts(with: $0) }
    }
}
