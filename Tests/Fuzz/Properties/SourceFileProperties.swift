import CrawlCore
import CrawlJSON

/// Source files: one that is accepted can be written and read again, and pages can be read by it.
enum SourceFileProperties {
    static func check(_ bytes: [UInt8]) throws(BrokenProperty) {
        let source: Source
        do {
            source = try SourceFile.source(from: bytes, file: "mine.json")
        } catch {
            try require(error.exitCode == .badSource, "exit code \(error.exitCode.rawValue)")
            try require(
                error.message.contains("mine.json") && isPrintable(error.message),
                "the message is \(error.message.debugDescription)")
            return
        }
        let text = SourceFile.text(of: source)
        do {
            let again = try SourceFile.source(from: Array(text.utf8), file: "again.json")
            try require(again == source, "written as \(text)\nread as \(again)\nnot as \(source)")
        } catch let error as BrokenProperty {
            throw error
        } catch {
            throw BrokenProperty(description: "what was written cannot be read: \(error)\n\(text)")
        }
        try require(!source.key.isEmpty && !source.columns.isEmpty, "a source without a key")
        let reader = PageReader(source)
        guard let page = try? reader.read(Array("[{}]".utf8)) else { return }
        try require(page.records.receivedCount == 1, "one record counts as \(page.records.receivedCount)")
    }
}
