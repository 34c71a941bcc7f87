import Testing

@testable import crawl

@Suite struct TextTableTests {
    private let table = {
        var table = TextTable(columns: [
            .init(title: "source"), .init(title: "stored", isNumeric: true), .init(title: "reason"),
        ])
        table.rows = [
            ["users", "50", ""], ["東京", "1000000", "HTTP 503 after 4 attempts\u{1B}[2J\n"], ["short"],
        ]
        return table
    }()

    @Test func alignedForPeople() {
        #expect(
            table.lines(width: 80) == [
                "source   stored  reason",
                "users        50",
                "東京    1000000  HTTP 503 after 4 attempts\\e[2J\\n",
                "short",
            ])
    }

    @Test func textIsCutAndNumbersAreNot() {
        #expect(
            table.lines(width: 32) == [
                "source   stored  reason",
                "users        50",
                "東京    1000000  HTTP 503 after…",
                "short",
            ])
    }

    @Test(arguments: 0...60)
    func noWidthIsExceeded(_ width: Int) {
        for line in table.lines(width: width) {
            #expect(DisplayWidth.of(line) <= width)
        }
    }

    @Test func wholeForPrograms() {
        #expect(
            table.lines(width: nil) == [
                "source\tstored\treason", "users\t50\t", "東京\t1000000\tHTTP 503 after 4 attempts\\e[2J\\n", "short\t\t",
            ])
    }

    @Test func headingsAreBold() {
        #expect(table.lines(width: 80, style: Style(isColored: true))[0].hasPrefix("\u{1B}[1msource"))
    }
}
