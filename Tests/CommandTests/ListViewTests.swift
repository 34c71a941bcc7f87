import CrawlCore
import CrawlStore
import Testing

@testable import crawl

/// A table with a key, short and long texts, numbers, a private column, an empty one.
private let columns = [
    StoredColumn(name: "rank", type: .integer), StoredColumn(name: "uid", type: .text, isKey: true),
    StoredColumn(name: "password", type: .text), StoredColumn(name: "name", type: .text),
    StoredColumn(name: "note", type: .text), StoredColumn(name: "price", type: .real),
    StoredColumn(name: "seldom", type: .text), StoredColumn(name: "open", type: .boolean),
    StoredColumn(name: "body", type: .text),
]

private func row(_ number: Int, name: RecordValue = .text("Ada")) -> [RecordValue] {
    [
        .integer(Int64(number)), .text("u\(number)"), .text("geheim"), name, .text("short"),
        .real(Double(number) + 0.5),
        number == 1 ? .text("once") : .null, .integer(Int64(number % 2)), .text(String(repeating: "lorem ", count: 20)),
    ]
}

private let rows = [1, 20, 300].map { row($0) }

@Suite struct ListViewTests {
    private func view(
        _ rows: [[RecordValue]] = rows, choosing: Bool = true, headline: [String] = [], width: Int? = 80
    ) -> ListView {
        ListView(columns: columns, sample: rows, choosesColumns: choosing, headline: headline, width: width)
    }

    private func lines(_ view: ListView, _ rows: [[RecordValue]] = rows) -> [String] {
        [view.heading] + rows.map(view.line)
    }

    @Test func theKeyComesFirstThenWhatIsShortAndFilled() {
        #expect(
            lines(view(width: 51)) == [
                "uid   rank  name  note   price  open   body",
                "u1       1  Ada   short    1.5  true   lorem lorem…",
                "u20     20  Ada   short   20.5  false  lorem lorem…",
                "u300   300  Ada   short  300.5  false  lorem lorem…",
            ])
    }

    @Test func aNarrowTerminalShowsFewerColumns() {
        #expect(lines(view(width: 23))[0] == "uid   rank  name  note")
        #expect(lines(view(width: 3))[0] == "uid")
        #expect(lines(view(width: 1)).allSatisfy { $0.count <= 1 })
    }

    @Test func headlinesGoBeforeOthers() {
        #expect(lines(view(headline: ["price"], width: 23))[0] == "uid   rank  name  price")
        #expect(lines(view(headline: ["price"], width: 12))[0] == "uid   price")
    }

    @Test(arguments: 1...130)
    func noLineIsWiderThanTheTerminal(width: Int) {
        let view = view(width: width)
        let wide = row(4, name: .text(String(repeating: "東京", count: 40)))
        for line in lines(view, rows + [wide]) { #expect(DisplayWidth.of(line) <= width) }
    }

    @Test func namedColumnsAreAllShown() {
        let view = view(choosing: false, width: 70)
        for column in columns { #expect(view.heading.contains(column.name.prefix(4))) }
        #expect(view.line(rows[0]).contains("gehe"))
    }

    @Test func anEmptyTableHasAHeading() {
        #expect(lines(view([], width: 40), [])[0] == "uid  rank  name  note  price  seldom")
        #expect(lines(view([], width: nil), [])[0] == "rank\tuid\tpassword\tname\tnote\tprice\tseldom\topen\tbody")
    }

    @Test func offATerminalEverythingIsThereUncut() {
        let line = view(width: nil).line(row(7, name: .text("a\tb\nc\u{1B}[31m")))
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
        #expect(cells.count == columns.count)
        #expect(cells[3] == "a\\tb\\nc\\e[31m")
        #expect(cells[6] == "")
        #expect(cells[7] == "true")
        #expect(cells[8].count == 120)
    }

    @Test func controlCharactersAreNeverRaw() {
        let evil = row(7, name: .text("\u{1B}[2J\u{7}\r\u{202E}"))
        let line = view([evil], width: 100).line(evil)
        #expect(line.contains("\\e[2J\\u{7}\\r\\u{202e}"))
        #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" })
    }

    @Test(
        arguments: [
            (3, 3, 100, true, "3 posts, 7 of 9 columns; --columns shows others"),
            (3, 3, 200, false, "3 posts"),
            (20, 100, 200, false, "20 of 100 posts; --limit 0 shows all"),
            (20, 100, 100, true, "20 of 100 posts, 7 of 9 columns; --limit 0 shows all, --columns others"),
            (1, 1, 200, false, "1 post"),
            (20, 100, nil, true, "20 of 100 posts; --limit 0 shows all"),
            (100, 100, nil, true, nil),
        ] as [(Int, Int, Int?, Bool, String?)])
    func remark(shown: Int, total: Int, width: Int?, choosing: Bool, text: String?) {
        #expect(view(choosing: choosing, width: width).remark(source: "posts", shown: shown, total: total) == text)
    }
}
