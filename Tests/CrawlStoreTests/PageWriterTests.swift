import CrawlCore
import CrawlJSON
import Foundation
import TestSupport
import Testing

@testable import CrawlStore

@Suite struct PageWriterTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() async throws {
        folder = try TemporaryFolder()
        store = try await Store.open(path: folder.file("crawl.db"))
    }

    private func problems() async throws -> [String] {
        try await StoreReader.open(path: store.path).verify()
    }

    @Test func pageBecomesRecordsLedgerAndRejects() async throws {
        let writer = try await store.start()
        let reject = RejectedRecord(position: 2, reason: "uid: expected text, got number", payload: [0x7B, 0, 0x7D])
        let empty = RejectedRecord(position: 3, reason: "not an object", payload: [])
        let rows = [
            person("a", age: .integer(.max), height: .real(0.1), active: .integer(1), tags: .text("[1]")),
            person("nul\0\u{e9}", age: .null, extra: .text(#"{"x":null}"#)), person("", tags: .text("")),
        ]
        let committed = try await store.commit(
            page(1, rows, rejects: [reject, empty], cursor: #"{"next":2}"#), by: writer)
        #expect(committed.map(\.stored) == [3])
        #expect(committed.map(\.page) == [1])
        #expect(
            try await store.rows("SELECT hex(uid), age, height, active, tags, extra, page FROM people ORDER BY rowid")
                == [
                    "61|9223372036854775807|0.1|1|[1]|NULL|1", #"6E756C00C3A9|NULL|NULL|NULL|NULL|{"x":null}|1"#,
                    "|NULL|NULL|NULL||NULL|1",
                ])
        #expect(
            try await store.rows("SELECT * FROM crawl_pages") == [
                #"1|1|1|http://127.0.0.1/people?size=3|200|1|100|5|3|0|0|2|0|{"next":2}|\#(time)"#
            ])
        #expect(
            try await store.rows("SELECT page, position, reason, hex(payload), typeof(payload) FROM crawl_rejects")
                == ["1|2|uid: expected text, got number|7B007D|blob", "1|3|not an object||blob"])
        #expect(try await problems() == [])
    }

    @Test func targetCutsThePageExactly() async throws {
        let writer = try await store.start(target: 3)
        let rows = ["a", "b", "a", "c", "a", "d"].map { person($0) }
        let committed = try await store.commit(page(1, rows), page(2, [person("e")]), by: writer)
        #expect(committed[0].counts.new == 3 && committed[0].counts.duplicate == 1 && committed[0].counts.surplus == 2)
        #expect(committed[1].counts.surplus == 1)
        #expect(committed.map(\.stored) == [3, 3])
    }

    @Test func recordsThatAnotherProgramDeletesAreFetchedAgain() async throws {
        let writer = try await store.start(target: 2)
        try await store.commit(page(1, [person("a"), person("b")]), by: writer)
        OtherProgram(store.path).execute("DELETE FROM people WHERE uid = 'a'")
        let committed = try await store.commit(page(2, [person("c"), person("d")]), by: writer)
        #expect(committed.map(\.stored) == [2])
        #expect(committed[0].counts.new == 1 && committed[0].counts.surplus == 1)
    }

    @Test func updateTakesWhatWasSentAndDiffers() async throws {
        var source = people
        source.onDuplicate = .update
        let writer = try await store.start(source)
        try await store.commit(
            page(1, [person("a", age: .integer(1), height: .real(2), tags: .text("[]"), extra: .text("{}"))]),
            by: writer)
        let changes: [([CellValue], PageCounts, String)] = [
            (person("a"), .of(duplicate: 1), "1|2.0|NULL|[]|{}|1"),
            (person("a", age: .integer(1), height: .integer(2)), .of(duplicate: 1), "1|2.0|NULL|[]|{}|1"),
            (person("a", age: .integer(5)), .of(updated: 1), "5|2.0|NULL|[]|{}|1"),
            (person("a", active: .null), .of(duplicate: 1), "5|2.0|NULL|[]|{}|1"),
            (person("a", active: .integer(0), tags: .null), .of(updated: 1), "5|2.0|0|NULL|{}|1"),
            (person("a", extra: .text(#"{"b":1}"#)), .of(updated: 1), #"5|2.0|0|NULL|{"b":1}|1"#),
            (person("b", extra: .text("{}")), .of(new: 1), #"5|2.0|0|NULL|{"b":1}|1"#),
        ]
        for (index, change) in changes.enumerated() {
            let committed = try await store.commit(page(index + 2, [change.0]), by: writer)
            #expect(committed[0].counts == change.1, "change \(index)")
            #expect(
                try await store.rows("SELECT age, height, active, tags, extra, page FROM people WHERE uid = 'a'")
                    == [change.2], "change \(index)")
        }
        #expect(try await problems() == [])
    }

    @Test func replacingDeletesOnceAndWithTheFirstPageOnly() async throws {
        let old = try await store.start()
        try await store.commit(page(1, [person("a"), person("b")]), by: old)
        let fresh = try await store.start(target: 2, fresh: true)
        #expect(try await store.storedCount(of: "people") == 2)
        let first = try await store.commit(page(1, [person("b")]), by: fresh)
        #expect(first.map(\.stored) == [1])
        #expect(first[0].counts.new == 1)
        try await store.commit(page(2, [person("c")]), page(3, [person("d")]), by: fresh)
        #expect(try await store.rows("SELECT uid FROM people ORDER BY rowid") == ["b", "c"])
        #expect(try await problems() == [])
        // The same run goes on after an interruption.
        let again = try await store.writer(source: people, run: fresh.run, target: 5, replacing: true) { _ in }
        try await store.commit(page(4, [person("e")]), by: again)
        #expect(try await store.rows("SELECT uid FROM people ORDER BY rowid") == ["b", "c", "e"])
        #expect(try await problems() == [])
    }

    @Test func replacingIsUndoneWithItsPage() async throws {
        let old = try await store.start()
        try await store.commit(page(1, [person("a"), person("b")]), by: old)
        let fresh = try await store.start(fresh: true)
        _ = await crawlError {
            // The second page has the number of the first, which the ledger does not take.
            try await store.commit(page(1, [person("c")]), page(1, [person("d")]), by: fresh)
        }
        #expect(try await store.rows("SELECT uid FROM people ORDER BY rowid") == ["a", "b"])
        #expect(try await problems() == [])
        let committed = try await store.commit(page(1, [person("d")]), by: fresh)
        #expect(committed.map(\.stored) == [1])
    }

    @Test func groupIsSeenWholeOrNotAtAll() async throws {
        var others = people
        others.name = "others"
        let first = try await store.start()
        let second = try await store.start(others)
        let reader = try await StoreReader.open(path: store.path)
        _ = await crawlError {
            try await store.commit([
                PageSubmission(writer: first, page: page(1, [person("a")])),
                PageSubmission(writer: second, page: page(1, [person("b")])),
                PageSubmission(writer: second, page: page(1, [person("c")])),
            ])
        }
        #expect(try await reader.storedCounts() == ["people": 0, "others": 0])
        let committed = try await store.commit([
            PageSubmission(writer: first, page: page(1, [person("a")])),
            PageSubmission(writer: second, page: page(1, [person("a"), person("b")])),
        ])
        #expect(committed.map(\.stored) == [1, 2])
        #expect(try await reader.storedCounts() == ["people": 1, "others": 2])
    }

    @Test func waitingPagesShareATransactionAndKeepTheirOrder() async throws {
        let outcomes = Outcomes()
        let writer = try await store.start(outcomes: outcomes)
        for sequence in 1...200 { try await writer.submit(page(sequence, [person("\(sequence)")])) }
        try await writer.drain()
        #expect(outcomes.pages.map(\.sequence) == Array(1...200))
        #expect(outcomes.pages.map(\.stored) == Array(1...200))
        #expect(outcomes.errors.isEmpty)
        #expect(outcomes.transactions <= 200)
    }

    @Test func noMorePagesOfARunWaitThanTheQueueHolds() async throws {
        let writer = try await store.start()
        let other = try await store.start()
        let queue = PageQueue()
        let last = PageQueue.capacity + 1
        for run in [writer, other] {
            for sequence in 1..<last {
                let submission = PageSubmission(writer: run, page: page(sequence, []))
                #expect(try queue.addIfRoom(submission, core: store.core))
            }
            #expect(try !queue.addIfRoom(PageSubmission(writer: run, page: page(last, [])), core: store.core))
        }
        async let added: Void = withCheckedThrowingContinuation { continuation in
            queue.add(PageSubmission(writer: writer, page: page(last, [])), continuation, core: store.core)
        }
        #expect(queue.takeAll(core: store.core).count == 2 * PageQueue.capacity)
        try await added
        #expect(queue.takeAll(core: store.core).map(\.page.sequence) == [last])
    }

    @Test func lanesThatWaitAreAllServed() async throws {
        let outcomes = Outcomes()
        let writer = try await store.start(target: 900, outcomes: outcomes)
        try await withThrowingTaskGroup(of: Void.self) { lanes in
            for lane in 0..<16 {
                lanes.addTask {
                    for number in 0..<64 {
                        let sequence = lane * 64 + number + 1
                        try await writer.submit(page(sequence, [person("\(sequence)")]))
                    }
                }
            }
            try await lanes.waitForAll()
        }
        try await writer.drain()
        #expect(outcomes.pages.count == 1024)
        #expect(Set(outcomes.pages.map(\.sequence)).count == 1024)
        #expect(try await store.storedCount(of: "people") == 900)
        #expect(try await problems() == [])
    }

    @Test func fullDiskLosesThePagesInFlightAndNothingElse() async throws {
        let outcomes = Outcomes()
        let writer = try await store.start(outcomes: outcomes)
        try await writer.submit(page(1, (0..<100).map { person("a\($0)") }))
        try await writer.drain()
        try await store.execute("PRAGMA max_page_count = 20")
        let long = CellValue.text("[\"" + String(repeating: "x", count: 2000) + "\"]")
        let error = await crawlError {
            for sequence in 2...100 {
                try await writer.submit(page(sequence, (0..<100).map { person("\(sequence)-\($0)", tags: long) }))
            }
            try await writer.drain()
        }
        #expect(error?.exitCode == .database)
        #expect(error?.message.contains("No space left") == true)
        // A page that waited may be refused a moment before the outcome is told; the store's thread does both.
        #expect(await crawlError { try await writer.drain() } == error)
        #expect(outcomes.errors == [error].compactMap(\.self))
        #expect(await crawlError { try await writer.submit(page(101, [])) } == error)
        #expect(try await store.storedCount(of: "people") == outcomes.pages.last?.stored)
        try await store.execute("PRAGMA max_page_count = 1000000")
        #expect(try await problems() == [])
        // A new start of the same run goes on behind the last durable page.
        let next = try await store.position(ofRun: writer.run).lastSequence + 1
        let again = try await store.writer(source: people, run: writer.run, target: nil, replacing: false) { _ in }
        try await store.commit(page(next, [person("z", tags: long)]), by: again)
        #expect(try await problems() == [])
    }

    @Test func databaseThatVanishesIsNoticed() async throws {
        let writer = try await store.start()
        try FileManager.default.moveItem(atPath: store.path, toPath: folder.file("elsewhere.db"))
        let error = await crawlError { try await store.commit(page(1, [person("a")]), by: writer) }
        #expect(error?.exitCode == .database)
        #expect(error?.message.contains("moved or deleted") == true)
    }

    /// Random pages with few keys, against the simplest thing that could count them.
    @Test(arguments: DuplicateRule.allCases, 1...6)
    func countsEqualThoseOfASimpleModel(rule: DuplicateRule, seed: Int) async throws {
        var random = SeededGenerator(state: UInt64(seed))
        var source = people
        source.onDuplicate = rule
        let target = Bool.random(using: &random) ? Int.random(in: 1...60, using: &random) : nil
        let outcomes = Outcomes()
        let writer = try await store.start(source, target: target, outcomes: outcomes)
        var model: [String: [CellValue]] = [:]
        var expected: [PageCounts] = []
        func value(_ values: [CellValue]) -> CellValue { values.randomElement(using: &random) ?? .absent }
        for sequence in 1...40 {
            var rows: [[CellValue]] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                rows.append(
                    person(
                        "\(Int.random(in: 0..<80, using: &random))", age: value([.absent, .null, .integer(1)]),
                        height: value([.absent, .null, .real(0.5), .integer(2)]), tags: value([.absent, .text("[]")]),
                        extra: value([.absent, .text("{}")])))
            }
            let rejects = (0..<Int.random(in: 0...2, using: &random)).map {
                RejectedRecord(position: $0 + 1, reason: "made up", payload: [])
            }
            var counts = PageCounts()
            counts.received = rows.count + rejects.count
            counts.rejected = rejects.count
            for row in rows {
                guard case .text(let key) = row[0] else { continue }
                if let target, model.count >= target {
                    counts.surplus += 1
                } else if let stored = model[key] {
                    let merged = zip(stored, row).map { $0.1 == .absent ? $0.0 : $0.1 }
                    if rule == .update, merged != stored {
                        counts.updated += 1
                        model[key] = merged
                    } else {
                        counts.duplicate += 1
                    }
                } else {
                    counts.new += 1
                    model[key] = row.map { $0 == .absent ? .null : $0 }
                }
            }
            expected.append(counts)
            try await writer.submit(page(sequence, rows, rejects: rejects))
        }
        try await writer.drain()
        #expect(outcomes.pages.map(\.counts) == expected)
        #expect(outcomes.pages.allSatisfy { $0.counts.isBalanced })
        #expect(outcomes.pages.last?.stored == model.count)
        let rows = try await store.rows("SELECT uid, age, height, tags, extra FROM people")
        let wanted = model.values.map { row in
            [row[0], row[1], row[2], row[4], row[5]].map { cell in
                switch cell {
                case .absent, .null: "NULL"
                case .integer(let integer): cell == row[2] ? "\(integer).0" : "\(integer)"
                case .real(let real): "\(real)"
                case .text(let text): text
                }
            }.joined(separator: "|")
        }
        #expect(Set(rows) == Set(wanted))
        #expect(try await problems() == [])
    }
}

extension PageCounts {
    /// The counts of a page with one record.
    static func of(new: Int = 0, duplicate: Int = 0, updated: Int = 0) -> PageCounts {
        var counts = PageCounts()
        counts.received = new + duplicate + updated
        counts.new = new
        counts.duplicate = duplicate
        counts.updated = updated
        return counts
    }
}
