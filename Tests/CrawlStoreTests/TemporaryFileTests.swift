import Foundation
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct TemporaryFileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func write(_ text: String, into file: TemporaryFile) {
        #expect(Glibc.write(file.descriptor, text, text.utf8.count) == text.utf8.count)
    }

    @Test(arguments: [true, false], [true, false])
    func takesItsNameWhenItIsWhole(isNameless: Bool, isReplacing: Bool) throws {
        let path = folder.file("out")
        if isReplacing { try Data("before".utf8).write(to: URL(fileURLWithPath: path)) }
        do {
            let file = try TemporaryFile(in: folder.path, isNameless: isNameless)
            write("after", into: file)
            #expect(FileManager.default.contents(atPath: path) == (isReplacing ? Data("before".utf8) : nil))
            try file.takeName(path)
        }
        #expect(FileManager.default.contents(atPath: path) == Data("after".utf8))
        #expect(try names == ["out"])
    }

    @Test(arguments: [true, false])
    func leavesNothingWhenItIsGivenUp(isNameless: Bool) throws {
        do {
            let file = try TemporaryFile(in: folder.path, isNameless: isNameless)
            write("a part", into: file)
        }
        #expect(try names == [])
    }

    @Test func aNameThatCannotBeTakenIsAnError() throws {
        try FileManager.default.createDirectory(atPath: folder.file("out"), withIntermediateDirectories: true)
        do {
            let file = try TemporaryFile(in: folder.path)
            #expect(throws: SystemError.self) { try file.takeName(folder.file("out")) }
        }
        #expect(try names == ["out"])
    }

    @Test func whatKilledProgramsLeftIsRemovedAndNothingElse() throws {
        let left = [".crawl-export-4711-1z", ".crawl-export-1-0"]
        let others = [
            ".crawl-export-", ".crawl-export-4711", ".crawl-export-x-1z", ".crawl-export-1-2-3", "crawl-export-1-0",
        ]
        for name in left + others { try Data("a part".utf8).write(to: URL(fileURLWithPath: folder.file(name))) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(".crawl-export-2-0"), withDestinationPath: folder.file("crawl-export-1-0"))
        try FileManager.default.createDirectory(
            atPath: folder.file(".crawl-export-3-0"), withIntermediateDirectories: true)
        let living = try TemporaryFile(in: folder.path, isNameless: false)
        let kept = Set(try names).subtracting(left)
        try TextFile.write("whole", to: folder.file("out"))
        #expect(Set(try names) == kept.union(["out"]))
        write("whole as well", into: living)
        try living.takeName(folder.file("other"))
        #expect(FileManager.default.contents(atPath: folder.file("other")) == Data("whole as well".utf8))
    }
}
