import Glibc
import StandInAPI

/// The hidden subcommand behind `PageServer`.
enum ServePages {
    static let name = "serve-pages"

    /// Serves until standard input ends; prints its address when it answers.
    static func run(_ arguments: inout Arguments) throws -> Int32 {
        var configuration = StandInConfiguration()
        configuration.seed = 1
        configuration.precomputedPages = try arguments.number("--users", default: 1)
        configuration.precomputedPostPages = try arguments.number("--posts", default: 1)
        try arguments.finish()
        let server = try StandInServer(configuration: configuration)
        defer { server.stop() }
        TextFile.write(server.baseURL + "\n", to: STDOUT_FILENO)
        _ = try TextFile.line(from: STDIN_FILENO)
        return 0
    }
}
