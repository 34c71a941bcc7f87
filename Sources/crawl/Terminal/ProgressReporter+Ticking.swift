extension ProgressReporter {
    /// Runs the body while the live line moves on, then removes the line, whether the body returns or throws.
    ///
    /// The body hands in the events of the crawl.
    nonisolated func whileTicking<Result: Sendable>(_ body: () async throws -> Result) async throws -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                while !Task.isCancelled {
                    await self.tick()
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            defer { group.cancelAll() }
            do {
                let result = try await body()
                await finish()
                return result
            } catch {
                await finish()
                throw error
            }
        }
    }
}
