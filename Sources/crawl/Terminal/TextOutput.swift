import CrawlCore
import Synchronization

/// One of the program's streams; what is written goes out at once and whole.
struct TextOutput: Sendable {
    /// Standard output's or standard error's number, or a test's.
    let descriptor: Int32
    /// Whether the reader has gone, or the system refuses to write; then all further text is dropped.
    private(set) var isClosed = false

    /// The `errno` with which the system refused to take standard output, 0 as long as it has not.
    ///
    /// A full disk, for example; a reader that has gone is no refusal.
    static let refusal = Atomic<Int32>(0)

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Writes a text as it is.
    mutating func write(_ text: String) {
        guard !isClosed, !text.isEmpty else { return }
        switch Platform.write(Array(text.utf8), to: descriptor) {
        case .written: return
        case .closed: break
        case .failed(let number):
            if descriptor == 1 { Self.refusal.store(number, ordering: .relaxed) }
        }
        isClosed = true
    }

    /// Writes a text and a line break.
    mutating func writeLine(_ text: String) {
        write(text + "\n")
    }

    /// Writes a text as it is, where what is lost must not go unnoticed.
    ///
    /// - Throws: `CrawlError`: exit code 141 where the reader has gone, else 74.
    func writeAll(_ text: String) throws(CrawlError) {
        switch Platform.write(Array(text.utf8), to: descriptor) {
        case .written: return
        case .closed: throw CrawlError(.brokenPipe, "The reader of the output has gone")
        case .failed(let number):
            throw CrawlError(
                .database, "The output cannot be written (\(Platform.text(ofError: number)))",
                remedy: "The database is unharmed; free some space, then repeat the command.")
        }
    }
}
