import CrawlCore
import Testing

@testable import crawl

@Suite struct ProgressLineTests {
    private static let state = ProgressState(
        source: "users", target: 50, stored: 31, duplicates: 3, retries: 1, rate: 12, secondsLeft: 1.6)

    @Test(arguments: [
        (100, "users ██████████████████░░░░░░░░░░░░ 31/50 · 12/s · 2 s left · 3 duplicates · 1 retry"),
        (80, "users ██████████████░░░░░░░░░░ 31/50 · 12/s · 2 s left · 3 duplicates · 1 retry"),
        (62, "users ███░░░ 31/50 · 12/s · 2 s left · 3 duplicates · 1 retry"),
        (61, "users █████████░░░░░░ 31/50 · 12/s · 2 s left · 3 duplicates"),
        (60, "users ████████░░░░░░ 31/50 · 12/s · 2 s left · 3 duplicates"),
        (40, "users █████░░░░ 31/50 · 12/s · 2 s left"),
        (30, "users ██████░░░░ 31/50 · 12/s"),
        (24, "users ██████░░░░░ 31/50"),
        (19, "users ███░░░ 31/50"),
        (18, "users 31/50"),
        (12, "users 31/50"),
        (11, "31/50"),
        (6, "31/50"),
        (5, "31/…"),
        (2, "…"),
        (1, ""),
        (0, ""),
        (-5, ""),
    ])
    func shedsPartsAsTheWidthShrinks(_ columns: Int, _ expected: String) {
        #expect(ProgressLine().text(Self.state, columns: columns) == expected)
    }

    @Test func asciiWhereTheLocaleIsNotUTF8() {
        let line = ProgressLine(isUnicode: false)
        #expect(
            line.text(Self.state, columns: 62) == "users ###... 31/50 - 12/s - 2 s left - 3 duplicates - 1 retry")
        #expect(line.text(Self.state, columns: 5) == "31/~")
    }

    @Test func noWidthIsExceeded() {
        var wide = Self.state
        wide.source = "東京都のデータ"
        var endless = Self.state
        endless.target = nil
        for state in [Self.state, wide, endless, ProgressState(source: "users", isStarting: true)] {
            for columns in 0...140 {
                for isUnicode in [true, false] {
                    let text = ProgressLine(isUnicode: isUnicode).text(state, columns: columns)
                    #expect(DisplayWidth.of(text) <= max(0, columns - 1), "\(text) in \(columns)")
                }
            }
        }
    }

    @Test func withoutATargetThereIsNoBar() {
        let state = ProgressState(source: "posts", target: nil, stored: 100, rate: 40)
        #expect(ProgressLine().text(state, columns: 80) == "posts 100 · 40/s")
    }

    @Test func barIsFullOnlyWhenTheTargetStands() {
        var state = ProgressState(source: "users", target: 100_000, stored: 99_999)
        #expect(ProgressLine().text(state, columns: 30) == "users █████████░ 99999/100000")
        state.stored = 100_000
        #expect(ProgressLine().text(state, columns: 30) == "users █████████ 100000/100000")
        state.stored = 100_001
        #expect(ProgressLine().text(state, columns: 30) == "users █████████ 100001/100000")
    }

    @Test func waitingTakesThePlaceOfTheRate() {
        var state = Self.state
        state.secondsWaiting = 59.7
        #expect(
            ProgressLine().text(state, columns: 62) == "users ████████░░░░░░ 31/50 · next try in 1 min · 3 duplicates")
    }

    @Test func colourAddsNoWidth() {
        let line = ProgressLine(style: Style(isColored: true))
        let plain = line.text(Self.state, columns: 62).replacing(#/\u{1B}\[\d+m/#, with: "")
        #expect(plain == ProgressLine().text(Self.state, columns: 62))
    }

    @Test func rateIsSmoothAndFalls() throws {
        var meter = RateMeter(count: 100, at: 0)
        #expect(meter.rate(at: 5) == nil)
        for second in 1...20 {
            meter.note(count: 100 + second * 10, at: Double(second))
        }
        #expect(meter.rate(at: 20) == 10)
        // One quick page changes the rate by little, a pause lets it fall.
        meter.note(count: 350, at: 20.5)
        let quick = try #require(meter.rate(at: 20.5))
        #expect(quick > 10 && quick < 18)
        let later = try #require(meter.rate(at: 60))
        #expect(later < 4)
    }

    @Test func trackerCountsWhatEventsSay() {
        var tracker = ProgressTracker(source: "users", at: 0)
        tracker.note(.sampleStarted, at: 0)
        tracker.note(.samplePage(sequence: 1, new: 10, duplicate: 2, stored: 41), at: 1)
        var state = tracker.state(at: 1)
        #expect(state.stored == 41 && state.duplicates == 2 && state.target == 50)
        #expect(state.rate == 10)
        #expect(state.secondsLeft == 0.9)
        tracker.note(.sampleRetry(wait: 20), at: 2)
        state = tracker.state(at: 5)
        #expect(state.retries == 1 && state.secondsWaiting == 17)
        #expect(tracker.state(at: 30).secondsWaiting == nil)
    }
}
