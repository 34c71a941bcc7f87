// README begin
import CrawlKit

func refresh(_ database: String) async throws -> [String] {
    var options = CrawlOptions(count: 50)
    options.database = database
    options.retries = 3  // retry(3)
    options.origin = .offline  // made-up data, no network; leave it out to ask the real services
    for await event in Crawl(.users, options: options).events {  // dataTaskPublisher, tryMap, decode
        if case .page(let page) = event { print("\(page.stored) users") }  // sink(receiveValue:)
        if case .finished(let end) = event, let error = end.error { throw error }  // receiveCompletion:
    }
    try await BulkLoad([.source(.posts), .markets], options: options).complete()  // zip
    let users = try await CrawlDatabase(database).records(of: User.self).collect()
    return users.map { "\($0.firstName ?? "-") \($0.lastName ?? "-")" }
}

func names(_ database: String) -> Task<[String], Never> {  // store(in:): cancel() stops politely
    Task { (try? await refresh(database)) ?? [] }  // replaceError(with: [])
}
// README end
