import CrawlCore
import Foundation
import Testing

@testable import crawl

@Suite struct EventTextTests {
    @Test func everyEventHasItsFields() {
        var lines = [CrawlEvent.sampleStarted].map(EventJSON.object)
        lines.append(EventJSON.object(.notice(.init(source: "users", message: "Say \"hi\"\n\u{1B}[0m \\"))))
        lines.append(EventJSON.object(.sampleRequest(status: nil)))
        lines.append(EventJSON.object(.sampleRetry(wait: 1.23456)))
        lines.append(EventJSON.object(.samplePage(sequence: 3, new: 9, duplicate: 1, stored: 40)))
        let error = CrawlError(.unavailable, "No answer", remedy: "Try again.")
        lines.append(EventJSON.object(.finished(.sampleSummary(.failed, stored: 40, error: error))))
        #expect(
            lines.map(\.text) == [
                #"{"type":"started","version":1,"source":"users","run":7,"endpoint":"http://127.0.0.1:1/users","#
                    + #""target":50,"stored":31,"resumed":true,"database":"output/crawl.db"}"#,
                #"{"type":"notice","version":1,"source":"users","message":"Say \"hi\"\n\u001b[0m \\"}"#,
                #"{"type":"request","version":1,"source":"users","url":"http://127.0.0.1:1/users?size=5","#
                    + #""status":null,"bytes":4410,"seconds":0.021}"#,
                #"{"type":"retry","version":1,"source":"users","url":"http://127.0.0.1:1/users?size=5","#
                    + #""attempt":1,"wait":1.235,"reason":"HTTP 503"}"#,
                #"{"type":"page","version":1,"source":"users","run":7,"sequence":3,"received":10,"new":9,"#
                    + #""duplicate":1,"updated":0,"rejected":0,"surplus":0,"bytes":4410,"stored":40}"#,
                #"{"type":"finished","version":1,"source":"users","run":7,"outcome":"failed","target":50,"#
                    + #""stored":40,"received":50,"new":50,"duplicate":0,"updated":0,"rejected":0,"surplus":0,"#
                    + #""requests":10,"retries":1,"bytes":44100,"seconds":0.21,"database":"output/crawl.db","#
                    + #""made_up":false,"error":{"exit_code":69,"message":"No answer","remedy":"Try again."}}"#,
            ])
    }

    @Test(arguments: ["", "plain", "\"\\/", "\u{0}\u{1F}\u{7F}\u{85}", "tab\tline\n", "東京 👩‍👩‍👧", "\u{2028}"])
    func otherParsersReadTheTextBack(_ text: String) throws {
        var object = JSONObject()
        object.add("text", text)
        object.add("nothing", Double.nan)
        object.add("list", [JSONObject()])
        let value = try JSONSerialization.jsonObject(with: Data(object.text.utf8)) as? [String: Any]
        #expect(value?["text"] as? String == text)
        #expect(value?["nothing"] is NSNull)
        #expect(!object.text.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x1B })
    }

    @Test func summaries() {
        #expect(
            SummaryText.line(.sampleSummary())
                == "50 users stored in output/crawl.db: 50 new, 0 duplicates; 10 requests, 1 retry, 44.1 KB, 0.2 s")
        #expect(SummaryText.line(.sampleSummary(isMadeUp: true)).hasSuffix("0.2 s (made up by the stand-in)"))
        #expect(
            SummaryText.line(.sampleSummary(.nothingToDo))
                == "50 users stored in output/crawl.db already, nothing to do: 0 new, 0 duplicates; "
                + "0 requests, 0 retries, 0 B, 0.2 s")
        var odd = CrawlEvent.Summary.sampleSummary()
        odd.counts.duplicate = 1
        odd.counts.rejected = 2
        odd.counts.surplus = 3
        #expect(SummaryText.line(odd).contains("50 new, 1 duplicate, 2 rejected, 3 surplus;"))
        #expect(
            SummaryText.stopped(.sampleSummary(.interrupted, stored: 31), continueWith: "crawl --count 50")
                == "Stopped at 31 of 50 users. Continue with: crawl --count 50")
    }
}
