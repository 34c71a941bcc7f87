import Foundation
import Testing

@Suite("Inputs that fuzzing kept")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Corpus")

    @Test("every file keeps every property", arguments: Subject.allCases)
    func replay(_ subject: Subject) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appendingPathComponent(subject.rawValue), includingPropertiesForKeys: nil)
        #expect(files.count >= 10, "a corpus that is worth the name")
        for file in files {
            #expect(throws: Never.self, "\(file.lastPathComponent)") {
                try subject.check(Array(Data(contentsOf: file)))
            }
        }
    }
}
