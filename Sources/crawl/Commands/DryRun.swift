import CrawlCore
import CrawlKit

/// `--dry-run`: says what a crawl would do, and does nothing of it.
struct DryRun: Sendable {
    let source: Source
    let options: CrawlOptions

    func run(isJSON: Bool) async throws -> Int32 {
        let plan = try await CrawlPlan.make(source, options)
        var output = TextOutput(1)
        if isJSON {
            var object = JSONObject()
            object.add("type", "plan")
            object.add("version", EventJSON.version)
            object.add("source", source.name)
            object.add("endpoint", plan.endpoint)
            object.add("target", options.count)
            object.add("stored", plan.stored)
            object.add("page_size", plan.pageSize)
            object.add("requests", plan.requests)
            object.add("resumes_run", plan.resumedRun)
            object.add("database", options.database)
            output.writeLine(object.text)
        } else {
            for line in lines(plan) { output.writeLine(SafeText.visible(line)) }
        }
        return ExitCode.success.rawValue
    }

    private func lines(_ plan: CrawlPlan) -> [String] {
        let target = options.count.map { " of \($0)" } ?? ""
        let stored = "\(plan.stored)\(target) \(source.name) are stored in \(options.database)"
        guard plan.requests != 0 else { return ["\(stored): nothing would be done"] }
        let amount = plan.requests.map { "about \(Quantity.count($0, "request", "requests")) of" } ?? "requests of"
        let size = Quantity.count(plan.pageSize, "record", "records")
        var lines = [
            "Would ask \(plan.endpoint): \(amount) \(size), \(options.lanes.map(String.init) ?? "as many as the server allows") at a time",
            stored,
        ]
        if let run = plan.resumedRun { lines.append("Would go on with run \(run)") }
        if options.startsFresh { lines.append("Would replace the stored \(source.name)") }
        return lines
    }
}
