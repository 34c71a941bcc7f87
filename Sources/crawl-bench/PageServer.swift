import Glibc

/// The stand-in in a process of its own, which hands out pages that it has made beforehand; whoever starts it ends it.
struct PageServer {
    private let address: String
    private let process: ChildProcess
    /// The server's standard input; the server ends when this is closed, whatever becomes of the benchmark.
    private let lifeline: Int32

    /// Starts a server that has made the pages of the workload, and waits until it answers.
    ///
    /// Users come again only when all were handed out once; posts come by the number of their page.
    ///
    /// - Throws: `BenchFailure` where it does not start.
    init(_ programs: Programs, _ workload: Workload, scratch: ScratchFolder) throws {
        let (input, lifeline) = try Self.pipe()
        let (answer, output) = try Self.pipe()
        defer {
            close(input)
            close(answer)
        }
        let errors = scratch.file("server-errors")
        do {
            defer { close(output) }
            process = try ChildProcess(
                programs.bench, [ServePages.name, "--\(workload.source)", String((workload.count + 99) / 100)],
                input: input, output: output, errors: errors)
        } catch {
            close(lifeline)
            throw error
        }
        self.lifeline = lifeline
        let line = try TextFile.line(from: answer)
        guard line.hasPrefix("http"), line.hasSuffix("\n") else {
            close(lifeline)
            process.end()
            let words = (try? TextFile.beginning(of: errors)) ?? ""
            throw BenchFailure("the page server did not start\n\(words)")
        }
        address = String(line.dropLast())
    }

    /// The address of a source, without a query.
    func url(of source: Workload.Source) -> String {
        switch source {
        case .users: address + "/api/v2/users"
        case .posts: address + "/posts"
        }
    }

    /// Ends the server.
    func end() {
        close(lifeline)
        process.end()
    }

    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw BenchFailure("no pipe can be made", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}
