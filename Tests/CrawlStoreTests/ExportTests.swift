import CrawlCore
import CrawlJSON
import Foundation
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct ExportTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let reader: StoreReader

    init() async throws {
        folder = try TemporaryFolder()
        store = try await Store.open(path: folder.file("crawl.db"))
        reader = try await StoreReader.open(path: store.path)
    }

    private func fill(_ rows: [[CellValue]]) async throws {
        let writer = try await store.start()
        try await store.commit(page(1, rows), by: writer)
    }

    private func export(
        _ format: ExportFormat = .csv, columns: [String]? = nil, excel: Bool = false
    ) async throws -> String {
        let path = folder.file("out")
        let result = try await reader.export(
            Export(source: "people", format: format, columns: columns, excel: excel), to: .file(path))
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(result.bytes == data.count)
        return String(decoding: data, as: UTF8.self)
    }

    private let samples = [
        person("a", age: .integer(.min), height: .real(1e-8), active: .integer(1), tags: .text("[1,\n  2]")),
        person("b,\"c\"\nd", age: .integer(.max), height: .real(3), active: .integer(0), extra: .text("{\"x\": null}")),
        person("t\ta\\b\r", height: .real(0.1 + 0.2)),
        person("", height: .real(-1e300)),
    ]

    @Test func csv() async throws {
        try await fill(samples)
        let expected = [
            "uid,age,height,active,tags,extra", "a,-9223372036854775808,1e-08,1,\"[1,\n  2]\",",
            "\"b,\"\"c\"\"\nd\",9223372036854775807,3.0,0,,\"{\"\"x\"\": null}\"",
            "\"t\ta\\b\r\",,0.30000000000000004,,,", "\"\",,-1e+300,,,", "",
        ]
        #expect(try await export() == expected.joined(separator: "\n"))
    }

    @Test func tsv() async throws {
        try await fill(samples)
        let expected = [
            "uid\tage\theight\tactive\ttags\textra", "a\t-9223372036854775808\t1e-08\t1\t[1,\\n  2]\t",
            "b,\"c\"\\nd\t9223372036854775807\t3.0\t0\t\t{\"x\": null}",
            "t\\ta\\\\b\\r\t\t0.30000000000000004\t\t\t", "\t\t-1e+300\t\t\t", "",
        ]
        #expect(try await export(.tsv) == expected.joined(separator: "\n"))
    }

    @Test func ndjsonAndJSON() async throws {
        try await fill(samples)
        let lines = [
            #"{"uid":"a","age":-9223372036854775808,"height":1e-08,"active":true,"tags":[1,  2],"extra":null}"#,
            #"{"uid":"b,\"c\"\nd","age":9223372036854775807,"height":3.0,"active":false,"tags":null,"extra":{"x": null}}"#,
            #"{"uid":"t\ta\\b\r","age":null,"height":0.30000000000000004,"active":null,"tags":null,"extra":null}"#,
            #"{"uid":"","age":null,"height":-1e+300,"active":null,"tags":null,"extra":null}"#,
        ]
        #expect(try await export(.ndjson) == lines.joined(separator: "\n") + "\n")
        #expect(try await export(.json) == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
    }

    @Test(arguments: [
        (ExportFormat.csv, "uid,age,height,active,tags,extra\n"), (.tsv, "uid\tage\theight\tactive\ttags\textra\n"),
        (.json, "[]\n"), (.ndjson, ""),
    ])
    func tableWithoutRows(format: ExportFormat, expected: String) async throws {
        try await store.prepare(people)
        _ = try await store.start()
        #expect(try await export(format) == expected)
    }

    @Test func columnsComeInTheOrderAsked() async throws {
        try await fill(samples)
        #expect(try await export(columns: ["page", "age"]).hasPrefix("page,age\n1,-9223372036854775808\n"))
        // A reader of CSV would skip an empty line: a row must not become one.
        #expect(try await export(columns: ["active"]) == "active\n1\n0\n\"\"\n\"\"\n")
    }

    @Test(
        arguments: [
            ("peple", nil, "no source 'peple'", "Did you mean 'people'?", "people"),
            ("crawl_runs", nil, "no source 'crawl_runs'", "", "people"),
            (
                "people", ["uid", "hieght"], "no column 'hieght' in people", "Did you mean 'height'?",
                "uid, age, height"
            ),
            ("people", [], "No column", "", "--columns"),
        ] as [(String, [String]?, String, String, String)])
    func unknownNamesAreAnswered(
        source: String, columns: [String]?, message: String, suggestion: String, remedy: String
    ) async throws {
        try await fill(samples)
        let error = await crawlError {
            try await reader.export(Export(source: source, columns: columns), to: .file(folder.file("out")))
        }
        #expect(error?.exitCode == .usage)
        #expect(error?.message.contains(message) == true)
        #expect(suggestion.isEmpty || error?.message.contains(suggestion) == true)
        #expect(error?.remedy?.contains(remedy) == true)
        #expect(!FileManager.default.fileExists(atPath: folder.file("out")))
    }

    @Test func spreadsheetsGetNoFormulas() async throws {
        let texts = ["=1+1", "+49", "-x", "@a", "\tb", "\rc", "plain", "a=b", "üñí"]
        try await fill(texts.map { person($0, age: .integer(-5), height: .real(-0.5)) })
        let expected = [
            "\u{FEFF}uid,age,height", "\"'=1+1\",-5,-0.5", "\"'+49\",-5,-0.5", "\"'-x\",-5,-0.5", "\"'@a\",-5,-0.5",
            "\"'\tb\",-5,-0.5", "\"'\rc\",-5,-0.5", "plain,-5,-0.5", "a=b,-5,-0.5", "üñí,-5,-0.5", "",
        ]
        let columns = ["uid", "age", "height"]
        #expect(
            try await Array(export(columns: columns, excel: true).utf8)
                == Array(expected.joined(separator: "\r\n").utf8))
        let error = await crawlError { try await export(.json, excel: true) }
        #expect(error?.exitCode == .usage)
    }

    /// Random fields of all that is nasty, read back by another implementation.
    @Test(arguments: 1...4)
    func csvIsReadBackByPython(seed: Int) async throws {
        var random = SeededGenerator(state: UInt64(seed))
        let pieces = [
            "\"", "\"\"", ",", "\n", "\r", "\r\n", " ", "\t", "'", ";", "a", "é", "🙂", "\u{0}", "\\", "=", "",
        ]
        var texts: [[String]] = []
        for _ in 0..<300 {
            texts.append(
                (0..<2).map { _ in
                    (0..<Int.random(in: 0...6, using: &random))
                        .compactMap { _ in pieces.randomElement(using: &random) }.joined()
                })
        }
        texts.append(["big", String(repeating: "x\"", count: 300_000)])
        var seen: Set<[UInt8]> = []
        texts = texts.filter { seen.insert(Array($0[0].utf8)).inserted }
        try await fill(texts.map { person($0[0], tags: .text($0[1])) })
        _ = try await export(columns: ["uid", "tags", "age"])
        let script = """
            import csv, json, sys
            csv.field_size_limit(10 ** 9)
            with open(sys.argv[1], newline='', encoding='utf-8') as file:
                print(json.dumps(list(csv.reader(file, strict=True))))
            """
        let read = try JSONDecoder().decode(
            [[String]].self, from: output(of: "python3", ["-c", script, folder.file("out")]))
        let wanted = [["uid", "tags", "age"]] + texts.map { $0 + [""] }
        #expect(read.map { $0.map { Array($0.utf8) } } == wanted.map { $0.map { Array($0.utf8) } })
    }

    @Test(arguments: [ExportFormat.json, .ndjson])
    func jsonIsReadBackByPython(format: ExportFormat) async throws {
        let texts = (0..<0x80).compactMap(UnicodeScalar.init).map { "x" + String($0) } + ["🙂\u{2028}é"]
        let reals: [Double] = [
            0, Double.leastNonzeroMagnitude, 1.7976931348623157e308, 0.1, 1 / 3, 123_456_789.123_456_789, 1e21,
        ]
        try await fill(
            texts.enumerated().map { person($0.element, height: .real(reals[$0.offset % reals.count])) })
        _ = try await export(format)
        let script = """
            import json, sys
            text = open(sys.argv[1], newline='', encoding='utf-8').read()
            rows = json.loads(text) if sys.argv[2] == 'json' else [json.loads(line) for line in text.split('\\n')[:-1]]
            print(json.dumps([[row['uid'], row['height'].hex()] for row in rows]))
            """
        let read = try JSONDecoder().decode(
            [[String]].self, from: output(of: "python3", ["-c", script, folder.file("out"), format.rawValue]))
        #expect(read.map { $0[0] } == texts)
        for (index, row) in read.enumerated() {
            #expect(Double(row[1])?.bitPattern == reals[index % reals.count].bitPattern)
        }
    }

    // MARK: - Destinations

    @Test func fileIsReplacedAtOnceAndKeepsNoTraces() async throws {
        try await fill(samples)
        let path = folder.file("out")
        try Data("before".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        _ = try await reader.export(Export(source: "people"), to: .file(folder.file("link")))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).starts(with: Data("uid,".utf8)))
        _ = try await reader.export(Export(source: "people"), to: .file(folder.file("new/folder/people.csv")))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names.filter { !$0.hasPrefix("crawl.db") } == ["link", "new", "out"])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("new/folder/people.csv"))
        let mask = umask(0)
        umask(mask)
        #expect(attributes[.posixPermissions] as? Int == 0o666 & ~Int(mask))
    }

    @Test(arguments: [("", "folder"), ("/out/", "folder"), ("/file/out", ""), ("/crawl.db/x", "")])
    func placesThatCannotBeWritten(name: String, message: String) async throws {
        try await fill(samples)
        try Data().write(to: URL(fileURLWithPath: folder.file("file")))
        let error = await crawlError {
            try await reader.export(Export(source: "people"), to: .file(folder.path + name))
        }
        #expect(error?.exitCode == .cannotCreate)
        #expect(message.isEmpty || error?.message.contains(message) == true)
    }

    @Test func failedExportLeavesTheEarlierFile() async throws {
        try await fill((0..<5000).map { person("\($0)") })
        let path = folder.file("out")
        try Data("before".utf8).write(to: URL(fileURLWithPath: path))
        let export = Task { try await reader.export(Export(source: "people"), to: .file(path)) }
        export.cancel()
        await #expect(throws: CancellationError.self) { try await export.value }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("before".utf8))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).allSatisfy { !$0.hasPrefix(".crawl") })
    }

    @Test func closedPipeIsToldApart() async throws {
        signal(SIGPIPE, SIG_IGN)
        try await fill(samples)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        do {
            _ = try await reader.export(Export(source: "people"), to: .descriptor(descriptor))
            Issue.record("No error was thrown")
        } catch let error as CrawlError {
            #expect(error.exitCode == .brokenPipe)
        }
    }

    @Test func fullDiskIsADiskError() async throws {
        try await fill(samples)
        let error = await crawlError {
            try await reader.export(Export(source: "people"), to: .file("/dev/full"))
        }
        #expect(error?.exitCode == .database)
        #expect(error?.message.contains("No space left") == true)
    }

    @Test func descriptorGetsTheSameBytes() async throws {
        try await fill(samples)
        let pipe = Pipe()
        let result = try await reader.export(
            Export(source: "people", format: .ndjson), to: .descriptor(pipe.fileHandleForWriting.fileDescriptor))
        try pipe.fileHandleForWriting.close()
        let data = try pipe.fileHandleForReading.readToEnd()
        #expect(data?.count == result.bytes)
        #expect(try await data == Data(export(.ndjson).utf8))
    }

    @Test func exportSeesOneStateWhileACrawlWrites() async throws {
        let writer = try await store.start()
        try await store.commit(page(1, (0..<500).map { person("\($0)") }), by: writer)
        async let writing: Void = {
            for sequence in 2...60 {
                try await store.commit(page(sequence, (0..<10).map { person("\(sequence)-\($0)") }), by: writer)
            }
        }()
        for _ in 0..<10 {
            let result = try await reader.export(Export(source: "people"), to: .file(folder.file("out")))
            #expect(result.rows % 10 == 0)
        }
        try await writing
    }
}
