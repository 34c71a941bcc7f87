import CrawlCore
import Testing

@Suite("Near misses")
struct NearMissTests {
    @Test(
        "a misspelt word finds the word that was meant",
        arguments: [
            ("cuont", "count"), ("exprot", "export"), ("colums", "columns"), ("usres", "users"), ("USERS", "users"),
        ])
    func found(word: String, meant: String) {
        #expect(NearMiss.suggestion(for: word, among: ["count", "export", "columns", "users", "status"]) == meant)
    }

    @Test("a word that is nothing alike finds nothing", arguments: ["zebra", "x", "verification"])
    func notFound(word: String) {
        #expect(NearMiss.suggestion(for: word, among: ["count", "export", "columns", "users"]) == nil)
    }
}
