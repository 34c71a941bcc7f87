import CrawlCore
import CrawlStore

/// Loads the sources of a group and commits them as one transaction: either all are new, or all stay as they were.
struct GroupLoad: Sendable {
    let name: String
    let crawlers: [Crawler]
    /// Whether what arrived is stored although another source failed.
    let keepsPart: Bool

    /// A source of the group after its chain has ended.
    private struct Member: Sendable {
        var running: RunningCrawl
        var result: RunningCrawl.Result
        var pages: [PageSubmission]
    }

    /// Loads to the end; the summaries stand in the order of the sources.
    func run() async -> [CrawlEvent.Summary] {
        var members: [Member]
        var summaries: [String: CrawlEvent.Summary] = [:]
        do {
            members = try await fetch(&summaries)
        } catch {
            // Nothing was fetched, and none of the runs that were entered has a page.
            var failed: [CrawlEvent.Summary] = []
            for crawler in crawlers {
                failed.append(await crawler.finishedWithoutRun(.failed, stored: 0, error: CrawlError(wrapping: error)))
            }
            return failed
        }
        do {
            try await commit(&members)
        } catch {
            for index in members.indices { members[index].result.ending = .failed(CrawlError(wrapping: error)) }
        }
        for member in members {
            summaries[member.running.crawler.source.name] = await member.running.conclude(member.result)
        }
        return crawlers.compactMap { summaries[$0.source.name] }
    }

    /// Runs all chains side by side, their pages held.
    ///
    /// - Parameter summaries: Takes those of sources for which nothing has to be asked.
    private func fetch(_ summaries: inout [String: CrawlEvent.Summary]) async throws -> [Member] {
        var running: [RunningCrawl] = []
        for crawler in crawlers {
            switch try await crawler.begin() {
            case .crawl(let beginning): running.append(try await RunningCrawl(crawler, beginning))
            case .stillFresh(let stored, let until):
                summaries[crawler.source.name] = await crawler.finishedFresh(stored: stored, until: until)
            case .nothingToDo(let stored):
                summaries[crawler.source.name] = await crawler.finishedWithoutRun(.nothingToDo, stored: stored)
            }
        }
        return await withTaskGroup(of: (Int, Member).self) { group in
            for (index, running) in running.enumerated() {
                group.addTask {
                    let (result, pages) = await running.runHolding()
                    return (index, Member(running: running, result: result, pages: pages))
                }
            }
            var members: [Int: Member] = [:]
            for await (index, member) in group { members[index] = member }
            return running.indices.compactMap { members[$0] }
        }
    }

    /// Commits what may be committed; a source that has to stay out because of another gets that as its ending.
    private func commit(_ members: inout [Member]) async throws {
        let failed = members.filter { !$0.result.ending.isWhole }
        guard failed.isEmpty || keepsPart else {
            for index in members.indices where members[index].result.ending.isWhole {
                members[index].result.ending = leftOut(members[index], because: failed)
            }
            return
        }
        let whole = members.filter(\.result.ending.isWhole)
        let submissions = whole.flatMap(\.pages)
        guard !submissions.isEmpty, let store = crawlers.first?.session.store else { return }
        var committed = try await store.commit(submissions)[...]
        for member in whole {
            member.running.lane.report(
                Array(committed.prefix(member.pages.count)), source: member.running.crawler.source.name,
                run: member.running.beginning.run.id)
            committed = committed.dropFirst(member.pages.count)
        }
    }

    private func leftOut(_ member: Member, because failed: [Member]) -> Ending {
        if failed.allSatisfy({ if case .interrupted = $0.result.ending { true } else { false } }) {
            return .interrupted
        }
        let source = member.running.crawler.source.name
        let others = failed.map(\.running.crawler.source.name).joined(separator: " and ")
        return .failed(
            CrawlError(
                .unavailable,
                "\(source): fetched whole, but not stored: \(others) failed, and \(name) are stored together",
                remedy: "Both stay as they were. --partial stores what arrived."))
    }
}
