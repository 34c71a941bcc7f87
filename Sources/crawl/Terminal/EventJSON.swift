import CrawlCore

/// Events as `--json` prints them, one object a line; README, "Events", documents every field.
enum EventJSON {
    /// The version of the format; new fields may appear within one version.
    static let version = 1

    /// The object for an event, `type` and `version` first.
    static func object(_ event: CrawlEvent) -> JSONObject {
        var object = JSONObject()
        func begin(_ type: String, _ source: String) {
            object.add("type", type)
            object.add("version", version)
            object.add("source", source)
        }
        switch event {
        case .started(let started):
            begin("started", started.source)
            object.add("run", started.run)
            object.add("endpoint", started.endpoint)
            object.add("target", started.target)
            object.add("stored", started.stored)
            object.add("resumed", started.resumed)
            object.add("database", started.database)
        case .notice(let notice):
            begin("notice", notice.source)
            object.add("message", notice.message)
        case .request(let request):
            begin("request", request.source)
            object.add("url", request.url)
            object.add("status", request.status)
            object.add("bytes", request.bytes)
            object.add("seconds", request.seconds)
        case .retry(let retry):
            begin("retry", retry.source)
            object.add("url", retry.url)
            object.add("attempt", retry.attempt)
            object.add("wait", retry.wait)
            object.add("reason", retry.reason)
        case .page(let page):
            begin("page", page.source)
            object.add("run", page.run)
            object.add("sequence", page.sequence)
            add(page.counts, to: &object)
            object.add("bytes", page.bytes)
            object.add("stored", page.stored)
        case .change(let change):
            begin("change", change.source)
            object.add("new_record", change.record.isNew)
            object.add("key", values: change.record.key)
            object.add("columns", change.record.columns.map(column))
        case .finished(let summary):
            begin("finished", summary.source)
            object.add("run", summary.run)
            object.add("outcome", summary.outcome.rawValue)
            object.add("target", summary.target)
            object.add("stored", summary.isUnknown ? nil : summary.stored)
            add(summary.counts, to: &object)
            object.add("requests", summary.requests)
            object.add("retries", summary.retries)
            object.add("bytes", summary.bytes)
            object.add("seconds", summary.seconds)
            object.add("database", summary.database)
            object.add("made_up", summary.isMadeUp)
            object.add("error", summary.error.map(Self.object))
        }
        return object
    }

    private static func column(_ column: RecordChange.Column) -> JSONObject {
        var object = JSONObject()
        object.add("name", column.name)
        object.add("before", value: column.before)
        object.add("after", value: column.after)
        return object
    }

    /// The object for an error.
    static func object(_ error: CrawlError) -> JSONObject {
        var object = JSONObject()
        object.add("exit_code", error.exitCode.rawValue)
        object.add("message", error.message)
        object.add("remedy", error.remedy)
        return object
    }

    /// Adds what became of records.
    static func add(_ counts: PageCounts, to object: inout JSONObject) {
        object.add("received", counts.received)
        object.add("new", counts.new)
        object.add("duplicate", counts.duplicate)
        object.add("updated", counts.updated)
        object.add("rejected", counts.rejected)
        object.add("surplus", counts.surplus)
    }
}
